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
 *   ──headers alone──────────────────────────────────────► LEFT
 *   ──headers, data──► listening ──written, or reset───────► LEFT
 * </pre>
 *
 * <p>The stream's slot is free once the answer is written or nobody waits for it. A client that
 * continues to send after the answer is asked to stop (RFC 9113 §8.1), unless its body is so short
 * that it is already on its way.
 */
final class RejectedRequest implements ReceivedRequest, ResponseWriter {
  /** What a client may well have sent before it saw the answer. */
  private static final int MAX_UNWANTED_BYTES = 64 << 10;

  private final ServerConnection connection;
  private final Http2Stream stream;
  private int unwantedBytes;
  private boolean begun;
  private boolean endSent;
  private boolean answered;
  private boolean left;

  RejectedRequest(ServerConnection connection, Http2Stream stream) {
    this.connection = connection;
    this.stream = stream;
  }

  @Override
  public MessageEncodings encodings() {
    return connection.encodings();
  }

  @Override
  public boolean hasBegun() {
    return begun;
  }

  @Override
  public void headers(HeaderList shared, HeaderList own, EndStream end) {
    begun = true;
    endSent = end == EndStream.YES;
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
    endSent = end == EndStream.YES;
    connection.http2().sendData(stream, bytes, end);
  }

  @Override
  public void trailers(HeaderList fields) {
    endSent = true;
    connection.http2().sendTrailers(stream, fields, HeaderList.EMPTY);
  }

  /** An answer without an end would never finish: its stream is reset. */
  void requireEnd() {
    if (!endSent) {
      connection.http2().reset(stream, ErrorCode.INTERNAL_ERROR);
      leave();
    }
  }

  /** The connection is being closed: the client's half of an answered request is not waited for. */
  void onDrain() {
    if (answered) {
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
    answered = true;
    stopIfUnwanted();
    leave();
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
    if (answered && (unwantedBytes > MAX_UNWANTED_BYTES || connection.isDrained())) {
      stop();
    }
  }

  private void stop() {
    connection.stop(stream);
  }

  private void leave() {
    if (!left) {
      left = true;
      connection.onCallEnded(stream);
    }
  }
}
