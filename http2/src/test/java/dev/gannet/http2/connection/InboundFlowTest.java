package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;

/** How windows follow the way to the peer, and what readers leave lying. */
final class InboundFlowTest {
  private static final int WINDOW = 65_535;
  private static final int FRAME = 13_107; // a fifth of the window
  private static final long FIRST_SAMPLE = 0x6264_7000_0000_0001L;
  private static final int HELD = 1_600_000;

  private static final Limits GROWING =
      Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, WINDOW, 100_000, WindowLimits.UNBOUNDED));
  private static final Limits BOUND =
      Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, 200_000, 0, HELD));

  /** Data that fills the window arrives while the answer to the first sample is under way. */
  private static void fillsTheWindow(ScriptedPeer peer) {
    peer.sends(request(1, EndStream.NO));
    peer.sends(data(1, FRAME, EndStream.NO), data(1, FRAME, EndStream.NO));
    peer.receives(ping(FIRST_SAMPLE));
    peer.sends(data(1, FRAME, EndStream.NO));
    peer.receives(windowUpdate(0, 3 * FRAME));
    peer.sends(data(1, FRAME, EndStream.NO), data(1, FRAME, EndStream.NO));
  }

  @ServerScript
  void windowsGrowWithTheBandwidthDelayProduct(ScriptedPeer peer) {
    peer.connects(GROWING);
    fillsTheWindow(peer);
    peer.sends(pingAck(FIRST_SAMPLE));
    peer.receives(
        windowUpdate(0, 2 * FRAME + 100_000 - WINDOW), settings(INITIAL_WINDOW_SIZE, 100_000));
    peer.sends(settingsAck());
    peer.receivesNothingElse();
    assertThat(peer.connection().streamWindowBytes()).isEqualTo(100_000);
    for (int i = 0; i < 2; i++) {
      peer.sends(data(1, FRAME, EndStream.NO));
    }
    peer.sends(data(1, 100_000 - 7 * FRAME, EndStream.NO));
    peer.connection().flush();
    assertThat(peer.rawFrames()).noneMatch(frame -> frame.type() == WireFrame.RST_STREAM);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(rstStream(1, ErrorCode.FLOW_CONTROL_ERROR));
  }

  @ServerScript
  void aGrownWindowCountsForStreamsThatTheAcknowledgementOvertakes(ScriptedPeer peer) {
    peer.connects(GROWING);
    fillsTheWindow(peer);
    peer.sends(pingAck(FIRST_SAMPLE));
    peer.rawFrames();
    peer.sends(data(1, FRAME, EndStream.NO), request(3, EndStream.NO));
    for (int i = 0; i < 5; i++) {
      peer.sends(data(3, FRAME, EndStream.NO));
    }
    peer.sends(data(3, 100, EndStream.NO));
    assertThat(peer.rawFrames()).noneMatch(frame -> frame.type() == WireFrame.RST_STREAM);
  }

  @ServerScript
  void onlyAnswersToOtherPingsAreReported(ScriptedPeer peer) {
    peer.connects(GROWING);
    fillsTheWindow(peer);
    peer.connectionHasTold();
    peer.connection().ping(FIRST_SAMPLE);
    peer.connection().ping(7);
    peer.sends(pingAck(FIRST_SAMPLE), pingAck(FIRST_SAMPLE), pingAck(7));
    peer.connectionTells(new Told.PingAck(FIRST_SAMPLE), new Told.PingAck(7));
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void anAnswerThatIsForgedGrowsNothing(ScriptedPeer peer) {
    peer.connects(GROWING);
    peer.sends(pingAck(FIRST_SAMPLE), request(1, EndStream.NO));
    fillAllBut(peer);
    peer.sends(pingAck(FIRST_SAMPLE + 1));
    peer.receivesNothingElse();
    assertThat(peer.connection().streamWindowBytes()).isEqualTo(WINDOW);
  }

  private static void fillAllBut(ScriptedPeer peer) {
    peer.sends(data(1, FRAME, EndStream.NO), data(1, FRAME, EndStream.NO));
    peer.receives(ping(FIRST_SAMPLE));
  }

  @ServerScript
  void noSecondSampleIsTakenWhileAnAnswerIsMissing(ScriptedPeer peer) {
    peer.connects(GROWING);
    fillsTheWindow(peer);
    peer.rawFrames();
    peer.connection().consumed(peer.stream(1), 4 * FRAME);
    for (int i = 0; i < 50; i++) {
      peer.connection().consumed(peer.stream(1), FRAME);
      peer.waitsSeconds(60);
      peer.sends(data(1, FRAME, EndStream.NO));
    }
    assertThat(peer.rawFrames()).noneMatch(frame -> frame.type() == WireFrame.PING);
  }

  @ServerScript
  void streamsThatHoldMuchMakeAllWindowsSmall(ScriptedPeer peer) {
    peer.connects(BOUND);
    peer.sends(request(1, EndStream.NO));
    peer.connection().hold(HELD / 2);
    peer.receivesNothingElse();
    peer.sends(data(1, 1, EndStream.NO));
    assertThat(peer.connection().isCrowded()).isFalse();
    peer.connection().hold(1);
    peer.receivesNothingElse();
    peer.sends(request(3, EndStream.NO), data(3, 1, EndStream.NO));
    assertThat(peer.connection().isCrowded()).isTrue();
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 4));
  }

  @ServerScript
  void aCrowdedConnectionSharesAPartOfItsBoundAmongItsStreams(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 31; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 16));
    assertThat(peer.connection().isCrowded()).isTrue();
    peer.sends(request(33, EndStream.NO), data(33, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 64));
    peer.sends(settingsAck(), settingsAck());
    peer.receivesNothingElse();
  }

  @ServerScript
  void streamsThatSendNoMoreTakeNoShare(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 201; streamId += 2) {
      peer.sends(request(streamId, streamId <= 7 ? EndStream.NO : EndStream.YES));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 4));
  }

  @ServerScript
  void streamsThatHaveEndedUnreadKeepTheirShare(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 31; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO), data(streamId, 1, EndStream.YES));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(request(33, EndStream.NO), data(33, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 64));
  }

  @ServerScript
  void aReducedWindowAppliesAfterItsAcknowledgement(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 31; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 16));
    for (int i = 0; i < 5; i++) {
      peer.sends(data(5, FRAME, EndStream.NO));
    }
    peer.sends(settingsAck(), data(1, "", EndStream.NO), data(3, 6250, EndStream.NO));
    assertThat(peer.isOver()).isFalse();
    peer.sends(data(3, 1, EndStream.NO));
    peer.receives(rstStream(3, ErrorCode.FLOW_CONTROL_ERROR));
  }

  @ServerScript
  void eachOfTwoReductionsAppliesAfterItsOwnAcknowledgement(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 31; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO), request(33, EndStream.NO), data(33, 1, EndStream.NO));
    peer.receives(
        settings(INITIAL_WINDOW_SIZE, HELD / 16 / 16),
        settings(INITIAL_WINDOW_SIZE, HELD / 16 / 64));
    peer.sends(settingsAck(), data(3, HELD / 16 / 16, EndStream.NO));
    peer.receivesNothingElse();
    peer.sends(settingsAck(), data(5, HELD / 16 / 64, EndStream.NO));
    peer.receivesNothingElse();
    peer.sends(data(5, 1, EndStream.NO));
    peer.receives(rstStream(5, ErrorCode.FLOW_CONTROL_ERROR));
  }

  @ServerScript
  void aStreamWithAReducedWindowContinuesAsItIsRead(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 31; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.sends(data(1, FRAME, EndStream.NO), data(1, FRAME, EndStream.NO));
    peer.connection().consumed(peer.stream(1), 2 * FRAME);
    peer.receivesNothingElse();
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, 6250));
    peer.sends(settingsAck());
    peer.receives(windowUpdate(1, 2 * FRAME));
  }

  @ServerScript
  void windowsComeBackSomeTimeAfterReadersHaveRead(ScriptedPeer peer) {
    peer.connects(BOUND);
    for (int streamId = 1; streamId <= 7; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.connection().hold(HELD / 2 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 16 / 4));
    peer.sends(settingsAck());
    peer.connection().hold(-HELD / 2 - 1);
    peer.receivesNothingElse();
    peer.waitsSeconds(19);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receivesNothingElse();
    peer.waitsSeconds(1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, WINDOW));
    peer.sends(settingsAck(), data(1, 1, EndStream.NO));
    peer.receivesNothingElse();
  }

  @ServerScript
  void theBoundGrowsWithTheWindow(ScriptedPeer peer) {
    int grown = 2 * WINDOW;
    peer.connects(Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, WINDOW, grown, HELD)));
    fillsTheWindow(peer);
    peer.sends(pingAck(FIRST_SAMPLE), settingsAck());
    peer.connection().hold(HELD); // half of what may be held now
    peer.sends(request(3, EndStream.NO), data(3, 1, EndStream.NO));
    assertThat(peer.connection().isCrowded())
        .as("crowded by half of the bound, which has grown as the window has")
        .isFalse();
    peer.connection().hold(1);
    peer.sends(data(3, 1, EndStream.NO));
    assertThat(peer.connection().isCrowded()).as("crowded by more than half").isTrue();
  }

  @ServerScript
  void nothingMayComeBeyondTheBoundAndAWindow(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, WINDOW, 0, HELD)));
    peer.sends(request(1, EndStream.NO));
    peer.connection().hold(HELD + WINDOW);
    peer.rawFrames();
    for (int i = 0; i < 5; i++) {
      peer.sends(data(1, FRAME, EndStream.NO));
    }
    peer.receivesNothingElse();
    peer.connection().hold(-WINDOW / 2);
    peer.receives(windowUpdate(0, WINDOW / 2));
    peer.connection().hold(-WINDOW);
    peer.receives(windowUpdate(0, WINDOW - WINDOW / 2));
  }

  @ServerScript
  void aSqueezedConnectionMayHoldAQuarterAndDoesNotGrow(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, WINDOW, 1 << 20, HELD)));
    peer.connection().squeeze(true);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.connection().hold(HELD / 8 + 1);
    peer.sends(data(1, 1, EndStream.NO));
    peer.receives(settings(INITIAL_WINDOW_SIZE, HELD / 4 / 16 / 4));
    for (int i = 0; i < 4; i++) {
      peer.sends(data(1, FRAME, EndStream.NO));
    }
    assertThat(peer.rawFrames()).noneMatch(frame -> frame.type() == WireFrame.PING);
    peer.connection().squeeze(false);
    peer.sends(settingsAck());
    peer.receivesNothingElse();
    peer.waitsSeconds(20);
    peer.sends(data(3, FRAME / 2, EndStream.NO));
    assertThat(peer.rawFrames())
        .anyMatch(frame -> frame.type() == WireFrame.SETTINGS)
        .anyMatch(frame -> frame.type() == WireFrame.PING);
  }

  /** Peers count SETTINGS, this one among them. */
  @ServerScript
  void settingsAreSentRarelyWhateverHappens(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(new WindowLimits(WINDOW, WINDOW, 1 << 20, HELD)));
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    int said = 0;
    for (int second = 0; second < 600; second++) {
      peer.connection().squeeze(second % 2 == 0);
      peer.connection().hold(second % 3 == 0 ? HELD : -HELD / 2);
      peer.sends(data(1, 1, EndStream.NO));
      for (WireFrame frame : peer.rawFrames()) {
        if (frame.type() == WireFrame.SETTINGS) {
          said++;
          peer.sends(settingsAck());
        }
      }
      peer.waitsSeconds(1);
    }
    assertThat(said).isLessThanOrEqualTo(10 * 10);
  }

  @ClientScript
  void aClientMeasuresAsWell(ScriptedPeer peer) {
    peer.connects(GROWING);
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.sends(WireFrame.response(1, EndStream.NO));
    peer.sends(data(1, FRAME, EndStream.NO), data(1, FRAME, EndStream.NO));
    peer.receives(ping(FIRST_SAMPLE));
  }
}
