package dev.gannet.transport.http2;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.ResponseWriter;
import java.nio.ByteBuffer;

/**
 * A request that no handler sees: its answer is sent, and the rest of the request is skipped. If
 * the answer consists of headers only, the rest is not even read.
 *
 * <pre>
 *   NEW ──headers──► ANSWERING ──its end──► ENDING ──written──► ANSWERED
 *    │                   │                    │
 *    │ headers alone,    │ no end follows,    │ reset
 *    │ or none           ▼ or reset           │
 *    └─────────────────► LEFT ◄───────────────┘
 * </pre>
 *
 * <p>The stream's slot is free in ANSWERED and LEFT: the answer is written, or nobody waits for it.
 * A client that continues to send after the answer is asked to stop (RFC 9113 §8.1), unless its
 * body is so short that it is already on its way.
 */
final class AnsweredRequest implements ReceivedRequest, ResponseWriter {
  /** What a client may well have sent before it saw the answer. */
  private static final int MAX_UNWANTED_BYTES = 64 << 10;

  private enum State {
    /** Nothing of the answer has been sent. */
    NEW,
    /** The answer has begun, and its end has not been sent. */
    ANSWERING,
    /** The whole answer has been sent, and is being written. */
    ENDING,
    /** The answer is written; the rest of the request is skipped. */
    ANSWERED,
    /** The stream is reset: nothing more is sent or read. */
    LEFT;

    boolean isOver() {
      return this == ANSWERED || this == LEFT;
    }
  }

  private final ServerConnection connection;
  private final Http2Stream stream;
  private int unwantedBytes;
  private State state = State.NEW;

  AnsweredRequest(ServerConnection connection, Http2Stream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  @Override
  public MessageEncodings encodings() {
    return connection.encodings();
  }

  @Override
  public boolean hasBegun() {
    return state != State.NEW;
  }

  @Override
  public void headers(HeaderList shared, HeaderList own, EndStream end) {
    onSending(end);
    if (end == EndStream.NO) {
      stream.attach(this);
    }
    connection.http2().sendHeaders(stream, shared, own, end);
    if (end == EndStream.YES) {
      connection.http2().reset(stream, ErrorCode.NO_ERROR);
      leave();
    }
  }

  @Override
  public void data(ByteBuffer bytes, EndStream end) {
    onSending(end);
    connection.http2().sendData(stream, bytes, end);
  }

  @Override
  public void trailers(HeaderList fields) {
    onSending(EndStream.YES);
    connection.http2().sendTrailers(stream, fields, HeaderList.EMPTY);
  }

  /** The stream may have been reset while an earlier part was sent. */
  private void onSending(EndStream end) {
    if (!state.isOver()) {
      state = end == EndStream.YES ? State.ENDING : State.ANSWERING;
    }
  }

  /** An answer without an end would never finish: its stream is reset. */
  void requireEnd() {
    if (state == State.NEW || state == State.ANSWERING) {
      connection.http2().reset(stream, ErrorCode.INTERNAL_ERROR);
      leave();
    }
  }

  /** The connection is being closed: the client's half of an answered request is not waited for. */
  void onDrain() {
    if (state == State.ANSWERED) {
      stop();
    }
  }

  @Override
  public void onData(ByteBuffer bytes) {
    unwantedBytes += bytes.remaining();
    stopIfUnwanted();
  }

  @Override
  public void onEndStream() {}

  @Override
  public void onOversizedTrailers() {}

  @Override
  public void onSent(int bytes) {}

  @Override
  public void onEndSent() {
    if (!state.isOver()) {
      state = State.ANSWERED;
      stopIfUnwanted();
      connection.onCallEnded(stream);
    }
  }

  @Override
  public void onReset(ErrorCode code) {
    leave();
  }

  @Override
  public void onBroken(Violation.OfStream violation) {
    leave();
  }

  private void stopIfUnwanted() {
    if (state == State.ANSWERED && (unwantedBytes > MAX_UNWANTED_BYTES || connection.isDrained())) {
      stop();
    }
  }

  private void stop() {
    connection.stop(stream);
  }

  private void leave() {
    if (!state.isOver()) {
      state = State.LEFT;
      connection.onCallEnded(stream);
    }
  }
}
