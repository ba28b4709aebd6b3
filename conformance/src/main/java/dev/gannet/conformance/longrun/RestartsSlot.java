package dev.gannet.conformance.longrun;

import dev.gannet.conformance.process.Child;
import dev.gannet.conformance.process.JavaCommands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/**
 * A port on which server processes listen one after another. Confined to one thread, except the
 * output of its processes.
 */
final class RestartsSlot implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MILLIS_BETWEEN_LOOKS = 5;

  /** One server process, and its output. */
  private static final class Serving {
    private final RestartsTally tally;
    private final Set<String> clients = ConcurrentHashMap.newKeySet();
    private final Queue<String> other = new ConcurrentLinkedQueue<>();
    private volatile boolean listening;
    private volatile boolean drained;

    Serving(RestartsTally tally) {
      this.tally = tally;
    }

    void onLine(String line) {
      if (line.startsWith("did ")) {
        for (String id : line.substring("did ".length()).split(" ", -1)) {
          clients.add(id.substring(0, id.indexOf(':')));
          tally.completed(id);
        }
      } else if (line.startsWith("listening")) {
        listening = true;
      } else if (line.equals("drained")) {
        drained = true;
      } else {
        other.add(line);
      }
    }
  }

  private final InetSocketAddress address;
  private final RestartsTally tally;
  private Serving serving;
  private Child child;

  RestartsSlot(int port, RestartsTally tally) throws IOException, InterruptedException {
    this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.tally = tally;
    this.serving = new Serving(tally);
    this.child = start(serving);
    awaitListening();
  }

  InetSocketAddress address() {
    return address;
  }

  /** Stops the server with SIGTERM, and waits for its end; returns how long that took. */
  Duration stop() throws IOException, InterruptedException {
    long beganNanos = System.nanoTime();
    child.terminate();
    if (!child.awaitEnd(PATIENCE) || !serving.drained) {
      throw new IOException("a server has not drained, and said: " + serving.other);
    }
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  /** Starts the next server on the same port. */
  void start() throws IOException, InterruptedException {
    child.close();
    serving = new Serving(tally);
    child = start(serving);
    awaitListening();
  }

  /**
   * Waits until the server has completed a call of each of this many clients; returns how long it
   * took.
   */
  Duration awaitClients(int count) throws IOException, InterruptedException {
    long beganNanos = System.nanoTime();
    await(() -> serving.clients.size() >= count, "calls of " + count + " clients");
    return Duration.ofNanos(System.nanoTime() - beganNanos);
  }

  @Override
  public void close() {
    child.close();
  }

  private Child start(Serving next) throws IOException {
    return Child.start(
        JavaCommands.oursQuickly("restarts-server", "--port=" + address.getPort()), next::onLine);
  }

  private void awaitListening() throws IOException, InterruptedException {
    await(() -> serving.listening, "a server that listens");
  }

  private interface Condition {
    boolean holds();
  }

  private void await(Condition condition, String what) throws IOException, InterruptedException {
    long endNanos = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - endNanos > 0 || !child.isAlive()) {
        throw new IOException(
            "there is not " + what + " at " + address + ", but " + serving.clients + serving.other);
      }
      TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_LOOKS);
    }
  }
}
