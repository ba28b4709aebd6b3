package dev.gannet.fuzz.targets;

import java.io.ByteArrayOutputStream;

/** Concatenates arrays of bytes. */
final class Bytes {
  private Bytes() {}

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      joined.writeBytes(part);
    }
    return joined.toByteArray();
  }
}
