package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.MAX_FRAME_SIZE;
import static dev.gannet.http2.connection.WireFrame.PRIORITY;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import java.nio.ByteBuffer;
import java.util.function.IntFunction;

/** What was published about other implementations of HTTP/2, where no other script has it. */
final class AdvisoriesTest {
  private static final int MANY = 2000;

  @ClientScript
  void aMaxFrameSizeOfZeroEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(MAX_FRAME_SIZE, 0));
    peer.isCutOff(ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void thirtyThreeSettingsInAFrameEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(new int[2 * 33]));
    assertThat(peer.isOver()).isTrue();
  }

  @ServerScript
  void emptyWindowUpdatesCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(peer, EndStream.NO, id -> windowUpdate(id, 0));
  }

  @ServerScript
  void overflowingWindowsCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(peer, EndStream.NO, id -> windowUpdate(id, Integer.MAX_VALUE));
  }

  @ServerScript
  void shortPriorityFramesCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(peer, EndStream.NO, id -> raw(PRIORITY, 0, id, 4));
  }

  @ServerScript
  void selfDependentStreamsCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(
        peer, EndStream.NO, id -> raw(PRIORITY, 0, id, ByteBuffer.allocate(5).putInt(id).array()));
  }

  @ServerScript
  void dataAfterTheEndCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(peer, EndStream.YES, id -> data(id, "late", EndStream.YES));
  }

  @ServerScript
  void headersAfterTheEndCannotForceEndlessResets(ScriptedPeer peer) {
    isNoWayToResets(peer, EndStream.YES, id -> request(id, EndStream.YES));
  }

  @ServerScript
  void resetsOfAStreamThatNobodyOpenedEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(rstStream(1, ErrorCode.CANCEL));
    peer.isCutOff(ErrorCode.PROTOCOL_ERROR);
  }

  private static void isNoWayToResets(
      ScriptedPeer peer, EndStream end, IntFunction<WireFrame> wrongFrame) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, end), wrongFrame.apply(streamId));
      if (!peer.isOver()) {
        assertThat(peer.knowsStream(streamId))
            .as("stream %d opened: the wrong frames before it reset their streams", streamId)
            .isTrue();
        peer.connection().release(peer.stream(streamId));
      }
    }
    assertThat(peer.isOver()).as("over after %d wrong frames", MANY / 2).isTrue();
  }
}
