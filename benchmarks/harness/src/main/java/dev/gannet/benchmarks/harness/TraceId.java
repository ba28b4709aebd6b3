package dev.gannet.benchmarks.harness;

import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Values that are different in each call, like trace ids. Safe for all threads. */
public final class TraceId {
  private static final HexFormat HEX = HexFormat.of();
  private static final TraceId ANY = new TraceId();

  private TraceId() {}

  /** The key of one of the metadata entries. */
  public static Optional<TraceId> of(CallShape shape) {
    return shape.metadataEntries() > 0 ? Optional.of(ANY) : Optional.empty();
  }

  /** The next value, in the format of {@code traceparent}: 55 characters. */
  public String next() {
    return "00-" + hex() + hex() + "-" + hex() + "-01";
  }

  private static String hex() {
    return HEX.toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
