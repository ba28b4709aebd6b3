package dev.gannet.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A network with faults between clients and one server on loopback: delay, loss, stalls, lost
 * connections. {@link Testbed#networkTo} makes one.
 *
 * <p>It passes on the bytes of TCP connections, so clients and servers see of it what they would
 * see of a network: a lost packet is one that comes late, with all that is behind it, and not bytes
 * that are missing. Which packets are lost and where connections end depends on the seed and on
 * nothing else: the same seed treats the same bytes of the same connection alike. How long things
 * take depends on the machine. Safe for all threads.
 */
public final class FaultyNetwork implements AutoCloseable {
  private enum Passage {
    OPEN,
    STALLED,
    CLOSED
  }

  private final InetSocketAddress server;
  private final long seed;
  private final ServerSocket listening;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<FaultyLink> links = new CopyOnWriteArrayList<>();
  private Passage passage = Passage.OPEN;
  private boolean refusing;
  private volatile Faults faults = Faults.NONE;

  /**
   * What happens to bytes.
   *
   * @param delayNanos how long they take
   * @param lossPercent how many packets of a hundred come late
   * @param resendNanos how late those come
   * @param cutBetweenBytes after how many bytes a connection ends: at least
   * @param cutBeforeBytes and before that; 0 where connections do not end
   */
  record Faults(
      long delayNanos,
      double lossPercent,
      long resendNanos,
      long cutBetweenBytes,
      long cutBeforeBytes) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 0);
  }

  private FaultyNetwork(InetSocketAddress server, long seed, ServerSocket listening) {
    this.server = server;
    this.seed = seed;
    this.listening = listening;
  }

  static FaultyNetwork to(InetSocketAddress server, long seed) {
    try {
      FaultyNetwork network =
          new FaultyNetwork(
              server, seed, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().name("gannet-testing-network").start(network::accept);
      return network;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where clients find it. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
  }

  /** All bytes take that much longer, each way. */
  public FaultyNetwork delay(Duration delay) {
    Faults now = faults;
    faults =
        new Faults(
            delay.toNanos(),
            now.lossPercent,
            now.resendNanos,
            now.cutBetweenBytes,
            now.cutBeforeBytes);
    return this;
  }

  /**
   * That many packets of a hundred are lost and sent again, so they come that much later, and all
   * that is behind them waits for them.
   *
   * @throws IllegalArgumentException if the percentage is not 0 to 100
   */
  public FaultyNetwork lose(double percent, Duration resentAfter) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("not 0 to 100 percent: " + percent);
    }
    Faults now = faults;
    faults =
        new Faults(
            now.delayNanos,
            percent,
            resentAfter.toNanos(),
            now.cutBetweenBytes,
            now.cutBeforeBytes);
    return this;
  }

  /**
   * Each connection that opens from now on is lost after a number of bytes between these, counted
   * each way.
   *
   * @throws IllegalArgumentException if the numbers are not positive, or the first is not below the
   *     second
   */
  public FaultyNetwork cutAfter(long leastBytes, long belowBytes) {
    if (leastBytes <= 0 || leastBytes >= belowBytes) {
      throw new IllegalArgumentException("not a range: " + leastBytes + " to " + belowBytes);
    }
    Faults now = faults;
    faults = new Faults(now.delayNanos, now.lossPercent, now.resendNanos, leastBytes, belowBytes);
    return this;
  }

  /** All connections are lost now; new ones may open. */
  public void cut() {
    links.forEach(FaultyLink::cut);
  }

  /** No byte passes any more, and nobody is told. New connections open and stay silent. */
  public void stall() {
    set(Passage.STALLED);
  }

  /** Bytes pass again, those that were held first. */
  public void resume() {
    set(Passage.OPEN);
  }

  /** All connections are lost, and new ones are lost as soon as they open. */
  public void disconnect() {
    lock.lock();
    try {
      refusing = true;
    } finally {
      lock.unlock();
    }
    cut();
  }

  /** Ends all faults: nothing is delayed, held, lost or refused any more. */
  public void heal() {
    faults = Faults.NONE;
    lock.lock();
    try {
      refusing = false;
      if (passage == Passage.STALLED) {
        passage = Passage.OPEN;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many connections have opened so far. */
  public int connections() {
    return links.size();
  }

  /** What decides where faults are. */
  public long seed() {
    return seed;
  }

  private void set(Passage next) {
    lock.lock();
    try {
      if (passage != Passage.CLOSED) {
        passage = next;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    SplittableRandom random = new SplittableRandom(seed);
    try {
      while (true) {
        Socket client = listening.accept();
        SplittableRandom ofLink = random.split();
        Socket to = isRefusing() ? null : connect();
        if (to == null) {
          FaultyLink.reset(client);
        } else {
          FaultyLink link = new FaultyLink(this, client, to, ofLink);
          links.add(link);
          link.start();
        }
      }
    } catch (IOException e) {
      // It is closed.
    }
  }

  private boolean isRefusing() {
    lock.lock();
    try {
      return refusing;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Socket connect() {
    try {
      return new Socket(server.getAddress(), server.getPort());
    } catch (IOException e) {
      return null; // nobody listens: the client sees a connection that is lost
    }
  }

  Faults faults() {
    return faults;
  }

  /** Blocks while bytes must not pass, and until that time; false once the network is closed. */
  boolean awaitPassage(long dueNanos) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = dueNanos - System.nanoTime();
      while (passage == Passage.STALLED || (passage == Passage.OPEN && leftNanos > 0)) {
        if (passage == Passage.STALLED) {
          changed.await();
        } else {
          changed.awaitNanos(leftNanos);
        }
        leftNanos = dueNanos - System.nanoTime();
      }
      return passage == Passage.OPEN;
    } finally {
      lock.unlock();
    }
  }

  /** Ends it: all connections are lost and none opens. */
  @Override
  public void close() {
    set(Passage.CLOSED);
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      cut();
    }
  }

  @Override
  public String toString() {
    return "FaultyNetwork(to " + server + ", seed " + seed + ", " + faults + ")";
  }
}
