package dev.gannet.protocol;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.nio.ByteBuffer;

/**
 * The outgoing side of message framing: a message as it is sent, after a flag and its length
 * (PROTOCOL-HTTP2, Length-Prefixed-Message).
 *
 * <pre>
 * +--------+---------------------------+-------------------------+
 * | flag 8 | length 32, the high first | length bytes of message |
 * +--------+---------------------------+-------------------------+
 * </pre>
 *
 * <p>Frames are heap buffers from position 0 to limit, so that a message's size on the wire is
 * {@code remaining() - PREFIX_BYTES}. They belong to the caller, which may give their arrays back
 * after they were sent.
 */
public final class MessageFrame {
  /** Bytes of the flag and the length. */
  public static final int PREFIX_BYTES = 5;

  /** The longest array that every JVM can make. */
  static final int MAX_ARRAY_BYTES = Integer.MAX_VALUE - 8;

  /** The largest message that fits an array together with its prefix, in bytes. */
  public static final int MAX_MESSAGE_BYTES = MAX_ARRAY_BYTES - PREFIX_BYTES;

  static final byte PLAIN = 0;
  static final byte COMPRESSED = 1;

  private static final int FLAG_AT = 0;
  private static final int LENGTH_AT = 1;

  private MessageFrame() {}

  /**
   * The message without compression, in one array.
   *
   * @param arrays the source of the array
   * @throws IllegalStateException if the marshaller breaks a rule of {@link MessageSink}, or the
   *     message is larger than {@link #MAX_MESSAGE_BYTES}
   */
  public static <T> ByteBuffer frame(Marshaller<T> marshaller, T message, ArraySource arrays) {
    ReservedMessage room = new ReservedMessage(arrays, PREFIX_BYTES);
    marshaller.write(message, room);
    return withPrefix(room.filled(), PLAIN);
  }

  /**
   * The message alone, for protocols without a prefix.
   *
   * @param arrays the source of the array
   * @throws IllegalStateException as above
   */
  public static <T> ByteBuffer bare(Marshaller<T> marshaller, T message, ArraySource arrays) {
    ReservedMessage room = new ReservedMessage(arrays, 0);
    marshaller.write(message, room);
    return room.filled();
  }

  /**
   * A message that {@link #frame} made, in that encoding; with {@link MessageEncoding#IDENTITY} the
   * same buffer.
   */
  public static ByteBuffer compressed(ByteBuffer frame, MessageEncoding encoding) {
    return encoding.compress(frame);
  }

  /** The size on the wire of the message of a frame that was made here, in bytes. */
  public static int wireBytes(ByteBuffer frame) {
    return frame.limit() - PREFIX_BYTES;
  }

  /**
   * The size before compression of the message of a frame that was made here, in bytes. Reads from
   * the buffer's beginning and does not change the position.
   *
   * @param encoding the encoding of the call's compressed messages
   */
  public static int messageBytes(ByteBuffer frame, MessageEncoding encoding) {
    return frame.get(FLAG_AT) == PLAIN ? wireBytes(frame) : encoding.messageBytes(frame);
  }

  static ByteBuffer withPrefix(ByteBuffer frame, byte flag) {
    return frame.put(FLAG_AT, flag).putInt(LENGTH_AT, frame.limit() - PREFIX_BYTES);
  }
}
