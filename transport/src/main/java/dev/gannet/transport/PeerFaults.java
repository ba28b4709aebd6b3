package dev.gannet.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts the faults of peers that cost them a connection or a stream, and logs each as one line
 * while there are few.
 *
 * <p>There is one {@link LogAllowance} for faults that cost a connection and one for those that
 * cost a stream. The next line that is logged says how many were left out. So peers that reconnect
 * again and again cannot fill a disk. Safe for all threads.
 */
public final class PeerFaults {
  private static final Logger LOG = System.getLogger(PeerFaults.class.getName());
  private static final int MAX_KINDS = 256;
  private static final String OTHER = "other";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Lines ofConnections;
  private final Lines ofStreams;

  /**
   * Creates the counters; nothing is counted yet.
   *
   * @param clock nanoseconds from any fixed origin
   */
  public PeerFaults(LongSupplier clock) {
    this.ofConnections = new Lines("closed the connection with ", new LogAllowance(clock));
    this.ofStreams = new Lines("ended a stream of ", new LogAllowance(clock));
  }

  /**
   * Counts a fault that cost the connection, and logs it.
   *
   * @param fault a text of this side only, the same for each fault of a kind
   */
  public void report(SocketAddress peer, String fault) {
    report(ofConnections, peer, fault, "");
  }

  /**
   * Counts a fault that cost only a stream, and logs it.
   *
   * @param fault a text of this side only, the same for each fault of a kind
   */
  public void reportOfStream(SocketAddress peer, String fault) {
    report(ofStreams, peer, fault, "");
  }

  /**
   * Counts a fault that cost the connection, and logs it with details.
   *
   * @param fault a text of this side only, the same for each fault of a kind
   * @param detail more about this one fault; it may contain text from the peer
   */
  public void report(SocketAddress peer, String fault, String detail) {
    report(ofConnections, peer, fault, detail);
  }

  private void report(Lines lines, SocketAddress peer, String fault, String detail) {
    String kind = counts.size() < MAX_KINDS || counts.containsKey(fault) ? fault : OTHER;
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
    String more = detail.isEmpty() ? "" : ": " + PeerText.escaped(detail);
    long before = lines.allowance.ask();
    if (before != LogAllowance.LEFT_OUT) {
      String rest = before == 0 ? "" : " (" + before + " more faults of peers were not logged)";
      LOG.log(Level.WARNING, () -> lines.cost + peer + ": " + fault + more + rest);
    }
  }

  /** The number of times that each fault was seen, by its text. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((fault, count) -> all.put(fault, count.sum()));
    return all;
  }

  /** The log allowance for faults of the same cost. */
  private record Lines(String cost, LogAllowance allowance) {}
}
