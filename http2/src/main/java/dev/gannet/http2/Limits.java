package dev.gannet.http2;

/**
 * What one peer may make this side hold or do. Every limit has a name, a unit and a safe default.
 *
 * @param maxFrameBytes the longest frame payload that is accepted (SETTINGS_MAX_FRAME_SIZE), 16 KiB
 *     to 16 MiB - 1
 * @param maxConcurrentStreams the most streams that the peer may have open at once
 * @param streamsPerConnection how many streams a client opens before it uses another connection for
 *     the next one; at most 2^30, the number of all stream ids of a client (RFC 9113 §5.1.1)
 * @param headers the limits of header lists
 * @param windows how much DATA may be on its way to this side
 * @param work how much work a peer may cause at a time, and how many answers it may leave unread
 * @param abuse how often a peer may do what is expensive to process
 * @param timeouts how long a peer may take
 */
public record Limits(
    int maxFrameBytes,
    int maxConcurrentStreams,
    int streamsPerConnection,
    HeaderLimits headers,
    WindowLimits windows,
    WorkLimits work,
    AbuseLimits abuse,
    Timeouts timeouts) {

  /** RFC 9113 §6.5.2: a smaller value must not be advertised. */
  public static final int SMALLEST_MAX_FRAME_BYTES = 1 << 14;

  /** RFC 9113 §6.5.2: the largest value that fits into the length field. */
  public static final int LARGEST_MAX_FRAME_BYTES = (1 << 24) - 1;

  /** RFC 9113 §6.9.2: the initial size of every window, before any SETTINGS. */
  public static final int INITIAL_WINDOW_BYTES = 65_535;

  private static final int ALL_STREAMS = 1 << 30;

  /** Early enough for streams that already wait for their turn. */
  private static final int THREE_QUARTERS_OF_STREAMS = ALL_STREAMS / 4 * 3;

  public static final Limits DEFAULT =
      new Limits(
          SMALLEST_MAX_FRAME_BYTES,
          256,
          THREE_QUARTERS_OF_STREAMS,
          HeaderLimits.DEFAULT,
          WindowLimits.DEFAULT,
          WorkLimits.DEFAULT,
          AbuseLimits.DEFAULT,
          Timeouts.DEFAULT);

  /**
   * Checks each limit.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public Limits {
    Range.check("maxFrameBytes", maxFrameBytes, SMALLEST_MAX_FRAME_BYTES, LARGEST_MAX_FRAME_BYTES);
    Range.check("maxConcurrentStreams", maxConcurrentStreams, 1, Integer.MAX_VALUE);
    Range.check("streamsPerConnection", streamsPerConnection, 1, ALL_STREAMS);
  }

  /** How often a peer may commit that offence on one connection. */
  public AbuseKind.Rate rate(AbuseKind offence) {
    return abuse.rate(offence, maxConcurrentStreams);
  }

  /** These limits with another maximum length of frames. */
  public Limits withMaxFrameBytes(int bytes) {
    return new Limits(
        bytes, maxConcurrentStreams, streamsPerConnection, headers, windows, work, abuse, timeouts);
  }

  /** These limits with another number of concurrent streams. */
  public Limits withMaxConcurrentStreams(int streams) {
    return new Limits(
        maxFrameBytes, streams, streamsPerConnection, headers, windows, work, abuse, timeouts);
  }

  /** These limits with others for header lists. */
  public Limits withHeaders(HeaderLimits other) {
    return new Limits(
        maxFrameBytes,
        maxConcurrentStreams,
        streamsPerConnection,
        other,
        windows,
        work,
        abuse,
        timeouts);
  }

  /** These limits with others for windows. */
  public Limits withWindows(WindowLimits other) {
    return new Limits(
        maxFrameBytes,
        maxConcurrentStreams,
        streamsPerConnection,
        headers,
        other,
        work,
        abuse,
        timeouts);
  }

  /** These limits with others for work. */
  public Limits withWork(WorkLimits other) {
    return new Limits(
        maxFrameBytes,
        maxConcurrentStreams,
        streamsPerConnection,
        headers,
        windows,
        other,
        abuse,
        timeouts);
  }

  /** These limits with others for abuse. */
  public Limits withAbuse(AbuseLimits other) {
    return new Limits(
        maxFrameBytes,
        maxConcurrentStreams,
        streamsPerConnection,
        headers,
        windows,
        work,
        other,
        timeouts);
  }

  /** These limits with other timeouts. */
  public Limits withTimeouts(Timeouts other) {
    return new Limits(
        maxFrameBytes,
        maxConcurrentStreams,
        streamsPerConnection,
        headers,
        windows,
        work,
        abuse,
        other);
  }
}
