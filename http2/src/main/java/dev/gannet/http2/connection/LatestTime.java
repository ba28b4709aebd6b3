package dev.gannet.http2.connection;

/** The time that the driver brought last, in nanoseconds of any steady origin. */
final class LatestTime {
  private long nanos;

  LatestTime(long nanos) {
    this.nanos = nanos;
  }

  long nanos() {
    return nanos;
  }

  void set(long nowNanos) {
    nanos = nowNanos;
  }
}
