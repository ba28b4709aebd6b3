package dev.gannet.transport.http2;

import dev.gannet.http2.EndStream;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.memory.SpareArrays;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a client's call sends at one flush: its start, a message, its half-close; a complete unary
 * request in one. Filled on the caller's thread, processed on the loop.
 */
final class ClientWriteCommand extends Mail {
  private final ClientCallStream<?, ?> call;
  private @Nullable ByteBuffer message;
  private boolean halfClose;

  ClientWriteCommand(ClientCallStream<?, ?> call) {
    this.call = call;
  }

  void message(ByteBuffer frame) {
    message = frame;
  }

  void halfClose() {
    halfClose = true;
  }

  /** The message, framed, if there is one. */
  @Nullable ByteBuffer message() {
    return message;
  }

  EndStream end() {
    return EndStream.of(halfClose);
  }

  /** The size of its message, in bytes. */
  long messageBytes() {
    return message == null ? 0 : message.limit();
  }

  /** Writes it to its own stream. */
  void write() {
    call.write(this);
  }

  /** Repeats the command on another stream, whatever part of it was written on this one. */
  void playTo(ClientStream<?> other) {
    if (message != null) {
      other.sendFramed(message.duplicate().rewind());
    }
    if (halfClose) {
      other.halfClose();
    }
    other.flush();
  }

  /** Returns the array of a written message to the pool. */
  void giveBackWritten() {
    if (message != null && !message.hasRemaining()) {
      SpareArrays.SHARED.give(message);
    }
  }

  @Override
  void open() {
    call.onWriteCommand(this);
  }
}
