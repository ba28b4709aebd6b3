package dev.gannet.http2;

/** Something that is cheap to send and dear to serve: a peer may do it now and then. */
public enum Offence {
  /**
   * Streams that the peer resets, or makes us reset (CVE-2023-44487, CVE-2025-8671). A call that
   * ends with OK pays one back; a refusal or a failure does not. One whose answer has begun, whose
   * deadline is at hand, or that has lasted some time, may be reset for nothing: it has cost as
   * much as one that is served.
   */
  RESET_STREAM(512, 33 * 60),
  /**
   * Streams that are refused through no fault of the peer's: over the limit, but opened before it
   * can know of that (CVE-2026-47244); within it, but so many handlers have not come back; behind a
   * GOAWAY that it may not have read.
   */
  UNSERVED_STREAM(10_000, 100 * 60),
  /** Header lists over their limit, each of which has to be answered. */
  OVERSIZED_HEADERS(200, 10 * 60),
  /** DATA without content that does not end a stream (CVE-2019-9518). */
  EMPTY_DATA(10, 10 * 60),
  /**
   * DATA with next to no content, by which nothing became complete (CVE-2019-9518's kin). Each
   * message that does become complete pays two back.
   */
  TINY_DATA(1000, 100 * 60),
  /** WINDOW_UPDATE that no DATA of ours accounts for (CVE-2019-9511). */
  WINDOW_UPDATE(2000, 200 * 60),
  /** SETTINGS but for acknowledgements (CVE-2019-9515). Some peers grow their windows by them. */
  SETTINGS(32, 10),
  /** PING but for answers (CVE-2019-9512). What we send clears the account. */
  PING(200, 10 * 60),
  /**
   * Frames on streams that are gone, more than can have been on their way when we reset so many: of
   * a client DATA of some size alone, for most else costs it the connection; of a server DATA,
   * HEADERS, and RST_STREAM beyond one for each stream and each DATA of ours.
   */
  LATE_FRAME(1000, 100 * 60),
  /** GOAWAY, which is said once or twice. */
  GOAWAY(8, 8),
  /** PRIORITY, which means nothing any more (CVE-2019-9513). */
  PRIORITY(120, 120),
  /**
   * Frames that change nothing: of types that nobody knows, acknowledgements of what was never
   * sent, header lists that end nothing on streams that are gone, resets of streams that are over.
   */
  WITHOUT_EFFECT(1000, 100 * 60),
  /**
   * TLS records that bring no application data once the handshake is over: new keys (KeyUpdate, RFC
   * 8446 §4.6.3), session tickets, warnings, records that are empty or padding alone. Each KiB of
   * such a record counts as one more.
   */
  EMPTY_TLS_RECORD(30, 10 * 60),
  /**
   * TLS records with less application data than the header of a frame has. Each with more pays two
   * back: some peers write the prefix of a message as a record of its own.
   */
  TINY_TLS_RECORD(1000, 100 * 60);

  private static final int MAX_RESETS = 4096;

  private final int atOnce;
  private final int aMinute;

  Offence(int atOnce, int aMinute) {
    this.atOnce = atOnce;
    this.aMinute = aMinute;
  }

  /** What is allowed by default, where no more than 256 streams may be open at once. */
  public Rate usualRate() {
    return new Rate(atOnce, aMinute);
  }

  /**
   * What is allowed by default where so many streams may be open at once: whoever calls may have
   * reason to take all of them back, and to do so again with those that follow.
   */
  Rate usualRate(int streams) {
    int most = this == RESET_STREAM ? Math.clamp(2L * streams, atOnce, MAX_RESETS) : atOnce;
    return new Rate(most, aMinute);
  }

  /**
   * How often it is allowed on one connection.
   *
   * @param atOnce the most in one burst
   * @param aMinute how many of those come back in a minute
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
