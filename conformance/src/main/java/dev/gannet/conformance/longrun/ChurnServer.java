package dev.gannet.conformance.longrun;

import dev.gannet.server.Server;
import dev.gannet.testing.FaultyNetwork;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server of {@link Churn}, behind its own proxy, so that its connections can be reset as if its
 * process were killed. Thread-safe.
 */
final class ChurnServer implements TestService, AutoCloseable {
  /** How long a call takes, so that some calls are running at any time. */
  private static final int CALL_MILLIS = 10;

  private final Server server;
  private final FaultyNetwork network;
  private final AtomicLong calls = new AtomicLong();
  private volatile OptionalLong killedNanos = OptionalLong.empty();

  ChurnServer() throws IOException {
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .add(this)
            .start();
    network =
        FaultyNetwork.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()), 0);
  }

  InetSocketAddress address() {
    return network.address();
  }

  long calls() {
    return calls.get();
  }

  /** When it was killed; empty if it was not. */
  OptionalLong killedNanos() {
    return killedNanos;
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) throws InterruptedException {
    calls.incrementAndGet();
    TimeUnit.MILLISECONDS.sleep(CALL_MILLIS);
    return SimpleResponse.getDefaultInstance();
  }

  /** Accepts no more calls, and closes when its calls have ended. */
  void drain() {
    server.close();
    network.close();
  }

  /** Resets its connections and stops listening, as when its process is killed. */
  void kill() {
    killedNanos = OptionalLong.of(System.nanoTime());
    network.close();
    server.shutdownNow();
  }

  @Override
  public void close() {
    server.shutdownNow();
    network.close();
  }
}
