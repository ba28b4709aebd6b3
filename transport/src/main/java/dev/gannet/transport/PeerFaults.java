package dev.gannet.transport;

import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.transport.memory.MemoryLimiter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.Map;
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
public final class PeerFaults implements FaultReports {
  private static final Logger LOG = System.getLogger(PeerFaults.class.getName());

  private final Map<PeerFault, LongAdder> counts = new ConcurrentHashMap<>();
  private final Map<Offence, LongAdder> offences = new ConcurrentHashMap<>();
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

  @Override
  public void report(PeerFault fault, SocketAddress peer, String rule) {
    report(fault, peer, rule, "");
  }

  @Override
  public void reportAbuse(Offence offence, SocketAddress peer, String rule) {
    increment(offences, offence);
    report(PeerFault.ABUSE, peer, rule);
  }

  @Override
  public void reportOfStream(PeerFault fault, SocketAddress peer, String rule) {
    report(fault, peer, rule, "", ofStreams);
  }

  @Override
  public void reportShed(SocketAddress peer, String why) {
    report(PeerFault.MEMORY_EXHAUSTED, peer, MemoryLimiter.SHED, why);
  }

  @Override
  public void reportCallsShed(SocketAddress peer, String why) {
    report(PeerFault.MEMORY_EXHAUSTED, peer, MemoryLimiter.SHED, why, ofStreams);
  }

  /**
   * Counts a fault that cost the connection, and logs it with details.
   *
   * @param rule a text of this side only, the same for each fault of a kind
   * @param detail more about this one fault; it may contain text from the peer
   */
  public void report(PeerFault fault, SocketAddress peer, String rule, String detail) {
    report(fault, peer, rule, detail, ofConnections);
  }

  private void report(
      PeerFault fault, SocketAddress peer, String rule, String detail, Lines lines) {
    increment(counts, fault);
    log(lines, peer, detail.isEmpty() ? rule : rule + ": " + PeerText.escaped(detail));
  }

  private static <K> void increment(Map<K, LongAdder> counts, K kind) {
    counts.computeIfAbsent(kind, first -> new LongAdder()).increment();
  }

  private static void log(Lines lines, SocketAddress peer, String words) {
    lines.allowance.write(
        "faults of peers",
        rest -> LOG.log(Level.WARNING, () -> lines.cost + peer + ": " + words + rest));
  }

  /** The number of times that each fault was seen; those that were not are missing. */
  public Map<PeerFault, Long> counts() {
    return sums(PeerFault.class, counts);
  }

  /** The number of times that each offence cost a connection; those that did not are missing. */
  public Map<Offence, Long> offences() {
    return sums(Offence.class, offences);
  }

  private static <K extends Enum<K>> Map<K, Long> sums(Class<K> kinds, Map<K, LongAdder> counts) {
    Map<K, Long> all = new EnumMap<>(kinds);
    counts.forEach((kind, count) -> all.put(kind, count.sum()));
    return all;
  }

  /** The log allowance for faults of the same cost. */
  private record Lines(String cost, LogAllowance allowance) {}
}
