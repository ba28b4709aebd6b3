package dev.gannet.testing;

import dev.gannet.api.Preview;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A network with faults between clients and one server on loopback: delay, loss, stalls, lost
 * connections. {@link Testbed#networkTo} creates one.
 *
 * <p>It forwards the bytes of TCP connections, so clients and servers see what they would see of a
 * network: a lost packet arrives late, together with everything behind it, but no bytes are
 * missing. Which packets are lost and where connections end depends only on the seed: the same seed
 * treats the same bytes of the same connection in the same way. Durations depend on the machine.
 * Safe for all threads.
 */
@Preview(until = "0.3")
public final class FaultyNetwork implements AutoCloseable {
  private static final Logger LOG = System.getLogger(FaultyNetwork.class.getName());

  private enum Passage {
    OPEN,
    STALLED,
    /** No connection stays open; until all are cut, their bytes are held. */
    DISCONNECTED,
    CLOSED
  }

  private final InetSocketAddress server;
  private final long seed;
  private final ServerSocket listening;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<FaultyLink> links = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private Passage passage = Passage.OPEN;

  /** Written under the lock. */
  private volatile Faults faults = Faults.NONE;

  /**
   * The faults for bytes.
   *
   * @param delayNanos how long they take
   * @param lossPercent the percentage of packets that arrive late
   * @param resendNanos how late these arrive
   * @param cutBetweenBytes the minimum number of bytes after which a connection ends
   * @param cutBeforeBytes the maximum number of bytes; 0 if connections do not end
   * @param sliceBytes the maximum number of bytes that are written at once
   */
  record Faults(
      long delayNanos,
      double lossPercent,
      long resendNanos,
      long cutBetweenBytes,
      long cutBeforeBytes,
      int sliceBytes) {
    static final Faults NONE = new Faults(0, 0, 0, 0, 0, Integer.MAX_VALUE);

    Faults withDelay(long nanos) {
      return new Faults(
          nanos, lossPercent, resendNanos, cutBetweenBytes, cutBeforeBytes, sliceBytes);
    }

    Faults withLoss(double percent, long resentAfterNanos) {
      return new Faults(
          delayNanos, percent, resentAfterNanos, cutBetweenBytes, cutBeforeBytes, sliceBytes);
    }

    Faults withCut(long leastBytes, long belowBytes) {
      return new Faults(delayNanos, lossPercent, resendNanos, leastBytes, belowBytes, sliceBytes);
    }

    Faults withSlices(int bytes) {
      return new Faults(
          delayNanos, lossPercent, resendNanos, cutBetweenBytes, cutBeforeBytes, bytes);
    }
  }

  private FaultyNetwork(InetSocketAddress server, long seed, ServerSocket listening) {
    this.server = server;
    this.seed = seed;
    this.listening = listening;
  }

  /**
   * A network in front of the server at this loopback address, for programs that have no {@link
   * Testbed}. The caller closes it.
   *
   * @throws UncheckedIOException if it cannot listen
   */
  public static FaultyNetwork to(InetSocketAddress server, long seed) {
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

  /** The address for clients. */
  public InetSocketAddress address() {
    return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
  }

  /** Delays all bytes by this time, in each direction. */
  public FaultyNetwork delay(Duration delay) {
    long nanos = delay.toNanos();
    return change(it -> it.withDelay(nanos));
  }

  /**
   * Loses this percentage of packets, which are sent again: they arrive this much later, and
   * everything behind them waits for them.
   *
   * @throws IllegalArgumentException if the percentage is not 0 to 100
   */
  public FaultyNetwork lose(double percent, Duration resentAfter) {
    if (!(percent >= 0 && percent <= 100)) {
      throw new IllegalArgumentException("percent must be from 0 to 100: " + percent);
    }
    long nanos = resentAfter.toNanos();
    return change(it -> it.withLoss(percent, nanos));
  }

  /**
   * Each connection that opens from now on is lost after a number of bytes between these two,
   * counted in each direction.
   *
   * @throws IllegalArgumentException if the numbers are not positive, or the first is not below the
   *     second
   */
  public FaultyNetwork cutAfter(long leastBytes, long belowBytes) {
    if (leastBytes <= 0 || leastBytes >= belowBytes) {
      throw new IllegalArgumentException(
          "the first number of bytes must be positive and below the second: "
              + leastBytes
              + " to "
              + belowBytes);
    }
    return change(it -> it.withCut(leastBytes, belowBytes));
  }

  /**
   * Bytes arrive in pieces of that many at most, each written by itself.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public FaultyNetwork slice(int bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("not a positive number of bytes: " + bytes);
    }
    return change(it -> it.withSlices(bytes));
  }

  private FaultyNetwork change(UnaryOperator<Faults> change) {
    lock.lock();
    try {
      faults = change.apply(faults);
    } finally {
      lock.unlock();
    }
    return this;
  }

  /** All connections are lost now; new ones can be opened. */
  public void cut() {
    links.forEach(FaultyLink::cut);
  }

  /**
   * Makes the connections that are open now half-open, as when a machine loses its power: all bytes
   * are lost, in both directions, and neither end learns of anything, including the end of the
   * other one. {@link #heal} does not bring them back. Connections that open later work.
   */
  public void halfOpen() {
    links.forEach(FaultyLink::halfOpen);
  }

  /** No byte is forwarded any more, without an error. New connections open and stay silent. */
  public void stall() {
    set(Passage.STALLED);
  }

  /**
   * Ends what {@link #stall} or {@link #disconnect} has begun: bytes are forwarded again, beginning
   * with those that were held, and new connections work. Other faults stay.
   */
  public void resume() {
    set(Passage.OPEN);
  }

  /**
   * All connections are lost, and new ones are lost as soon as they open, until {@link #resume} or
   * {@link #heal}.
   */
  public void disconnect() {
    set(Passage.DISCONNECTED);
    cut();
  }

  /** Ends all faults. */
  public void heal() {
    lock.lock();
    try {
      faults = Faults.NONE;
      set(Passage.OPEN);
    } finally {
      lock.unlock();
    }
  }

  /** The number of connections so far. */
  public int connections() {
    return connections.get();
  }

  /** The seed that determines the faults. */
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
          connections.incrementAndGet();
          links.add(link);
          link.start();
          if (isRefusing()) { // it was not in the list when all were cut
            link.cut();
          }
        }
      }
    } catch (IOException e) {
      if (!listening.isClosed()) {
        LOG.log(Level.WARNING, this + " accepts no more connections", e);
        close();
      }
    }
  }

  private boolean isRefusing() {
    lock.lock();
    try {
      return passage == Passage.DISCONNECTED || passage == Passage.CLOSED;
    } finally {
      lock.unlock();
    }
  }

  /** The connection has ended in both directions. */
  void forget(FaultyLink link) {
    links.remove(link);
  }

  /** The connections that have not ended in both directions. */
  int openConnections() {
    return links.size();
  }

  private @Nullable Socket connect() {
    try {
      return new Socket(server.getAddress(), server.getPort());
    } catch (IOException e) {
      return null; // nobody listens: the client sees a lost connection
    }
  }

  Faults faults() {
    return faults;
  }

  /**
   * Blocks while bytes must not be forwarded, and until this time; returns false when the network
   * is closed.
   */
  boolean awaitPassage(long dueNanos) throws InterruptedException {
    lock.lock();
    try {
      long leftNanos = dueNanos - System.nanoTime();
      while (holdsBytes() || (passage == Passage.OPEN && leftNanos > 0)) {
        if (holdsBytes()) {
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

  private boolean holdsBytes() {
    return passage == Passage.STALLED || passage == Passage.DISCONNECTED;
  }

  /** Ends the network: all connections are lost, and none can be opened. */
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
