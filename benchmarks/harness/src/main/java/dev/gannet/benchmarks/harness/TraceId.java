package dev.gannet.benchmarks.harness;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Values that no other call has, as ids of traces are. Safe for all threads. */
public final class TraceId {
  private static final HexFormat HEX = HexFormat.of();
  private static final TraceId ANY = new TraceId();

  private TraceId() {}

  /** For calls that are to bring metadata: one of its entries. */
  public static Optional<TraceId> of(CallShape shape) {
    return shape.metadataEntries() > 0 ? Optional.of(ANY) : Optional.empty();
  }

  /** The next, as {@code traceparent} has it: 55 characters. */
  public String next() {
    return "00-" + hex() + hex() + "-" + hex() + "-01";
  }

  private static String hex() {
    return HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
