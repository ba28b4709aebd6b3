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
 * What peers did wrong and lost a connection or a stream for: each fault is counted, and told in
 * one log line as long as there are few.
 *
 * <p>There is a {@link LogAllowance} for each of both; what was left out is told in sum with the
 * next line. So peers that come again and again can fill no disk. For all threads.
 */
public final class PeerFaults {
  private static final Logger LOG = System.getLogger(PeerFaults.class.getName());
  private static final int MAX_KINDS = 256;
  private static final String OTHER = "other";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Lines ofConnections;
  private final Lines ofStreams;

  /**
   * Nothing counted yet.
   *
   * @param clock nanoseconds of any steady origin
   */
  public PeerFaults(LongSupplier clock) {
    this.ofConnections = new Lines("closed the connection with ", new LogAllowance(clock));
    this.ofStreams = new Lines("ended a stream of ", new LogAllowance(clock));
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
    String kind = counts.size() < MAX_KINDS || counts.containsKey(fault) ? fault : OTHER;
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
    String more = detail.isEmpty() ? "" : ": " + PeerText.escaped(detail);
    long before = lines.allowance.ask();
    if (before != LogAllowance.LEFT_OUT) {
      String rest = before == 0 ? "" : " (" + before + " more faults of peers were not logged)";
      LOG.log(Level.WARNING, () -> lines.cost + peer + ": " + fault + more + rest);
    }
  }

  /** How often each fault was seen, by its words. */
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((fault, count) -> all.put(fault, count.sum()));
    return all;
  }

  /** What is logged of those that cost the same. */
  private record Lines(String cost, LogAllowance allowance) {}
}
