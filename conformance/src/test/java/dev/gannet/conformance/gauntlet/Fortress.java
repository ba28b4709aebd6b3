package dev.gannet.conformance.gauntlet;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.client.ManagedChannel;
import dev.gannet.conformance.gauntlet.attack.Victim;
import dev.gannet.conformance.gauntlet.wire.Pace;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import dev.gannet.conformance.interop.TestCredentials;
import dev.gannet.server.Server;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A server in this process with all defaults, and an honest client of it. */
final class Fortress implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration MAX_WAIT = Duration.ofSeconds(30);
  private static final int RESPONSE_BYTES = 100;

  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicInteger honestCalls = new AtomicInteger();
  private final Server plaintext;
  private final Server tls;
  private final ManagedChannel channel;

  Fortress() throws IOException {
    plaintext =
        Server.builder(0).plaintext().add(new GauntletService()).intercept(new Door()).start();
    tls =
        Server.builder(0)
            .credentials(TestCredentials.ofServer())
            .add(new GauntletService())
            .start();
    channel = ManagedChannel.builder("127.0.0.1", plaintext.port()).plaintext().build();
  }

  Victim ports() {
    return Victim.onLoopback(plaintext.port(), tls.port());
  }

  /** An honest call, which throws unless its answer is right. */
  void serve() {
    honestCalls.incrementAndGet();
    int bytes =
        TestServiceClient.of(channel)
            .withDeadline(PATIENCE)
            .unaryCall(SimpleRequest.newBuilder().setResponseSize(RESPONSE_BYTES).build())
            .getPayload()
            .getBody()
            .size();
    if (bytes != RESPONSE_BYTES) {
      throw new AssertionError("an answer of " + bytes + " bytes");
    }
  }

  /** How many calls that are not ours have passed the methods' door, in the clear. */
  int callsOfOthers() {
    return calls.get() - honestCalls.get();
  }

  /** A connection of an attacker in a hurry. */
  RawConnection connect(int... settings) throws IOException {
    RawConnection connection =
        RawConnection.open(ports().plaintext(), Reading.EAGER, new Pace(Long.MAX_VALUE));
    connection.begin(settings);
    return connection;
  }

  /** Serves honest clients until it is so. */
  void serveUntil(BooleanSupplier done) {
    long beginNanos = System.nanoTime();
    while (!done.getAsBoolean()) {
      serve();
      if (System.nanoTime() - beginNanos > MAX_WAIT.toNanos()) {
        throw new AssertionError("it is not so within " + MAX_WAIT);
      }
    }
  }

  @Override
  public void close() {
    channel.close();
    plaintext.close();
    tls.close();
  }

  /** Counts the accepted connections. */
  private final class Door implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.incrementAndGet();
      return next.startCall(call, headers);
    }
  }
}
