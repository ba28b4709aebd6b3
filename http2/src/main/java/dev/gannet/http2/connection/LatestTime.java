package dev.gannet.http2.connection;

/** The last time that the driver passed, in nanoseconds from any fixed origin. */
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
