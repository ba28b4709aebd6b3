package dev.gannet.protocol;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.nio.ByteBuffer;

/** The result of decompressing a message. */
sealed interface Unzipped {
  /**
   * The message, if it is complete.
   *
   * @param maxMessageBytes how long it was allowed to be
   * @param maxRatio how many times as long as its compressed form it was allowed to be
   * @param limit what {@code maxMessageBytes} is
   * @throws StatusException otherwise
   */
  default ByteBuffer message(int maxMessageBytes, int maxRatio, MessageSizeLimit limit) {
    return switch (this) {
      case Unzipped.Whole(var message) -> message;
      case Unzipped.TooLarge(var mostBytes) ->
          throw (mostBytes == maxMessageBytes
                  ? limit.exceededByDecompressed(maxMessageBytes)
                  : limit.ratioExceeded(mostBytes, maxRatio))
              .asException();
      case Unzipped.Broken(var why) ->
          throw Status.INTERNAL
              .withDescription("a message cannot be decompressed: " + why)
              .asException();
    };
  }

  /** The complete message, between position and limit. */
  record Whole(ByteBuffer message) implements Unzipped {}

  /** The message is longer than allowed; nothing after the first excess byte was decompressed. */
  record TooLarge(int mostBytes) implements Unzipped {}

  /** The bytes are not gzip. */
  record Broken(String why) implements Unzipped {}
}
