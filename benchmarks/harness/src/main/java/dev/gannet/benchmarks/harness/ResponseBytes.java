package dev.gannet.benchmarks.harness;

/**
 * The content of responses: zeros, created once for each size, so that servers do not spend time on
 * filling arrays. Must not be modified. Safe for all threads.
 */
public final class ResponseBytes {
  private static volatile byte[] kept = new byte[0];

  private ResponseBytes() {}

  /** This many bytes; the same array while the size does not change. */
  public static byte[] of(int bytes) {
    byte[] zeroes = kept;
    if (zeroes.length != bytes) {
      zeroes = new byte[bytes];
      kept = zeroes;
    }
    return zeroes;
  }
}
