package dev.gannet.transport.http2;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.ResponseWriter;
import java.nio.ByteBuffer;

/**
 * Writes the end of a response in place of what is queued of it. An end that consists of data
 * cannot overtake queued data, and is not sent. Confined to the connection's loop.
 */
final class OvertakingEnd implements ResponseWriter {
  private final Http2Connection http2;
  private final Http2Stream stream;
  private final MessageEncodings encodings;
  private final boolean begun;
  private boolean sent;

  /**
   * The end of the response on that stream.
   *
   * @param begun whether a part of the response was given to HTTP/2
   */
  OvertakingEnd(
      Http2Connection http2, Http2Stream stream, MessageEncodings encodings, boolean begun) {
    this.http2 = http2;
    this.stream = stream;
    this.encodings = encodings;
    this.begun = begun;
  }

  /** Whether the end was sent; it cannot be if a part of a message was. */
  boolean isSent() {
    return sent;
  }

  @Override
  public MessageEncodings encodings() {
    return encodings;
  }

  @Override
  public boolean hasBegun() {
    return begun;
  }

  @Override
  public void headers(HeaderList shared, HeaderList own, EndStream end) {
    sent = end == EndStream.YES && http2.endNow(stream, shared, own);
  }

  @Override
  public void data(ByteBuffer bytes, EndStream end) {}

  @Override
  public void trailers(HeaderList fields) {
    sent = http2.endNow(stream, HeaderList.EMPTY, fields);
  }
}
