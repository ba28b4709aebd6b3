package dev.gannet.transport;

import dev.gannet.api.Marshaller;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * How the messages of one call are read that are long or compressed: by whoever takes them, one at
 * a time, and on virtual threads in turns with other connections ({@link ParsingTurns}).
 *
 * <p>What a byte costs to parse differs by a factor of thousands, and no one can tell beforehand.
 * So who has sent a message that took long is told how much too long.
 */
public final class MessageReading {
  /** What reading a message may take, however short it is: a thread may be kept from its work. */
  private static final long FREE_NANOS = 10_000_000;

  /** And for each of its bytes, decompressed: many times what the messages of most people take. */
  private static final int FREE_NANOS_PER_BYTE = 64;

  /** Hears of messages that took too long. Any thread. */
  public interface Ledger {
    /** The clock that such times are measured by. */
    long nanoTime();

    /** A message took so much longer to read than it may. */
    void onSlow(long excessNanos);
  }

  private final int maxMessageBytes;
  private final int maxRatio;
  private final ArraySource arrays;
  private final ParsingTurns.Turn turn;
  private final Ledger ledger;

  /**
   * That of a call.
   *
   * @param maxMessageBytes how long a message may be once it is decompressed
   * @param maxRatio and how many times as long as it came, if it is over 4 MiB
   * @param arrays what messages are decompressed into
   * @param party the call's connection
   * @param ledger its account
   */
  public MessageReading(
      int maxMessageBytes,
      int maxRatio,
      ArraySource arrays,
      ParsingTurns.Party party,
      Ledger ledger) {
    this.maxMessageBytes = maxMessageBytes;
    this.maxRatio = maxRatio;
    this.arrays = arrays;
    this.turn = party.turn();
    this.ledger = ledger;
  }

  /** How long the message will be once it is decompressed, in bytes; as far as it says. */
  int decodedBytes(ByteBuffer bytes, MessageEncoding encoding) {
    return encoding.decodedBytes(bytes, maxMessageBytes);
  }

  /** The call is over, and what was not read yet is not wanted any more. Any thread. */
  public void giveUp() {
    turn.giveUp();
  }

  /**
   * The message. Its array may be another's afterwards.
   *
   * @param decodedBytes as {@link #decodedBytes} says
   * @throws StatusException if it cannot be decompressed, is too long by that, or is not wanted any
   *     more
   */
  <T> T read(
      ByteBuffer bytes, int decodedBytes, MessageEncoding encoding, Marshaller<T> marshaller) {
    try {
      if (!Thread.currentThread().isVirtual()) {
        return readTimed(bytes, decodedBytes, encoding, marshaller);
      }
      turn.begin();
      try {
        return readTimed(bytes, decodedBytes, encoding, marshaller);
      } finally {
        turn.end();
      }
    } finally {
      SpareArrays.SHARED.give(bytes);
    }
  }

  private <T> T readTimed(
      ByteBuffer bytes, int decodedBytes, MessageEncoding encoding, Marshaller<T> marshaller) {
    long beganNanos = ledger.nanoTime();
    try {
      return parse(bytes, encoding, marshaller);
    } finally {
      long tookNanos = ledger.nanoTime() - beganNanos;
      if (tookNanos > FREE_NANOS) {
        long freeNanos = Math.max(FREE_NANOS, (long) decodedBytes * FREE_NANOS_PER_BYTE);
        if (tookNanos > freeNanos) {
          ledger.onSlow(tookNanos - freeNanos);
        }
      }
    }
  }

  @SuppressWarnings("ByteBufferBackingArray") // decode wraps an array that is the caller's then
  private <T> T parse(ByteBuffer bytes, MessageEncoding encoding, Marshaller<T> marshaller) {
    if (encoding == MessageEncoding.IDENTITY) {
      return Objects.requireNonNull(marshaller.parse(bytes));
    }
    ByteBuffer plain = encoding.decode(bytes, maxMessageBytes, maxRatio, arrays);
    byte[] array = plain.array();
    try {
      return Objects.requireNonNull(marshaller.parse(plain));
    } finally {
      arrays.give(array);
    }
  }
}
