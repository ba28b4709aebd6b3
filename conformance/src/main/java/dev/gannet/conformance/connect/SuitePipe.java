package dev.gannet.conformance.connect;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The connection with the suite: messages, each preceded by its length in four bytes, big-endian.
 *
 * <p>May be read by one thread at a time; may be written by many.
 */
final class SuitePipe {
  /** The longest message that the suite takes, in bytes; it sends none that is longer. */
  private static final int MAX_MESSAGE_BYTES = 16 << 20;

  private final InputStream in;
  private final OutputStream out;
  private final ReentrantLock writing = new ReentrantLock();

  SuitePipe(InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
  }

  /** Over standard input and output; whatever else is printed goes to standard error from now. */
  static SuitePipe overStandardStreams() {
    System.setOut(System.err);
    return new SuitePipe(System.in, new FileOutputStream(FileDescriptor.out));
  }

  /**
   * The next message; empty at the end of the input.
   *
   * @throws EOFException if the input ends inside a message
   * @throws IOException if it cannot be read, or has no such message
   */
  <M extends Message> Optional<M> read(Parser<M> parser) throws IOException {
    byte[] prefix = in.readNBytes(Integer.BYTES);
    if (prefix.length == 0) {
      return Optional.empty();
    }
    if (prefix.length < Integer.BYTES) {
      throw new EOFException("the input ends inside a length");
    }
    int sizeBytes = ByteBuffer.wrap(prefix).getInt();
    if (sizeBytes < 0 || sizeBytes > MAX_MESSAGE_BYTES) {
      throw new IOException("no message is that long: " + Integer.toUnsignedString(sizeBytes));
    }
    byte[] message = in.readNBytes(sizeBytes);
    if (message.length < sizeBytes) {
      throw new EOFException("the input ends inside a message");
    }
    return Optional.of(parser.parseFrom(message));
  }

  /** Writes one message and flushes. */
  void write(Message message) throws IOException {
    byte[] bytes = message.toByteArray();
    ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + bytes.length);
    framed.putInt(bytes.length).put(bytes);
    writing.lock();
    try {
      out.write(framed.array());
      out.flush();
    } finally {
      writing.unlock();
    }
  }
}
