package dev.gannet.fuzz.targets;

import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.Violation;
import dev.gannet.http2.frame.FrameHandler;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameReader;
import java.nio.ByteBuffer;

/**
 * Bytes to frames: the same frames however the bytes are cut and the reading is paused, the frames
 * that the plainest reading gives, and memory that grows with what came and not with what a length
 * claims.
 *
 * <pre>
 *   options (1) | seed of the cuts (4) | bytes
 * </pre>
 */
public final class FrameReading {
  private static final int MAX_FRAME_BYTES = Limits.SMALLEST_MAX_FRAME_BYTES;
  private static final int SERVER = 1;
  private static final int PREFACE = 2;
  private static final int STOP = 4;
  private static final int ENDLESS = Integer.MAX_VALUE;

  /** The reader's own memory, whatever the input. */
  private static final int FIXED_BYTES = 2 << 10;

  private FrameReading() {}

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    Input in = new Input(input);
    int options = in.octet();
    int seed = in.number();
    Role role = (options & SERVER) != 0 ? Role.SERVER : Role.CLIENT;
    boolean preface = (options & PREFACE) != 0 && role == Role.SERVER;
    byte[] bytes = preface ? Bytes.join(PlainFrames.PREFACE, in.rest()) : in.rest();
    int mostFrames = (options & STOP) != 0 ? 1 + (options >>> 3) : ENDLESS;

    RecordedFrames whole = new RecordedFrames(mostFrames);
    read(Pieces.whole(bytes), role, whole);
    RecordedFrames cut = new RecordedFrames(mostFrames);
    if ((seed & 1) == 0) {
      cut.pauseOften();
    }
    read(Pieces.of(bytes, seed), role, cut);
    Finding.unlessEqual(whole.frames(), cut.frames(), "cuts change the frames");
    Finding.unlessEqual(whole.broken(), cut.broken(), "cuts change the violation");
    PlainFrames plain = PlainFrames.of(bytes, role, MAX_FRAME_BYTES, mostFrames);
    Finding.unlessEqual(plain.frames(), whole.frames(), "these are not the frames");
    Finding.unlessEqual(
        plain.broken(), whole.broken().isPresent(), "this is not where the frames break");
    holdBudget(Pieces.of(bytes, seed), role);
  }

  private static void read(Pieces pieces, Role role, RecordedFrames seen) {
    FrameReader reader = new FrameReader(role, MAX_FRAME_BYTES, seen);
    pieces.forEach(piece -> readPiece(reader, piece, seen));
  }

  private static void readPiece(FrameReader reader, ByteBuffer piece, RecordedFrames seen) {
    do {
      seen.goOn();
      reader.read(piece);
      Finding.unless(
          !piece.hasRemaining() || !seen.wantsFrames(), "bytes are left though they are wanted");
    } while (piece.hasRemaining() && seen.isPaused());
  }

  private static void holdBudget(Pieces pieces, Role role) {
    Budget.hold(
        () -> 4 * pieces.costBytes() + FIXED_BYTES,
        () -> pieces.forEach(new FrameReader(role, MAX_FRAME_BYTES, new Blind())::read));
  }

  /** Ignores all frames, so that only the reader's own memory is counted. */
  private static final class Blind implements FrameHandler {
    private boolean broken;

    @Override
    public void onFrame(FrameHeader header, ByteBuffer payload) {}

    @Override
    public void onDataHeader(FrameHeader header) {}

    @Override
    public void onDataBytes(ByteBuffer piece) {}

    @Override
    public void onDataEnd() {}

    @Override
    public void onBroken(Violation violation) {
      broken = true;
    }

    @Override
    public boolean wantsFrames() {
      return !broken;
    }
  }
}
