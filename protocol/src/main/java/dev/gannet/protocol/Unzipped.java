package dev.gannet.protocol;

import java.nio.ByteBuffer;

/** What became of a message that came compressed. */
sealed interface Unzipped {
  /** All of it, between position and limit. */
  record Whole(ByteBuffer message) implements Unzipped {}

  /** It is longer than that; nothing behind the first byte too many was decompressed. */
  record TooLarge(int mostBytes) implements Unzipped {}

  /** It is not gzip. */
  record Broken(String why) implements Unzipped {}
}
