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
 * <p>Ten lines at once and one a second after that, for each of both; what was left out is told in
 * sum with the next line. So peers that come again and again can fill no disk. For all threads.
 */
public final class PeerFaults {
  private static final Logger LOG = System.getLogger(PeerFaults.class.getName());
  private static final int BURST_LINES = 10;
  private static final long LINE_NANOS = 1_000_000_000L;
  private static final int MOST_KINDS = 256;
  private static final String OTHER = "other";

  private final LongSupplier clock;
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Lines ofConnections;
  private final Lines ofStreams;

  /**
   * Nothing counted yet.
   *
   * @param clock nanoseconds of any steady origin
   */
  public PeerFaults(LongSupplier clock) {
    this.clock = clock;
    this.ofConnections = new Lines("closed the connection with ", clock.getAsLong());
    this.ofStreams = new Lines("reset a stream of ", clock.getAsLong());
  }

  /**
   * Counts a fault that cost the connection, and logs it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   */
  public void report(SocketAddress peer, String fault) {
    report(ofConnections, peer, fault, "");
  }

  /**
   * Counts a fault that cost no more than a stream, and logs it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   */
  public void reportOfStream(SocketAddress peer, String fault) {
    report(ofStreams, peer, fault, "");
  }

  /**
   * Counts a fault that cost the connection, and logs it with more about it.
   *
   * @param fault words of this side's alone, the same for each fault of a kind
   * @param detail what else there is to say, words of the peer's among it perhaps
   */
  public void report(SocketAddress peer, String fault, String detail) {
    report(ofConnections, peer, fault, detail);
  }

  private void report(Lines lines, SocketAddress peer, String fault, String detail) {
    String kind = counts.size() < MOST_KINDS || counts.containsKey(fault) ? fault : OTHER;
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
    String more = detail.isEmpty() ? "" : ": " + PeerText.escaped(detail);
    long before = linesLeftOutBefore(lines);
    if (before >= 0) {
      String rest = before == 0 ? "" : " (" + before + " more faults of peers were not logged)";
      LOG.log(Level.WARNING, () -> lines.cost + peer + ": " + fault + more + rest);
    }
  }

  /** How many lines were left out since the last one; -1 if this one is left out too. */
  private long linesLeftOutBefore(Lines lines) {
    lock.lock();
    try {
      long now = clock.getAsLong();
      if (now - lines.paidUntilNanos < LINE_NANOS) {
        lines.unsaid++;
        return -1;
      }
      long earliest = now - BURST_LINES * LINE_NANOS;
      lines.paidUntilNanos = Math.max(lines.paidUntilNanos - earliest, 0) + earliest + LINE_NANOS;
      long before = lines.unsaid;
      lines.unsaid = 0;
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

  /** How many lines of a kind may be written; its fields are guarded by the lock. */
  private static final class Lines {
    private final String cost;
    private long paidUntilNanos;
    private long unsaid;

    Lines(String cost, long nowNanos) {
      this.cost = cost;
      this.paidUntilNanos = nowNanos - BURST_LINES * LINE_NANOS;
    }
  }
}
