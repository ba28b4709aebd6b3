package dev.gannet.transport.http2;

import dev.gannet.http2.EndStream;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.Mail;
import dev.gannet.transport.SpareArrays;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a client's call has to say at one flush: its begin, messages, its half-close; a whole unary
 * request in one. Filled on the caller's thread, opened on the loop.
 */
final class ClientParcel extends Mail {
  private final ClientCallStream<?, ?> call;
  private @Nullable ByteBuffer first;
  private @Nullable List<ByteBuffer> more;
  private boolean halfClose;

  ClientParcel(ClientCallStream<?, ?> call) {
    this.call = call;
  }

  void add(ByteBuffer frame) {
    if (first == null) {
      first = frame;
    } else {
      addMore(frame);
    }
  }

  private void addMore(ByteBuffer frame) {
    if (more == null) {
      more = new ArrayList<>();
    }
    more.add(frame);
  }

  void halfClose() {
    halfClose = true;
  }

  /** The first message, if there is one. */
  @Nullable ByteBuffer first() {
    return first;
  }

  /** The messages behind the first. */
  List<ByteBuffer> more() {
    return more == null ? List.of() : more;
  }

  EndStream end() {
    return EndStream.of(halfClose);
  }

  /** What its messages take, in bytes. */
  long messageBytes() {
    long bytes = first == null ? 0 : first.limit();
    for (ByteBuffer frame : more()) {
      bytes += frame.limit();
    }
    return bytes;
  }

  /** Orders the same of another stream, whatever part of it was written on this one. */
  void playTo(ClientStream<?> other) {
    if (first != null) {
      other.sendFramed(first.duplicate().rewind());
    }
    for (ByteBuffer frame : more()) {
      other.sendFramed(frame.duplicate().rewind());
    }
    if (halfClose) {
      other.halfClose();
    }
    other.flush();
  }

  /** Lets the arrays of messages that are written be used again. */
  void giveBackWritten() {
    if (first != null && !first.hasRemaining()) {
      SpareArrays.SHARED.give(first);
    }
    for (ByteBuffer frame : more()) {
      if (!frame.hasRemaining()) {
        SpareArrays.SHARED.give(frame);
      }
    }
  }

  @Override
  protected void open() {
    call.onParcel(this);
  }
}
