package dev.gannet.fuzz.targets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An input that is read from its beginning: first numbers that choose how it is run, then the
 * content.
 */
final class Input {
  /**
   * The separator of the chunks of an input. A mark is used instead of a length, so that the fuzzer
   * may insert, cut and splice without changing the chunks around.
   */
  static final byte[] MARK = {(byte) 0xfa, (byte) 0xce};

  private final byte[] bytes;
  private int at;

  Input(byte[] bytes) {
    this.bytes = bytes;
  }

  /** The next octet, 0 to 255; 0 after the end. */
  int octet() {
    return at < bytes.length ? bytes[at++] & 0xff : 0;
  }

  /** The next four octets as a number. */
  int number() {
    return octet() << 24 | octet() << 16 | octet() << 8 | octet();
  }

  /** This many octets, or as many as are left. */
  byte[] octets(int count) {
    byte[] some = Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + count));
    at += some.length;
    return some;
  }

  boolean isEmpty() {
    return at == bytes.length;
  }

  /** The rest. */
  byte[] rest() {
    return octets(bytes.length - at);
  }

  /** The rest, split at the marks. */
  List<byte[]> chunks() {
    List<byte[]> chunks = new ArrayList<>();
    int from = at;
    for (int i = at; i + 1 < bytes.length; i++) {
      if (bytes[i] == MARK[0] && bytes[i + 1] == MARK[1]) {
        chunks.add(Arrays.copyOfRange(bytes, from, i));
        from = i + MARK.length;
        i++; // a mark does not begin inside another
      }
    }
    chunks.add(Arrays.copyOfRange(bytes, from, bytes.length));
    at = bytes.length;
    return chunks;
  }
}
