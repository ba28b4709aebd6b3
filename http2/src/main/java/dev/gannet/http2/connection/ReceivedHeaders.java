package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Excess;
import dev.gannet.http2.HeaderLimits;
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
 * <p>Every block is decoded to its end, even if it is not wanted, because all streams share the
 * compression state.
 */
final class ReceivedHeaders {
  private static final int PRIORITY_BYTES = 5;

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final StreamErrors errors;
  private final ReceivedMessages messages;
  private final Intake intake;
  private final HeaderAssembly assembly;

  /**
   * Created for the first block: its tables are a third of the memory of a connection without
   * calls.
   */
  private @Nullable HpackDecoder decoder;

  private boolean decoderKnowsSettings;

  ReceivedHeaders(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      StreamErrors errors,
      ReceivedMessages messages,
      Intake intake) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.errors = errors;
    this.messages = messages;
    this.intake = intake;
    this.assembly = new HeaderAssembly(environment.limits());
  }

  /**
   * Approximately how many bytes it keeps of blocks, and of header lists to recognize them again.
   */
  int keptBytes() {
    return assembly.keptBytes() + (decoder == null ? 0 : decoder.keptBytes());
  }

  boolean isBlockOpen() {
    return assembly.isOpen();
  }

  private HpackDecoder decoder() {
    HpackDecoder made = decoder;
    if (made == null) {
      HeaderLimits limits = environment.limits().headers();
      made = new HpackDecoder(limits.tableBytes(), limits.maxListBytes(), limits.maxFields());
      decoder = made;
    }
    if (!decoderKnowsSettings && streams.areSettingsKnown()) {
      made.onSettingsAcknowledged();
      decoderKnowsSettings = true;
    }
    return made;
  }

  void onHeaders(FrameHeader header, ByteBuffer payload) {
    intake.onBlock(payload.remaining());
    if (header.streamId() == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "HEADERS on stream 0");
      return;
    }
    if (!cutToFragment(header, payload)) {
      return;
    }
    EndStream end = EndStream.of(header.has(Flags.END_STREAM));
    if (assembly.isFarTooLong(payload.remaining())) {
      assembly.farTooLong().ifPresent(outbound::fail);
    } else if (header.has(Flags.END_HEADERS)) {
      onBlock(header.streamId(), end, payload);
    } else {
      assembly.begin(header.streamId(), end, payload).ifPresent(outbound::fail);
    }
  }

  void onContinuation(FrameHeader header, ByteBuffer payload) {
    intake.onBlock(payload.remaining());
    if (!assembly.isOpen() || header.streamId() != assembly.streamId()) {
      fail(ErrorCode.PROTOCOL_ERROR, "CONTINUATION without a header block of its stream");
      return;
    }
    Optional<Violation> violation = assembly.add(payload);
    violation.ifPresent(outbound::fail);
    if (violation.isEmpty() && header.has(Flags.END_HEADERS)) {
      int streamId = assembly.streamId();
      onBlock(streamId, assembly.end(), assembly.take());
    }
  }

  /** Keeps what is between the priority fields and the padding. */
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
    HeaderLimits limits = environment.limits().headers();
    if (list.sizeBytes() / HeaderLimits.FAR_OVER > limits.maxListBytes()
        || list.fields() / HeaderLimits.FAR_OVER > limits.maxFields()) {
      outbound.fail(
          new Violation.OverLimit(
              Excess.HEADERS,
              "a header list exceeds "
                  + HeaderLimits.FAR_OVER
                  + " times maxInboundMetadataBytes ("
                  + limits.maxListBytes()
                  + ") or maxHeaderFields ("
                  + limits.maxFields()
                  + ")"));
      return;
    }
    if (errors.charge(AbuseKind.OVERSIZED_HEADERS)) {
      onList(streamId, end, null);
    }
  }

  private void onList(int streamId, EndStream end, @Nullable HeaderList list) {
    Http2Stream stream = streams.find(streamId);
    if (stream == null) {
      stream = streamFor(streamId, end, list);
    }
    if (stream != null) {
      deliver(stream, end, list);
    }
  }

  private @Nullable Http2Stream streamFor(int streamId, EndStream end, @Nullable HeaderList list) {
    if (streams.isNewOfPeer(streamId)) {
      return (streamId & 1) == 1
          ? accept(streamId, list)
          : failNull("a client opened an even stream");
    }
    if (streams.isIdle(streamId)) {
      return failNull("HEADERS on a stream that was not opened");
    }
    if (streams.wasSkipped(streamId)) {
      return failNull("HEADERS on a stream whose id was skipped");
    }
    errors.onGone(streamId, StreamErrors.HEADERS, end);
    return null;
  }

  private @Nullable Http2Stream accept(int streamId, @Nullable HeaderList list) {
    Http2Stream stream = streams.admit(streamId);
    if (stream == null) {
      outbound.refuse(streamId, ErrorCode.REFUSED_STREAM);
      if (errors.charge(
          streams.isKnownToBeFull() ? AbuseKind.RESET_STREAM : AbuseKind.UNSERVED_STREAM)) {
        environment.events().onRefusedStream(list);
      }
    } else {
      intake.onNewStream();
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
        list == null ? messages.onOversizedList(stream, end) : messages.onList(stream, list, end);
    if (flaw.isPresent()) {
      String words = flaw.get().description();
      errors.reset(stream, ErrorCode.PROTOCOL_ERROR, words);
    } else {
      outbound.move(stream, next);
      report(stream, end, list);
    }
  }

  private void report(Http2Stream stream, EndStream end, @Nullable HeaderList list) {
    if (list == null) {
      environment.events().onOversizedHeaders(stream, end);
    } else if (stream.hasHead) { // an interim response is ignored
      environment.events().onHeaders(stream, list, end);
    }
  }

  private @Nullable Http2Stream failNull(String detail) {
    fail(ErrorCode.PROTOCOL_ERROR, detail);
    return null;
  }

  private void fail(ErrorCode code, String detail) {
    outbound.fail(new Violation.OfConnection(code, detail));
  }
}
