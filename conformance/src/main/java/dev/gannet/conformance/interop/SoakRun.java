package dev.gannet.conformance.interop;

import dev.gannet.api.Channel;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The soak cases: large calls without a deadline, one after another on each thread, each of which
 * must end with OK and in time. Ends by itself: no call starts after the overall timeout, and calls
 * that are still running then are cancelled.
 */
final class SoakRun {
  /** What the call of one iteration uses. */
  private interface Connection extends AutoCloseable {
    Channel channel();

    @Override
    void close();
  }

  private record Kept(Channel channel) implements Connection {
    @Override
    public void close() {}
  }

  private record New(ManagedChannel channel) implements Connection {
    @Override
    public void close() {
      channel.shutdownNow();
    }
  }

  private interface Connections {
    Connection next() throws IOException;
  }

  /** Makes a channel like that of the case. */
  interface Channels {
    ManagedChannel make() throws IOException;
  }

  private final SoakOptions options;
  private final PrintWriter out;
  private final PrintWriter err;
  private final SimpleRequest request;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicInteger failures = new AtomicInteger();
  private final long startNanos = System.nanoTime();

  SoakRun(SoakOptions options, PrintWriter out, PrintWriter err) {
    this.options = options;
    this.out = out;
    this.err = err;
    this.request =
        SimpleRequest.newBuilder()
            .setResponseSize(options.responseBytes())
            .setPayload(Payloads.zeros(options.requestBytes()))
            .build();
  }

  /** All calls on that channel. */
  void onOneChannel(Channel channel) throws InterruptedException {
    run(() -> new Kept(channel));
  }

  /**
   * Each call on a channel of its own; the time to create the channel counts, that to close it does
   * not.
   */
  void onNewChannels(Channels channels) throws InterruptedException {
    run(() -> new New(channels.make()));
  }

  private void run(Connections connections) throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < options.threads(); i++) {
      threads.add(Thread.ofVirtual().start(() -> soak(connections)));
    }
    for (Thread thread : threads) {
      if (!thread.join(left())) {
        thread.interrupt(); // which cancels its call
        thread.join();
      }
    }
    int wanted = options.iterations();
    Expect.equal("iterations done in time", wanted, done.get());
    if (failures.get() > options.maxFailures()) {
      throw new Mismatch("failures, at most", options.maxFailures(), failures.get());
    }
  }

  private Duration left() {
    return options.overallTimeout().minusNanos(System.nanoTime() - startNanos);
  }

  private void soak(Connections connections) {
    int share = options.iterations() / options.threads();
    for (int i = 0; i < share && left().isPositive(); i++) {
      long beginNanos = System.nanoTime();
      iterate(connections);
      long wait = options.minTimeBetweenCalls().toNanos() - (System.nanoTime() - beginNanos);
      if (wait > 0) {
        LockSupport.parkNanos(Math.min(wait, Math.max(0, left().toNanos())));
      }
    }
  }

  private void iterate(Connections connections) {
    long beginNanos = System.nanoTime();
    String outcome;
    Optional<SocketAddress> peer = Optional.empty();
    Duration took;
    try (Connection connection = connections.next()) {
      Response<SimpleResponse> response =
          TestServiceClient.of(connection.channel())
              .response(TestServiceMethods.UNARY_CALL, request);
      peer = response.peer();
      took = Duration.ofNanos(System.nanoTime() - beginNanos);
      Expect.zeros("the payload", options.responseBytes(), response.message().getPayload());
      outcome = took.compareTo(options.maxLatency()) > 0 ? "took too long" : "";
    } catch (StatusException | Mismatch | IOException e) {
      took = Duration.ofNanos(System.nanoTime() - beginNanos);
      outcome = String.valueOf(e.getMessage());
    }
    report(took, peer.map(Object::toString).orElse("none"), outcome);
  }

  private void report(Duration took, String peer, String failure) {
    String what =
        "soak iteration: "
            + done.getAndIncrement()
            + " elapsed_ms: "
            + took.toMillis()
            + " peer: "
            + peer;
    if (failure.isEmpty()) {
      out.println(what + " succeeded");
    } else {
      failures.incrementAndGet();
      err.println(what + " failed: " + failure);
    }
  }
}
