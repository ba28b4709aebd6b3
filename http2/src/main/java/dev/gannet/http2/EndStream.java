package dev.gannet.http2;

/** Whether a frame is the last one of its sender on the stream. */
public enum EndStream {
  NO,
  YES;

  public static EndStream of(boolean last) {
    return last ? YES : NO;
  }
}
