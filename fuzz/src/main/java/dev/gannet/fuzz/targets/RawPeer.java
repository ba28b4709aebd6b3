package dev.gannet.fuzz.targets;

import dev.gannet.fuzz.targets.RecordedFrames.Frame;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.frame.FrameReader;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The fuzzer's end of a connection: sends the steps of a script in pieces, and has everything that
 * it receives audited.
 */
final class RawPeer implements PipeListener {
  private final SimulatedLoop loop;
  private final Pipe pipe;
  private final SplittableRandom random;
  private final WireAudit audit = new WireAudit();
  private final FrameReader reader;
  private final Role role;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private long heardBytes;
  private boolean closed;

  /**
   * @param role which end this is
   */
  RawPeer(SimulatedLoop loop, Pipe pipe, Role role, long seed) {
    this.loop = loop;
    this.pipe = pipe;
    this.role = role;
    this.random = new SplittableRandom(seed);
    this.reader = new FrameReader(role, Limits.LARGEST_MAX_FRAME_BYTES, audit);
  }

  /** Runs the script, unless the other end closes the connection before. */
  void play(List<Script.Step> steps) {
    for (Script.Step step : steps) {
      switch (step) {
        case Script.Step.Says says -> say(says.bytes());
        case Script.Step.Waits(var time) -> loop.advance(time);
      }
    }
    loop.runUntilIdle();
  }

  private void say(byte[] bytes) {
    if (random.nextInt(4) != 0) {
      write(ByteBuffer.wrap(bytes));
    } else {
      Pieces.of(bytes, random.nextLong()).forEach(this::write);
    }
  }

  private void write(ByteBuffer piece) {
    if (closed) {
      piece.position(piece.limit());
      return;
    }
    byte[] bytes = new byte[piece.remaining()];
    piece.get(bytes);
    said.writeBytes(bytes);
    pipe.reserve(bytes.length).put(bytes);
    pipe.flush();
    if (random.nextInt(4) != 0) { // otherwise it arrives in one batch with what follows
      loop.runUntilIdle();
    }
  }

  /** Closes the connection. */
  void close() {
    pipe.close();
    loop.runUntilIdle();
  }

  long saidBytes() {
    return said.size();
  }

  long heardBytes() {
    return heardBytes;
  }

  /** The received frames. */
  WireAudit audit() {
    return audit;
  }

  /** DATA never exceeds the connection window that this end has granted (RFC 9113 §6.9). */
  void checkWindow() {
    Role reading = role == Role.CLIENT ? Role.SERVER : Role.CLIENT;
    PlainFrames frames =
        PlainFrames.of(
            said.toByteArray(), reading, Limits.SMALLEST_MAX_FRAME_BYTES, Integer.MAX_VALUE);
    long allowed = Limits.INITIAL_WINDOW_BYTES;
    for (Frame frame : frames.frames()) {
      boolean widens = frame.type() == FrameType.WINDOW_UPDATE && frame.streamId() == 0;
      if (widens && frame.payloadBytes() == Integer.BYTES) {
        allowed += frame.content().getInt(0) & Integer.MAX_VALUE;
      }
    }
    Finding.unless(audit.dataBytes() <= allowed, "DATA beyond the connection's window");
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    heardBytes += bytes.remaining();
    reader.read(bytes);
  }

  @Override
  public void onBatchEnd() {}

  @Override
  public void onWritable() {}

  @Override
  public void onWake() {}

  @Override
  public void onClosed(String why) {
    closed = true;
  }
}
