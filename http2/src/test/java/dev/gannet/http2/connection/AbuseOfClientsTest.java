package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.CONTINUATION;
import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.priority;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import java.util.Arrays;

/** The same as {@link AbuseTest} from a server: a client has bounds as well. */
final class AbuseOfClientsTest {
  private static final int MANY = 2500;

  /** {@code :status: 200} as HPACK's static table has it. */
  private static final byte INDEXED_STATUS = (byte) 0x88;

  @ClientScript
  void aFloodOfPingsEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.PING, ping(1));
  }

  @ClientScript
  void aFloodOfSettingsEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.SETTINGS, settings());
  }

  @ClientScript
  void aFloodOfPriorityEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.PRIORITY, priority(1));
  }

  @ClientScript
  void aFloodOfUnknownFramesEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, raw(99, 0, 0, 0));
  }

  @ClientScript
  void acknowledgementsOfNoSettingsEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, settingsAck());
  }

  @ClientScript
  void answersToNoPingEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, pingAck(1));
  }

  @ClientScript
  void needlessWindowUpdatesEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WINDOW_UPDATE, windowUpdate(0, 1000));
  }

  @ClientScript
  void tinyWindowUpdatesEndTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 0);
    peer.asksForStream(EndStream.NO);
    peer.connectionSends(1, "d".repeat(3 * MANY), EndStream.NO);
    floods(peer, AbuseKind.WINDOW_UPDATE, windowUpdate(1, 1));
  }

  @ClientScript
  void aFloodOfEmptyDataEndsTheConnection(ScriptedPeer peer) {
    isAnswered(peer);
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO));
  }

  @ClientScript
  void aFloodOfOnlyPaddingEndsTheConnection(ScriptedPeer peer) {
    isAnswered(peer);
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO).paddedBy(0));
  }

  @ClientScript
  void tinyDataThatCompletesNoMessageEndsTheConnection(ScriptedPeer peer) {
    isAnswered(peer);
    floods(peer, AbuseKind.TINY_DATA, data(1, "c", EndStream.NO));
  }

  @ClientScript
  void dataOnAStreamThatWeResetEndsTheConnectionIfThereIsMuch(ScriptedPeer peer) {
    isAnswered(peer);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO));
  }

  @ClientScript
  void headersOnAStreamThatIsOverEndTheConnectionIfThereAreMany(ScriptedPeer peer) {
    isAnswered(peer);
    peer.sends(rstStream(1, ErrorCode.CANCEL));
    floods(peer, AbuseKind.LATE_FRAME, headers(1, Fields.TRAILERS, EndStream.NO));
  }

  @ClientScript
  void resetsOfAStreamThatIsOverEndTheConnectionIfThereAreMany(ScriptedPeer peer) {
    isAnswered(peer);
    floods(peer, AbuseKind.LATE_FRAME, rstStream(1, ErrorCode.CANCEL));
  }

  @ClientScript
  void nineContinuationsEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.sends(headers(1, Fields.RESPONSE, EndStream.NO).inFragments(9));
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void anEmptyContinuationEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    WireFrame[] block = headers(1, Fields.RESPONSE, EndStream.NO).inFragments(1);
    peer.sends(block[0], raw(CONTINUATION, 0, 1, 0), block[1]);
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void aBlockFarOverTheListLimitEndsTheConnectionBeforeItIsWhole(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    peer.sends(raw(HEADERS, 0, 1, 8000), raw(CONTINUATION, 0, 1, 1));
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ClientScript
  void aListFarOverTheLimitEndsTheConnectionWhenItIsWhole(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    peer.asksForStream(EndStream.YES);
    peer.rawFrames();
    byte[] bomb = new byte[240];
    Arrays.fill(bomb, INDEXED_STATUS); // an octet each, and 42 as they count
    peer.sends(raw(HEADERS, END_HEADERS, 1, bomb));
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  private static void isAnswered(ScriptedPeer peer) {
    peer.connects();
    peer.asksForStream(EndStream.NO);
    peer.sends(response(1, EndStream.NO));
  }

  private static void floods(ScriptedPeer peer, AbuseKind offence, WireFrame frame) {
    peer.rawFrames();
    peer.connectionHasTold();
    for (int i = 0; i < MANY && !peer.isOver(); i++) {
      peer.sends(frame);
    }
    peer.isCutOff(offence);
  }
}
