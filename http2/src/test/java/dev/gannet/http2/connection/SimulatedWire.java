package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.ByteSink;
import dev.gannet.http2.Role;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * One direction of a simulated connection: octets on their way, and the windows of their sender
 * reckoned once more from the frames alone (RFC 9113 §6.9).
 */
final class SimulatedWire implements ByteSink {
  static final int CONNECTION = 0;

  private static final int INITIAL_WINDOW_BYTES = 65_535;
  private static final short SAMPLE = 0x6264; // PINGs that measure begin so

  private final WrittenBytes written = new WrittenBytes();
  private final FrameCutter writtenFrames = new FrameCutter();
  private final FrameCutter learnedFrames = new FrameCutter();
  private final int capacityBytes;
  private final Map<Integer, Long> streamCredits = new HashMap<>();
  private final Map<Integer, Long> received = new HashMap<>();
  private final Map<Integer, Long> givenBack = new HashMap<>();
  private byte[] underWay = {};
  private long connectionCredit = INITIAL_WINDOW_BYTES;
  private long initialCredit = INITIAL_WINDOW_BYTES;
  private int prefaceBytesLeft;
  private int prefaceBytesToLearn;
  private boolean spoke;

  /** A wire on which the client's preface goes one way or the other. */
  SimulatedWire(int capacityBytes, Role sender) {
    this.capacityBytes = capacityBytes;
    this.prefaceBytesLeft = sender == Role.CLIENT ? ScriptedPeer.PREFACE.length : 0;
    this.prefaceBytesToLearn = ScriptedPeer.PREFACE.length - prefaceBytesLeft;
  }

  @Override
  public ByteBuffer reserve(int bytes) {
    return written.reserve(bytes);
  }

  @Override
  public boolean wantsMore() {
    return underWay.length + written.size() < capacityBytes;
  }

  /** Takes what was written onto the wire and checks that it was allowed. */
  void collect() {
    byte[] more = written.take();
    int before = underWay.length;
    underWay = Arrays.copyOf(underWay, before + more.length);
    System.arraycopy(more, 0, underWay, before, more.length);
    int skipped = Math.min(prefaceBytesLeft, more.length);
    prefaceBytesLeft -= skipped;
    for (WireFrame frame : writtenFrames.cut(Arrays.copyOfRange(more, skipped, more.length))) {
      onWritten(frame);
    }
  }

  private void onWritten(WireFrame frame) {
    int streamId = frame.streamId();
    spoke |= frame.type() == WireFrame.HEADERS || frame.type() == WireFrame.DATA;
    if (frame.type() == WireFrame.HEADERS) {
      streamCredits.putIfAbsent(streamId, initialCredit);
    } else if (frame.type() == WireFrame.DATA && frame.payloadBytes() > 0) {
      connectionCredit -= frame.payloadBytes();
      streamCredits.merge(streamId, (long) -frame.payloadBytes(), Long::sum);
      assertThat(connectionCredit).as("credit of the connection").isNotNegative();
      assertThat(streamCredits.get(streamId)).as("credit of stream " + streamId).isNotNegative();
    } else if (frame.type() == WireFrame.WINDOW_UPDATE) {
      givenBack.merge(streamId, (long) frame.intAt(0), Long::sum);
    }
  }

  /** Some octets leave the wire at its other end. */
  byte[] arrive(Random random) {
    if (underWay.length == 0) {
      return underWay;
    }
    int bound = random.nextBoolean() ? underWay.length : Math.min(underWay.length, 50);
    byte[] arrived = Arrays.copyOf(underWay, 1 + random.nextInt(bound));
    underWay = Arrays.copyOfRange(underWay, arrived.length, underWay.length);
    return arrived;
  }

  /** The sender of this wire reads octets of its peer. */
  void learn(byte[] fromPeer) {
    int skipped = Math.min(prefaceBytesToLearn, fromPeer.length);
    prefaceBytesToLearn -= skipped;
    byte[] frames = Arrays.copyOfRange(fromPeer, skipped, fromPeer.length);
    for (WireFrame frame : learnedFrames.cut(frames)) {
      if (frame.type() == WireFrame.WINDOW_UPDATE) {
        onWindowUpdate(frame);
      } else if (frame.type() == WireFrame.SETTINGS) {
        onSettings(frame);
      } else if (frame.type() == WireFrame.HEADERS) {
        streamCredits.putIfAbsent(frame.streamId(), initialCredit);
      } else if (frame.type() == WireFrame.PING && !frame.has(WireFrame.ACK)) {
        onPing(frame);
      } else if (frame.type() == WireFrame.DATA) {
        received.merge(frame.streamId(), (long) frame.payloadBytes(), Long::sum);
        received.merge(CONNECTION, (long) frame.payloadBytes(), Long::sum);
      }
    }
  }

  /**
   * Servers may punish each PING that comes before they have sent anything since the one before.
   */
  private void onPing(WireFrame frame) {
    if (frame.payload().getShort(0) == SAMPLE) {
      assertThat(spoke).as("something was sent since the last sample").isTrue();
      spoke = false;
    }
  }

  private void onWindowUpdate(WireFrame frame) {
    if (frame.streamId() == 0) {
      connectionCredit += frame.intAt(0);
    } else {
      streamCredits.merge(frame.streamId(), (long) frame.intAt(0), Long::sum);
    }
  }

  private void onSettings(WireFrame frame) {
    for (ByteBuffer in = frame.payload().duplicate(); in.hasRemaining(); ) {
      int id = in.getShort();
      int value = in.getInt();
      if (id == WireFrame.INITIAL_WINDOW_SIZE) {
        long change = value - initialCredit;
        initialCredit = value;
        streamCredits.replaceAll((stream, credit) -> credit + change);
      }
    }
  }

  /** Whether the sender of this wire has read whole frames only. */
  boolean hasLearnedWholeFrames() {
    return learnedFrames.keptBytes() == 0;
  }

  /** What the sender may send now on that stream, as far as the stream goes. */
  long streamCredit(int streamId) {
    return streamCredits.getOrDefault(streamId, initialCredit);
  }

  /** What the sender has received on that stream, or on all, and not given back. */
  long notGivenBack(int streamId) {
    return received.getOrDefault(streamId, 0L) - givenBack.getOrDefault(streamId, 0L);
  }

  boolean isEmpty() {
    return underWay.length == 0;
  }

  /** What the sender may send now on any stream. */
  long connectionCredit() {
    return connectionCredit;
  }
}
