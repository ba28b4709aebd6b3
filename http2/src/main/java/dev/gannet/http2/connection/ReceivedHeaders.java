package dev.gannet.http2.connection;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Offence;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.hpack.Decoded;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.HpackDecoder;
import dev.gannet.http2.message.Flaw;
import dev.gannet.http2.stream.StreamState;
import dev.gannet.http2.stream.StreamState.Step;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Header blocks from the peer: requests, responses and trailers (RFC 9113 §6.2, §6.10, §8.1).
 *
 * <p>Every block is decoded to its end, wanted or not, because the compression state is shared by
 * all streams.
 */
final class ReceivedHeaders {
  private static final int PRIORITY_BYTES = 5;

  private final Http2Connection connection;
  private final HeaderAssembly assembly;

  /** Made for the first block: what it remembers is a third of a connection without calls. */
  private @Nullable HpackDecoder decoder;

  ReceivedHeaders(Http2Connection connection) {
    this.connection = connection;
    this.assembly = new HeaderAssembly(connection.limits);
  }

  /** What it keeps of blocks, and of lists to know them again, in bytes or so. */
  int keptBytes() {
    return assembly.keptBytes() + (decoder == null ? 0 : decoder.keptBytes());
  }

  boolean isBlockOpen() {
    return assembly.isOpen();
  }

  /** The peer knows our limits from here on. */
  void onSettingsAck() {
    if (decoder != null) {
      decoder.onSettingsAcknowledged();
    }
  }

  private HpackDecoder decoder() {
    HpackDecoder made = decoder;
    if (made == null) {
      HeaderLimits limits = connection.limits.headers();
      made = new HpackDecoder(limits.tableBytes(), limits.maxListBytes(), limits.maxFields());
      if (connection.isSettingsAcknowledged()) {
        made.onSettingsAcknowledged();
      }
      decoder = made;
    }
    return made;
  }

  void onHeaders(FrameHeader header, ByteBuffer payload) {
    if (header.streamId() == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "HEADERS on stream 0");
      return;
    }
    if (!cutToFragment(header, payload)) {
      return;
    }
    EndStream end = EndStream.of(header.has(Flags.END_STREAM));
    if (assembly.isFarTooLong(payload.remaining())) {
      HeaderAssembly.farTooLong().ifPresent(connection::fail);
    } else if (header.has(Flags.END_HEADERS)) {
      onBlock(header.streamId(), end, payload);
    } else {
      assembly.begin(header.streamId(), end, payload).ifPresent(connection::fail);
    }
  }

  void onContinuation(FrameHeader header, ByteBuffer payload) {
    if (!assembly.isOpen() || header.streamId() != assembly.streamId()) {
      fail(ErrorCode.PROTOCOL_ERROR, "CONTINUATION without a header block of its stream");
      return;
    }
    Optional<Violation> violation = assembly.add(payload);
    violation.ifPresent(connection::fail);
    if (violation.isEmpty() && header.has(Flags.END_HEADERS)) {
      int streamId = assembly.streamId();
      onBlock(streamId, assembly.end(), assembly.take());
    }
  }

  /** Leaves what lies between the priority fields and the padding. */
  private boolean cutToFragment(FrameHeader header, ByteBuffer payload) {
    int paddedBytes = header.has(Flags.PADDED) ? 1 : 0;
    int priorityBytes = header.has(Flags.PRIORITY) ? PRIORITY_BYTES : 0;
    if (payload.remaining() < paddedBytes + priorityBytes) {
      fail(ErrorCode.FRAME_SIZE_ERROR, "HEADERS is too short for what its flags announce");
      return false;
    }
    int padding = paddedBytes == 1 ? payload.get() & 0xff : 0;
    payload.position(payload.position() + priorityBytes);
    if (padding > payload.remaining()) {
      fail(ErrorCode.PROTOCOL_ERROR, "HEADERS has more padding than payload");
      return false;
    }
    payload.limit(payload.limit() - padding);
    return true;
  }

  private void onBlock(int streamId, EndStream end, ByteBuffer block) {
    Decoded decoded = decoder().decode(block);
    if (decoded instanceof HeaderList list) {
      onList(streamId, end, list);
    } else if (decoded instanceof Decoded.TooLarge tooLarge) {
      onOversized(streamId, end, tooLarge);
    } else if (decoded instanceof Decoded.Broken(String detail)) {
      fail(ErrorCode.COMPRESSION_ERROR, detail);
    }
  }

  private void onOversized(int streamId, EndStream end, Decoded.TooLarge list) {
    HeaderLimits limits = connection.limits.headers();
    if (list.sizeBytes() / HeaderLimits.FAR_OVER > limits.maxListBytes()
        || list.fields() / HeaderLimits.FAR_OVER > limits.maxFields()) {
      fail(ErrorCode.ENHANCE_YOUR_CALM, "a header list is far over the limit");
      return;
    }
    Optional<Violation> violation =
        connection.ledger.charge(Offence.OVERSIZED_HEADERS, connection.nowNanos);
    violation.ifPresentOrElse(connection::fail, () -> onList(streamId, end, null));
  }

  private void onList(int streamId, EndStream end, @Nullable HeaderList list) {
    Http2Stream stream = connection.streams.find(streamId);
    if (stream == null) {
      stream = streamFor(streamId, end);
    }
    if (stream != null) {
      deliver(stream, end, list);
    }
  }

  private @Nullable Http2Stream streamFor(int streamId, EndStream end) {
    if (connection.role == Role.SERVER && streamId > connection.peerStreams.lastId()) {
      return (streamId & 1) == 1 ? accept(streamId) : failNull("a client opened an even stream");
    }
    boolean opened = connection.role == Role.SERVER || streamId <= connection.lastOwnStreamId();
    if (!opened || (streamId & 1) == 0) {
      return failNull("HEADERS on a stream that nobody opened");
    }
    if (connection.peerStreams.wasSkipped(streamId)) {
      return failNull("HEADERS on a stream whose id was left out");
    }
    connection.streamErrors.onGone(streamId, StreamErrors.HEADERS, end);
    return null;
  }

  private @Nullable Http2Stream accept(int streamId) {
    Http2Stream stream = connection.acceptStream(streamId);
    if (stream == null) {
      connection.refuse(streamId, ErrorCode.REFUSED_STREAM);
      boolean knowingly =
          connection.isSettingsAcknowledged()
              && connection.peerStreams.isFullOnWire(connection.streamCount());
      Offence refusal = knowingly ? Offence.RESET_STREAM : Offence.UNSERVED_STREAM;
      connection.ledger.charge(refusal, connection.nowNanos).ifPresent(connection::fail);
    }
    return stream;
  }

  private void deliver(Http2Stream stream, EndStream end, @Nullable HeaderList list) {
    Step step = stream.state.onHeaders(end);
    if (step instanceof Step.To(var next)) {
      deliver(stream, end, list, next);
    } else if (step instanceof Step.Broken(ErrorCode code, String detail)) {
      fail(code, detail);
    }
  }

  private void deliver(
      Http2Stream stream, EndStream end, @Nullable HeaderList list, StreamState next) {
    Optional<Flaw> flaw =
        list == null
            ? connection.messages.onOversizedList(stream, end)
            : connection.messages.onList(stream, list, end);
    if (flaw.isPresent()) {
      String words = flaw.get().words();
      connection.streamErrors.end(stream, ErrorCode.PROTOCOL_ERROR, words);
    } else {
      connection.moveTo(stream, next);
      tell(stream, end, list);
    }
  }

  private void tell(Http2Stream stream, EndStream end, @Nullable HeaderList list) {
    if (list == null) {
      connection.events.onOversizedHeaders(stream, end);
    } else if (stream.hasHead) { // an interim response is of no use to anybody here
      connection.events.onHeaders(stream, list, end);
    }
  }

  private @Nullable Http2Stream failNull(String detail) {
    fail(ErrorCode.PROTOCOL_ERROR, detail);
    return null;
  }

  private void fail(ErrorCode code, String detail) {
    connection.fail(new Violation.OfConnection(code, detail));
  }
}
