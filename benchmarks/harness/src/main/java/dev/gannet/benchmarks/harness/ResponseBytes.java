package dev.gannet.benchmarks.harness;

/**
 * What responses carry: zeroes, made once for a size, so that servers spend their time on calls and
 * not on filling arrays. Nobody may write to them. Any thread may call.
 */
public final class ResponseBytes {
  private static volatile byte[] kept = new byte[0];

  private ResponseBytes() {}

  /** So many bytes, the same array for one size after another. */
  public static byte[] of(int bytes) {
    byte[] zeroes = kept;
    if (zeroes.length != bytes) {
      zeroes = new byte[bytes];
      kept = zeroes;
    }
    return zeroes;
  }
}
