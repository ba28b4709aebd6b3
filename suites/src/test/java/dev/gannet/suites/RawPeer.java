package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.connection.ConnectionListener;
import dev.gannet.http2.connection.Http2Connection;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * One end of a connection that speaks HTTP/2 and knows nothing of gRPC: it says what it is told.
 */
final class RawPeer implements PipeListener, ConnectionListener {
  /** What was heard on one stream: lists, content, and how it ended. */
  static final class Heard {
    final List<HeaderList> lists = new ArrayList<>();
    final List<ErrorCode> resets = new ArrayList<>();
    final StringBuilder content = new StringBuilder();
    boolean ended;

    /** The value of the first field of that name, or nothing. */
    String field(String name) {
      for (HeaderList list : lists) {
        for (HeaderField field : list) {
          if (field.name().equals(name)) {
            return field.value();
          }
        }
      }
      return "";
    }
  }

  private static final int FRAME_HEADER_BYTES = 9;
  private static final byte[] GOAWAY_HEADER = {0, 0, 8, 7, 0, 0, 0, 0, 0};
  private static final int GOAWAY_BYTES = GOAWAY_HEADER.length + 2 * Integer.BYTES;

  private final Pipe pipe;
  private final Http2Connection connection;
  private final BiConsumer<RawPeer, Http2Stream> onRequest;
  private final Map<Integer, Heard> heard = new TreeMap<>();
  boolean closed;

  private RawPeer(Role role, Limits limits, Pipe pipe, BiConsumer<RawPeer, Http2Stream> onRequest) {
    this.pipe = pipe;
    this.connection = new Http2Connection(role, limits, pipe, this, pipe.nanoTime());
    this.onRequest = onRequest;
    connection.start();
    send();
  }

  static RawPeer client(Pipe pipe, Limits limits) {
    return new RawPeer(Role.CLIENT, limits, pipe, (peer, stream) -> {});
  }

  /** A server that does this as soon as a request's headers have come. */
  static RawPeer server(Pipe pipe, BiConsumer<RawPeer, Http2Stream> onRequest) {
    return new RawPeer(Role.SERVER, Limits.DEFAULT, pipe, onRequest);
  }

  /** Says goodbye before it has heard of a stream. */
  RawPeer leavingAtOnce() {
    goesAway(0);
    return this;
  }

  static HeaderList fields(String... namesAndValues) {
    List<HeaderField> fields = new ArrayList<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.add(HeaderField.of(namesAndValues[i], namesAndValues[i + 1]));
    }
    return HeaderList.of(fields);
  }

  Http2Stream asks(EndStream end, String... namesAndValues) {
    Http2Stream stream = connection.openStream(fields(namesAndValues), HeaderList.EMPTY, end);
    send();
    return stream;
  }

  void sends(Http2Stream stream, EndStream end, String... namesAndValues) {
    connection.sendHeaders(stream, fields(namesAndValues), HeaderList.EMPTY, end);
    send();
  }

  void sendsContent(Http2Stream stream, String content, EndStream end) {
    byte[] octets = content.getBytes(StandardCharsets.ISO_8859_1);
    connection.sendData(stream, ByteBuffer.wrap(octets), end);
    send();
  }

  void resets(Http2Stream stream) {
    resets(stream, ErrorCode.CANCEL);
  }

  void resets(Http2Stream stream, ErrorCode code) {
    connection.reset(stream, code);
    send();
  }

  /** Says that it goes away and has seen no stream above that one, which may be untrue. */
  void goesAway(int lastStreamId) {
    ByteBuffer frame = pipe.reserve(GOAWAY_BYTES);
    frame.put(GOAWAY_HEADER).putInt(lastStreamId).putInt(ErrorCode.NO_ERROR.value());
    pipe.flush();
  }

  /** A frame as it is, of which the connection here knows nothing. */
  void says(int type, int flags, int streamId, byte... payload) {
    ByteBuffer frame = pipe.reserve(FRAME_HEADER_BYTES + payload.length);
    frame.putInt(payload.length << Byte.SIZE | type).put((byte) flags).putInt(streamId);
    frame.put(payload);
    pipe.flush();
  }

  /** Lets its peer send so much more on a stream. */
  void reads(Http2Stream stream, int bytes) {
    connection.consumed(stream, bytes);
    send();
  }

  Heard heard(Http2Stream stream) {
    return heard.computeIfAbsent(stream.id(), id -> new Heard());
  }

  int openStreams() {
    return connection.streamCount();
  }

  private void send() {
    connection.flush();
    pipe.flush();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    for (int left = bytes.remaining(); bytes.hasRemaining(); left = bytes.remaining()) {
      connection.receive(bytes, pipe.nanoTime());
      connection.flush();
      assertThat(bytes.remaining()).as("a raw peer is not blocked").isLessThan(left);
    }
  }

  @Override
  public void onBatchEnd() {
    send();
  }

  @Override
  public void onWritable() {
    send();
  }

  @Override
  public void onWake() {}

  @Override
  public void onClosed(String why) {
    closed = true;
  }

  @Override
  public void onHeaders(Http2Stream stream, HeaderList headers, EndStream end) {
    Heard of = heard(stream);
    of.lists.add(headers);
    of.ended |= end == EndStream.YES;
    if (of.lists.size() == 1) {
      onRequest.accept(this, stream);
    }
  }

  @Override
  public void onOversizedHeaders(Http2Stream stream, EndStream end) {}

  @Override
  public void onData(Http2Stream stream, ByteBuffer bytes) {
    heard(stream).content.append(StandardCharsets.ISO_8859_1.decode(bytes));
  }

  @Override
  public void onEndStream(Http2Stream stream) {
    heard(stream).ended = true;
  }

  @Override
  public void onReset(Http2Stream stream, ErrorCode code) {
    heard(stream).resets.add(code);
  }

  @Override
  public void onBroken(Http2Stream stream, Violation.OfStream violation) {
    throw new AssertionError(violation);
  }

  @Override
  public void onUnprocessed(Http2Stream stream) {}

  @Override
  public void onDataSent(Http2Stream stream, int bytes) {}

  @Override
  public void onEndSent(Http2Stream stream) {}

  @Override
  public void onSettings() {}

  @Override
  public void onPingAck(long opaque) {}

  @Override
  public void onGoAway(int lastStreamId, ErrorCode code, String debug) {}

  @Override
  public void onFailed(Violation violation) {
    throw new AssertionError(violation);
  }
}
