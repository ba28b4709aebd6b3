package dev.gannet.fuzz.targets;

import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.FrameHandler;
import dev.gannet.http2.frame.FrameHeader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps the frames of a reader, as plain values that can be compared. */
final class RecordedFrames implements FrameHandler {
  /**
   * A complete frame.
   *
   * @param content the payload; of DATA without its padding
   */
  record Frame(int type, int flags, int streamId, int payloadBytes, ByteBuffer content) {}

  private static final int FLAG_BITS = 8;

  private final int mostFrames;
  private final List<Frame> frames = new ArrayList<>();
  private final List<Frame> begun = new ArrayList<>(1);
  private Optional<ErrorCode> broken = Optional.empty();
  private boolean pausing;
  private boolean paused;

  /** Accepts this many frames and then no more. */
  RecordedFrames(int mostFrames) {
    this.mostFrames = mostFrames;
  }

  List<Frame> frames() {
    return frames;
  }

  /** Why there are no more frames, if there was a violation. */
  Optional<ErrorCode> broken() {
    return broken;
  }

  /** Pauses after each frame until it is resumed. */
  void pauseOften() {
    pausing = true;
  }

  boolean isPaused() {
    return paused;
  }

  void goOn() {
    paused = false;
  }

  private void add(Frame frame) {
    frames.add(frame);
    paused = pausing;
  }

  @Override
  public void onFrame(FrameHeader header, ByteBuffer payload) {
    Finding.unless(begun.isEmpty(), "a frame came inside DATA");
    Finding.unless(payload.remaining() == header.payloadBytes(), "a payload has another length");
    Frame frame = frameFor(header);
    frame.content.put(payload).flip();
    add(frame);
  }

  @Override
  public void onDataHeader(FrameHeader header) {
    Finding.unless(begun.isEmpty(), "DATA began inside DATA");
    begun.add(frameFor(header));
  }

  @Override
  public void onDataBytes(ByteBuffer piece) {
    Finding.unless(!begun.isEmpty(), "a piece of DATA came outside DATA");
    begun.getFirst().content.put(piece);
  }

  @Override
  public void onDataEnd() {
    Finding.unless(!begun.isEmpty(), "DATA ended that never began");
    Frame frame = begun.removeFirst();
    frame.content.flip();
    add(frame);
  }

  @Override
  public void onBroken(Violation violation) {
    Finding.unless(broken.isEmpty(), "the reader broke twice");
    broken = Optional.of(violation.code());
  }

  @Override
  public boolean wantsFrames() {
    return broken.isEmpty() && !paused && frames.size() < mostFrames;
  }

  private static Frame frameFor(FrameHeader header) {
    int flags = 0;
    for (int bit = 0; bit < FLAG_BITS; bit++) {
      flags |= header.has(1 << bit) ? 1 << bit : 0;
    }
    ByteBuffer content = ByteBuffer.allocate(header.payloadBytes());
    return new Frame(header.type(), flags, header.streamId(), header.payloadBytes(), content);
  }
}
