package dev.gannet.http2;

/**
 * The limits of header lists and of the HPACK tables (RFC 9113 §6.5.2, §10.5.1).
 *
 * @param maxListBytes the largest header list that is accepted, counted as in RFC 9113 §6.5.2 (with
 *     32 bytes added per field). A larger list ends its stream; one more than eight times as large
 *     closes the connection
 * @param maxFields the most fields in a header list, however small they are; more than eight times
 *     as many close the connection
 * @param maxContinuations the most CONTINUATION frames after one HEADERS frame
 * @param tableBytes the size of the HPACK table for decoding, and the most that is used for
 *     encoding
 */
public record HeaderLimits(int maxListBytes, int maxFields, int maxContinuations, int tableBytes) {
  /** 8 KiB, 128 fields, 8 CONTINUATIONs, a table of 4 KiB. */
  public static final HeaderLimits DEFAULT = new HeaderLimits(8 << 10, 128, 8, 4 << 10);

  /**
   * A list that exceeds a limit by more than this factor closes the connection instead of only
   * ending its stream. Proxies let 60 KiB through, and the cookies of one user must not end the
   * calls of all others.
   */
  public static final int FAR_OVER = 8;

  /**
   * Checks each limit.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public HeaderLimits {
    Range.check("maxListBytes", maxListBytes, 1, 1 << 24);
    Range.check("maxFields", maxFields, 1, 1 << 16);
    Range.check("maxContinuations", maxContinuations, 0, 1 << 16);
    Range.check("tableBytes", tableBytes, 0, 1 << 20);
  }

  /** These limits with another maximum size of lists. */
  public HeaderLimits withMaxListBytes(int bytes) {
    return new HeaderLimits(bytes, maxFields, maxContinuations, tableBytes);
  }
}
