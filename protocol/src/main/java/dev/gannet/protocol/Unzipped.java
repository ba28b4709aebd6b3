package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.nio.ByteBuffer;

/** What became of a message that came compressed. */
sealed interface Unzipped {
  /**
   * The message, if it is whole.
   *
   * @param maxMessageBytes how long it might have been
   * @param maxRatio and how many times as long as it came
   * @throws StatusException otherwise
   */
  default ByteBuffer message(int maxMessageBytes, int maxRatio) {
    return switch (this) {
      case Unzipped.Whole(var message) -> message;
      case Unzipped.TooLarge(var mostBytes) ->
          throw Status.RESOURCE_EXHAUSTED
              .withDescription(
                  mostBytes == maxMessageBytes
                      ? "decompressed message exceeds the receiver's maxInboundMessageBytes (%d)"
                          .formatted(maxMessageBytes)
                      : "decompressed message exceeds %d bytes (the receiver's maxDecompressionRatio: %d)"
                          .formatted(mostBytes, maxRatio))
              .asException();
      case Unzipped.Broken(var why) ->
          throw Status.INTERNAL
              .withDescription("a message cannot be decompressed: " + why)
              .asException();
    };
  }

  /** All of it, between position and limit. */
  record Whole(ByteBuffer message) implements Unzipped {}

  /** It is longer than that; nothing behind the first byte too many was decompressed. */
  record TooLarge(int mostBytes) implements Unzipped {}

  /** It is not gzip. */
  record Broken(String why) implements Unzipped {}
}
