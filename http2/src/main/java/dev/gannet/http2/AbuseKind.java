package dev.gannet.http2;

/** Something that is cheap to send and expensive to process: a peer may do it only so often. */
public enum AbuseKind {
  /**
   * Streams that the peer resets, or makes this side reset (CVE-2023-44487, CVE-2025-8671). A call
   * that ends with OK makes up for one; a refused or failed call does not. A call may be reset free
   * of charge if its answer has begun, its deadline is near, or it has lasted some time: it has
   * cost as much as one that is served.
   */
  RESET_STREAM(512, 33 * 60),
  /**
   * Streams that are refused although the peer is not at fault: streams over the limit, opened
   * before the peer can know the limit (CVE-2026-47244); streams within the limit while too many
   * handlers have not returned; streams after a GOAWAY that the peer may not have read yet.
   */
  UNSERVED_STREAM(10_000, 100 * 60),
  /** Header lists over their limit, each of which must be answered. */
  OVERSIZED_HEADERS(200, 10 * 60),
  /** DATA without content that does not end a stream (CVE-2019-9518). */
  EMPTY_DATA(10, 10 * 60),
  /**
   * DATA with almost no content that completes no message (related to CVE-2019-9518). Each message
   * that is completed makes up for two.
   */
  TINY_DATA(1000, 100 * 60),
  /** WINDOW_UPDATE frames that DATA of this side does not explain (CVE-2019-9511). */
  WINDOW_UPDATE(2000, 200 * 60),
  /** SETTINGS except acknowledgements (CVE-2019-9515). Some peers enlarge their windows by them. */
  SETTINGS(32, 10),
  /** PING except answers (CVE-2019-9512). Whatever this side sends resets the count. */
  PING(200, 10 * 60),
  /**
   * Frames on closed streams, beyond what can have been on its way when this side reset them: from
   * a client only DATA of some size, because most other frames close the connection; from a server
   * DATA, HEADERS, and RST_STREAM beyond one for each stream and each DATA frame of this side.
   */
  LATE_FRAME(1000, 100 * 60),
  /** GOAWAY, which is needed once or twice. */
  GOAWAY(8, 8),
  /** PRIORITY, which is obsolete (CVE-2019-9513). */
  PRIORITY(120, 120),
  /**
   * Frames without effect: of unknown types, acknowledgements of what was never sent, header lists
   * that end nothing on closed streams, resets of closed streams.
   */
  WITHOUT_EFFECT(1000, 100 * 60),
  /**
   * TLS records that bring no application data after the handshake: new keys (KeyUpdate, RFC 8446
   * §4.6.3), session tickets, warnings, records that are empty or contain only padding. Each KiB of
   * such a record counts as one more.
   */
  EMPTY_TLS_RECORD(30, 10 * 60),
  /**
   * TLS records with less application data than a frame header has. Each record with more makes up
   * for two: some peers write the prefix of a message as a separate record.
   */
  TINY_TLS_RECORD(1000, 100 * 60);

  private static final int MAX_RESETS = 4096;

  private final int atOnce;
  private final int aMinute;

  AbuseKind(int atOnce, int aMinute) {
    this.atOnce = atOnce;
    this.aMinute = aMinute;
  }

  /** The default rate when at most 256 streams may be open at once. */
  public Rate usualRate() {
    return new Rate(atOnce, aMinute);
  }

  /**
   * The default rate when at most this many streams may be open at once: a client may have reason
   * to cancel all of them, and then those that follow.
   */
  Rate usualRate(int streams) {
    int most = this == RESET_STREAM ? Math.clamp(2L * streams, atOnce, MAX_RESETS) : atOnce;
    return new Rate(most, aMinute);
  }

  /** The text for the GOAWAY to a peer that exceeds the rate, and for the log. */
  public String exceeds(Rate rate) {
    return "too many "
        + name()
        + ": the limit is "
        + rate.atOnce
        + " at once and "
        + rate.aMinute
        + " per minute (withOffenceRate)";
  }

  /**
   * How often it is allowed on one connection.
   *
   * @param atOnce the most in one burst
   * @param aMinute how many of those become available again in a minute
   */
  public record Rate(int atOnce, int aMinute) {
    /**
     * Checks both numbers.
     *
     * @throws IllegalArgumentException if one is not positive
     */
    public Rate {
      Range.check("atOnce", atOnce, 1, Integer.MAX_VALUE);
      Range.check("aMinute", aMinute, 1, Integer.MAX_VALUE);
    }
  }
}
