package dev.gannet.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * What peers did wrong and lost a connection or a stream for: each fault is counted, and told in
 * one log line as long as there are few.
 *
 * <p>Ten lines at once and one a second after that; what was left out is told in sum with the next
 * line. So peers that come again and again can fill no disk. For all threads.
 */
public final class PeerFaults {
  private static final Logger LOG = System.getLogger(PeerFaults.class.getName());
  private static final int BURST_LINES = 10;
  private static final long LINE_NANOS = 1_000_000_000L;
  private static final int MOST_KINDS = 256;
  private static final String OTHER = "other";

  private static final String CONNECTION = "closed the connection with ";
  private static final String STREAM = "reset a stream of ";

  private final LongSupplier clock;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private long paidUntilNanos;
  private long unsaid;

  /**
   * Nothing counted yet.
   *
   * @param clock nanoseconds of any steady origin
   */
  public PeerFaults(LongSupplier clock) {
    this.clock = clock;
    this.paidUntilNanos = clock.getAsLong() - BURST_LINES * LINE_NANOS;
  }

  /**
   * Counts a fault that cost the connection, and logs it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   */
  public void report(SocketAddress peer, String fault) {
    report(CONNECTION, peer, fault, "");
  }

  /**
   * Counts a fault that cost no more than a stream, and logs it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   */
  public void reportOfStream(SocketAddress peer, String fault) {
    report(STREAM, peer, fault, "");
  }

  /**
   * Counts a fault that cost the connection, and logs it with more about it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   * @param detail what else there is to say, words of the peer's among it perhaps
   */
  public void report(SocketAddress peer, String fault, String detail) {
    report(CONNECTION, peer, fault, detail);
  }

  private void report(String cost, SocketAddress peer, String fault, String detail) {
    String kind = counts.size() < MOST_KINDS || counts.containsKey(fault) ? fault : OTHER;
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
    String more = detail.isEmpty() ? "" : ": " + PeerText.escaped(detail);
    long before = linesLeftOutBefore();
    if (before >= 0) {
      String rest = before == 0 ? "" : " (" + before + " more faults of peers were not logged)";
      LOG.log(Level.WARNING, () -> cost + peer + ": " + fault + more + rest);
    }
  }

  /** How many lines were left out since the last one; -1 if this one is left out too. */
  private long linesLeftOutBefore() {
    lock.lock();
    try {
      long now = clock.getAsLong();
      if (now - paidUntilNanos < LINE_NANOS) {
        unsaid++;
        return -1;
      }
      long earliest = now - BURST_LINES * LINE_NANOS;
      paidUntilNanos = Math.max(paidUntilNanos - earliest, 0) + earliest + LINE_NANOS;
      long before = unsaid;
      unsaid = 0;
      return before;
    } finally {
      lock.unlock();
    }
  }

  /** How often each fault was seen, by its words. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((fault, count) -> all.put(fault, count.sum()));
    return all;
  }
}
