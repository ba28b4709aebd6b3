package dev.gannet.http2.frame;

/** The flag bits of RFC 9113 §6. */
public final class Flags {
  public static final int NONE = 0x0;
  public static final int END_STREAM = 0x1;
  public static final int ACK = 0x1;
  public static final int END_HEADERS = 0x4;
  public static final int PADDED = 0x8;
  public static final int PRIORITY = 0x20;

  private Flags() {}

  public static boolean has(int flags, int flag) {
    return (flags & flag) != 0;
  }
}
