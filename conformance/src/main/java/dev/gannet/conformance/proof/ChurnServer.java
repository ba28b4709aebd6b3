package dev.gannet.conformance.proof;

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
 * One of the servers of {@link Churn}, behind a network of its own, so that its connections can be
 * lost as if its process were killed. Safe for all threads.
 */
final class ChurnServer implements TestService, AutoCloseable {
  /** What a call takes, so that some are under way at any time. */
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

  /** When it was killed, if it was. */
  OptionalLong killedNanos() {
    return killedNanos;
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) throws InterruptedException {
    calls.incrementAndGet();
    TimeUnit.MILLISECONDS.sleep(CALL_MILLIS);
    return SimpleResponse.getDefaultInstance();
  }

  /** Ends once its calls have ended; takes no more. */
  void drain() {
    server.close();
    network.close();
  }

  /** Its connections are reset and it listens no more, as when its process is killed. */
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
