package dev.gannet.http2;

/**
 * What one peer may make us hold or do. Every bound has a name, a unit and a safe default.
 *
 * @param maxFrameBytes the longest frame payload we take (SETTINGS_MAX_FRAME_SIZE), 16 KiB to 16
 *     MiB - 1
 * @param maxHeaderListBytes the largest header list we take, counted as RFC 9113 §6.5.2 says (32
 *     more a field)
 * @param maxHeaderFields the most fields in a header list, however small they are
 * @param maxContinuations the most CONTINUATION frames behind one HEADERS
 * @param headerTableBytes the HPACK table that we keep for decoding, and the most we use for
 *     encoding
 * @param maxConcurrentStreams the most streams the peer may have open at once
 * @param windows how much DATA may be under way to us
 * @param work how much a peer has done for it at a time, and how many answers it leaves unread
 * @param timeouts how long a peer may take
 */
public record Limits(
    int maxFrameBytes,
    int maxHeaderListBytes,
    int maxHeaderFields,
    int maxContinuations,
    int headerTableBytes,
    int maxConcurrentStreams,
    WindowLimits windows,
    WorkLimits work,
    Timeouts timeouts) {

  /** RFC 9113 §6.5.2: no side may advertise less. */
  public static final int SMALLEST_MAX_FRAME_BYTES = 1 << 14;

  /** RFC 9113 §6.5.2: the length field has no room for more. */
  public static final int LARGEST_MAX_FRAME_BYTES = (1 << 24) - 1;

  /** RFC 9113 §6.9.2: every window before anything is agreed. */
  public static final int FIRST_WINDOW_BYTES = 65_535;

  public static final Limits DEFAULT =
      new Limits(
          SMALLEST_MAX_FRAME_BYTES,
          8 << 10,
          128,
          8,
          4 << 10,
          256,
          WindowLimits.DEFAULT,
          WorkLimits.DEFAULT,
          Timeouts.DEFAULT);

  /**
   * Checks each bound.
   *
   * @throws IllegalArgumentException if a bound lies outside its range
   */
  public Limits {
    check("maxFrameBytes", maxFrameBytes, SMALLEST_MAX_FRAME_BYTES, LARGEST_MAX_FRAME_BYTES);
    check("maxHeaderListBytes", maxHeaderListBytes, 1, 1 << 24);
    check("maxHeaderFields", maxHeaderFields, 1, 1 << 16);
    check("maxContinuations", maxContinuations, 0, 1 << 16);
    check("headerTableBytes", headerTableBytes, 0, 1 << 20);
    check("maxConcurrentStreams", maxConcurrentStreams, 1, Integer.MAX_VALUE);
  }

  /** These limits with another longest frame. */
  public Limits withMaxFrameBytes(int bytes) {
    return new Limits(
        bytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        maxConcurrentStreams,
        windows,
        work,
        timeouts);
  }

  /** These limits with another header list size. */
  public Limits withMaxHeaderListBytes(int bytes) {
    return new Limits(
        maxFrameBytes,
        bytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        maxConcurrentStreams,
        windows,
        work,
        timeouts);
  }

  /** These limits with another HPACK table. */
  public Limits withHeaderTableBytes(int bytes) {
    return new Limits(
        maxFrameBytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        bytes,
        maxConcurrentStreams,
        windows,
        work,
        timeouts);
  }

  /** These limits with another number of concurrent streams. */
  public Limits withMaxConcurrentStreams(int streams) {
    return new Limits(
        maxFrameBytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        streams,
        windows,
        work,
        timeouts);
  }

  /** These limits with other windows. */
  public Limits withWindows(WindowLimits other) {
    return new Limits(
        maxFrameBytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        maxConcurrentStreams,
        other,
        work,
        timeouts);
  }

  /** These limits with other bounds of work. */
  public Limits withWork(WorkLimits other) {
    return new Limits(
        maxFrameBytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        maxConcurrentStreams,
        windows,
        other,
        timeouts);
  }

  /** These limits with other times. */
  public Limits withTimeouts(Timeouts other) {
    return new Limits(
        maxFrameBytes,
        maxHeaderListBytes,
        maxHeaderFields,
        maxContinuations,
        headerTableBytes,
        maxConcurrentStreams,
        windows,
        work,
        other);
  }

  static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
    }
  }
}
