package dev.gannet.transport;

import dev.gannet.api.Marshaller;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.memory.ParsingTurns;
import dev.gannet.transport.memory.SpareArrays;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Parses the long or compressed messages of one call: on the thread that takes them, one at a time,
 * and on virtual threads in turns with other connections ({@link ParsingTurns}). Uncompressed
 * messages that are not very long take no turn while their connection's messages are parsed
 * quickly.
 *
 * <p>The time to parse a byte differs by a factor of thousands, and is not known in advance. So a
 * connection that has sent a slow message is charged for the excess time.
 */
public final class MessageReading {
  /** The time that parsing any message may take: a thread may be interrupted by others. */
  private static final long FREE_NANOS = 10_000_000;

  /** Additional time for each decompressed byte: many times what usual messages need. */
  private static final int FREE_NANOS_PER_BYTE = 64;

  /** Uncompressed messages up to this size need no turn after one that was parsed quickly. */
  private static final int MAX_BYTES_WITHOUT_TURN = 128 << 10;

  /** Is notified of messages that took too long. Any thread. */
  public interface Ledger {
    /** The clock for measuring these times. */
    long nanoTime();

    /** A message took this much longer to parse than allowed. */
    void onSlow(long excessNanos);
  }

  private final MessageSizeLimit limit;
  private final int maxMessageBytes;
  private final int maxRatio;
  private final ArraySource arrays;
  private final ParsingTurns.Turn turn;
  private final Ledger ledger;

  /**
   * The reading of a call.
   *
   * @param limit what {@code maxMessageBytes} is
   * @param maxMessageBytes the maximum decompressed size of a message
   * @param maxRatio the maximum decompression ratio for messages over 4 MiB
   * @param arrays provides arrays for decompressed messages
   * @param party the call's connection
   * @param ledger the account of the connection
   */
  public MessageReading(
      MessageSizeLimit limit,
      int maxMessageBytes,
      int maxRatio,
      ArraySource arrays,
      ParsingTurns.Party party,
      Ledger ledger) {
    this.limit = limit;
    this.maxMessageBytes = Math.min(maxMessageBytes, MessageFrame.MAX_MESSAGE_BYTES);
    this.maxRatio = maxRatio;
    this.arrays = arrays;
    this.turn = party.turn();
    this.ledger = ledger;
  }

  /** The decompressed size of the message in bytes, as far as it states it. */
  int decodedBytes(ByteBuffer bytes, MessageEncoding encoding) {
    return encoding.decodedBytes(bytes, maxMessageBytes);
  }

  /**
   * The call has ended, and messages that were not parsed yet are not needed any more. Any thread.
   */
  public void giveUp() {
    turn.giveUp();
  }

  /**
   * Parses the message. Its array may be reused afterwards.
   *
   * @param decodedBytes the result of {@link #decodedBytes}
   * @throws StatusException if it cannot be decompressed, is too long after decompression, or is
   *     not needed any more
   */
  <T> T read(
      ByteBuffer bytes, int decodedBytes, MessageEncoding encoding, Marshaller<T> marshaller) {
    boolean takesTurn = Thread.currentThread().isVirtual() && needsTurn(bytes, encoding);
    try {
      if (takesTurn) {
        turn.begin();
      }
      long beganNanos = ledger.nanoTime();
      try {
        return parse(bytes, encoding, marshaller);
      } finally {
        long tookNanos = ledger.nanoTime() - beganNanos;
        long excessNanos = excessNanos(tookNanos, decodedBytes);
        if (takesTurn) {
          turn.end(excessNanos);
        } else {
          turn.onParsedWithout(tookNanos, excessNanos);
        }
        if (excessNanos > 0) {
          ledger.onSlow(excessNanos);
        }
      }
    } finally {
      SpareArrays.SHARED.give(bytes);
    }
  }

  private boolean needsTurn(ByteBuffer bytes, MessageEncoding encoding) {
    return encoding != MessageEncoding.IDENTITY
        || bytes.remaining() > MAX_BYTES_WITHOUT_TURN
        || !turn.isLikelyQuick();
  }

  private static long excessNanos(long tookNanos, int decodedBytes) {
    long freeNanos = Math.max(FREE_NANOS, (long) decodedBytes * FREE_NANOS_PER_BYTE);
    return Math.max(0, tookNanos - freeNanos);
  }

  @SuppressWarnings("ByteBufferBackingArray") // the array wrapped by decode belongs to this method
  private <T> T parse(ByteBuffer bytes, MessageEncoding encoding, Marshaller<T> marshaller) {
    if (encoding == MessageEncoding.IDENTITY) {
      return Objects.requireNonNull(marshaller.parse(bytes));
    }
    ByteBuffer plain = encoding.decode(bytes, maxMessageBytes, maxRatio, limit, arrays);
    byte[] array = plain.array();
    try {
      return Objects.requireNonNull(marshaller.parse(plain));
    } finally {
      arrays.give(array);
    }
  }
}
