package dev.gannet.http2;

/**
 * How much a header list may be, and what is kept to compress it (RFC 9113 §6.5.2, §10.5.1).
 *
 * @param maxListBytes the largest header list we take, counted as RFC 9113 §6.5.2 says (32 more a
 *     field). A list over it costs its stream, over eight times as much the connection
 * @param maxFields the most fields in a header list, however small they are; eight times as many
 *     cost the connection
 * @param maxContinuations the most CONTINUATION frames behind one HEADERS
 * @param tableBytes the HPACK table that we keep for decoding, and the most we use for encoding
 */
public record HeaderLimits(int maxListBytes, int maxFields, int maxContinuations, int tableBytes) {
  /** 8 KiB, 128 fields, 8 CONTINUATIONs, a table of 4 KiB. */
  public static final HeaderLimits DEFAULT = new HeaderLimits(8 << 10, 128, 8, 4 << 10);

  /**
   * How far over a limit a list costs the connection and not its stream alone. Proxies let 60 KiB
   * through, and one user's cookies are not to end the calls of all others.
   */
  public static final int FAR_OVER = 8;

  /**
   * Checks each bound.
   *
   * @throws IllegalArgumentException if a bound lies outside its range
   */
  public HeaderLimits {
    Range.check("maxListBytes", maxListBytes, 1, 1 << 24);
    Range.check("maxFields", maxFields, 1, 1 << 16);
    Range.check("maxContinuations", maxContinuations, 0, 1 << 16);
    Range.check("tableBytes", tableBytes, 0, 1 << 20);
  }

  /** These limits with another size of lists. */
  public HeaderLimits withMaxListBytes(int bytes) {
    return new HeaderLimits(bytes, maxFields, maxContinuations, tableBytes);
  }

  /** These limits with another number of fields. */
  public HeaderLimits withMaxFields(int fields) {
    return new HeaderLimits(maxListBytes, fields, maxContinuations, tableBytes);
  }

  /** These limits with another number of CONTINUATION frames. */
  public HeaderLimits withMaxContinuations(int frames) {
    return new HeaderLimits(maxListBytes, maxFields, frames, tableBytes);
  }

  /** These limits with another HPACK table. */
  public HeaderLimits withTableBytes(int bytes) {
    return new HeaderLimits(maxListBytes, maxFields, maxContinuations, bytes);
  }
}
