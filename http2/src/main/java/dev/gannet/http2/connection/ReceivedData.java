package dev.gannet.http2.connection;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.message.Flaw;
import dev.gannet.http2.stream.StreamState.Step;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * DATA from the peer, as it arrives in pieces (RFC 9113 §6.1, §6.9).
 *
 * <p>Padding counts in the windows and is given back here. Frames that carry little are counted as
 * offences, unless they completed something that their reader can use: many such frames cause work
 * and no progress. What was on its way when this side reset its stream is not counted, because it
 * may have been complete messages. Anything beyond that is counted, however much it carries,
 * because nobody can use it.
 */
final class ReceivedData {
  /**
   * A DATA frame smaller than this is tiny: its header and its processing cost more than its
   * content is worth.
   */
  private static final int TINY_BYTES = 256;

  private final ConnectionEnvironment environment;
  private final Streams streams;
  private final Outbound outbound;
  private final StreamErrors errors;
  private final ReceivedMessages messages;
  private final InboundFlow inbound;
  private @Nullable Http2Stream stream;
  private EndStream endStream = EndStream.NO;
  private boolean late;
  private boolean progress;
  private int frameBytes;
  private int contentBytes;
  private int crumbs;
  private int empties;

  ReceivedData(
      ConnectionEnvironment environment,
      Streams streams,
      Outbound outbound,
      StreamErrors errors,
      ReceivedMessages messages,
      InboundFlow inbound) {
    this.environment = environment;
    this.streams = streams;
    this.outbound = outbound;
    this.errors = errors;
    this.messages = messages;
    this.inbound = inbound;
  }

  /** What just arrived completed something that its reader can use. */
  void onProgress() {
    progress = true;
  }

  void beginFrame(FrameHeader header) {
    int streamId = header.streamId();
    stream = null;
    late = false;
    frameBytes = header.payloadBytes();
    contentBytes = 0;
    endStream = EndStream.of(header.has(Flags.END_STREAM));
    if (streamId == 0) {
      fail(ErrorCode.PROTOCOL_ERROR, "DATA on stream 0");
      return;
    }
    if (!inbound.take(frameBytes)) {
      fail(ErrorCode.FLOW_CONTROL_ERROR, "DATA overflows the connection's window");
      return;
    }
    progress = false;
    findStream(streamId);
  }

  /**
   * Finds the stream that the frame is for. Its state is asked only whether DATA may arrive,
   * whatever the frame's flag says: END_STREAM takes effect behind the content, in {@link
   * #endFrame}.
   */
  private void findStream(int streamId) {
    Http2Stream found = streams.find(streamId);
    if (found == null) {
      onUnknownStream(streamId);
    } else if (!found.receiveWindow.take(frameBytes)) {
      errors.reset(
          found,
          ErrorCode.FLOW_CONTROL_ERROR,
          "DATA overflows the stream's window (RFC 9113 §6.9.1)");
    } else if (found.state.onData(EndStream.NO) instanceof Step.Broken(var code, var detail)) {
      fail(code, detail);
    } else if (!found.hasHead) {
      breakOff(found, Flaw.CONTENT_EARLY);
    } else {
      stream = found;
    }
  }

  private void onUnknownStream(int streamId) {
    if (streams.isIdle(streamId)) {
      fail(ErrorCode.PROTOCOL_ERROR, "DATA on an idle stream");
    } else {
      late = errors.onGone(streamId, "DATA", endStream);
    }
  }

  void piece(ByteBuffer bytes) {
    contentBytes += bytes.remaining();
    Http2Stream of = stream;
    if (of == null || !of.state.isReadable()) {
      return;
    }
    Optional<Flaw> flaw = messages.onContent(of, bytes.remaining());
    if (flaw.isPresent()) {
      breakOff(of, flaw.get());
    } else {
      environment.events().onData(of, bytes);
    }
  }

  private void breakOff(Http2Stream of, Flaw flaw) {
    errors.reset(of, ErrorCode.PROTOCOL_ERROR, flaw.description());
  }

  void endFrame() {
    Http2Stream of = stream;
    stream = null;
    if (contentBytes == 0 || !tryForgive(of)) {
      count();
    }
    if (outbound.hasFailed()) {
      return;
    }
    inbound.onData(frameBytes);
    if (of == null || !of.state.isReadable()) {
      return;
    }
    if (frameBytes > contentBytes) {
      inbound.consumed(of, frameBytes - contentBytes);
    }
    if (endStream == EndStream.YES) {
      halfClose(of);
    }
  }

  /**
   * Forgives a frame that was on its way when its stream was reset; returns false if it was not. A
   * frame during which that happened was not part any more of what the stream's window still
   * allowed.
   */
  private boolean tryForgive(@Nullable Http2Stream of) {
    return of == null ? errors.spendLateData(frameBytes) : !of.state.isReadable();
  }

  /** All of the peer's message has arrived: it sends nothing more on the stream. */
  private void halfClose(Http2Stream of) {
    Optional<Flaw> flaw = messages.onEnd(of);
    if (flaw.isPresent()) {
      breakOff(of, flaw.get());
    } else if (of.state.onData(EndStream.YES) instanceof Step.To(var next)) {
      outbound.move(of, next);
      environment.events().onEndStream(of);
    }
  }

  /**
   * Each completed message makes up for two tiny frames, because some senders send its prefix
   * separately, and for one empty frame.
   */
  private void count() {
    if (progress) {
      for (int i = 0; i < 2 && crumbs > 0; i++) {
        crumbs--;
        errors.payBack(AbuseKind.TINY_DATA);
      }
      if (empties > 0) {
        empties--;
        errors.payBack(AbuseKind.EMPTY_DATA);
      }
    } else if (endStream == EndStream.NO && contentBytes == 0) {
      empties++;
      errors.charge(AbuseKind.EMPTY_DATA);
    } else if (endStream == EndStream.NO && contentBytes < TINY_BYTES) {
      crumbs++;
      errors.charge(AbuseKind.TINY_DATA);
    } else if (late && contentBytes >= TINY_BYTES) {
      errors.charge(AbuseKind.LATE_FRAME);
    }
  }

  private void fail(ErrorCode code, String detail) {
    outbound.fail(new Violation.OfConnection(code, detail));
  }
}
