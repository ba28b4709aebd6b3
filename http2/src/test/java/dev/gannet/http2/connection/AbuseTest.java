package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.CONTINUATION;
import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.END_STREAM;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.goAway;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.priority;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.AbuseKind;
import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.hpack.HeaderList;
import java.util.Arrays;

/** What is cheap to send and dear to serve has bounds (RFC 9113 §10.5). */
final class AbuseTest {
  private static final int MANY = 2500;

  /** {@code :method: GET} as HPACK's static table has it. */
  private static final byte INDEXED_METHOD = (byte) 0x82;

  @ServerScript
  void aFloodOfPingsEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.PING, ping(1));
  }

  /** Peers that measure the way (grpc-go, say) ask with each answer that reaches them. */
  @ServerScript
  void aPingForEachAnswerIsHonest(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < MANY; i++) {
      int streamId = 2 * i + 1;
      peer.sends(request(streamId, EndStream.YES));
      peer.connectionResponds(streamId, EndStream.YES);
      peer.connection().release(peer.stream(streamId));
      peer.sends(ping(i));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aPingForEachMessageIsHonest(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.NO);
    for (int i = 0; i < MANY; i++) {
      peer.connectionSends(1, "message", EndStream.NO);
      peer.sends(ping(i));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aFloodOfSettingsEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.SETTINGS, settings());
  }

  @ServerScript
  void aFloodOfPriorityEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.PRIORITY, priority(1));
  }

  @ServerScript
  void aFloodOfGoAwaysEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.GOAWAY, goAway(0, ErrorCode.NO_ERROR));
  }

  @ClientScript
  void aFloodOfGoAwaysOfAServerEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.GOAWAY, goAway(0, ErrorCode.ENHANCE_YOUR_CALM));
  }

  @ClientScript
  void aHandfulOfGoAwaysIsHonest(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < 5; i++) {
      peer.sends(goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aFloodOfEmptyDataEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO));
  }

  @ServerScript
  void aFloodOfOnlyPaddingEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO).paddedBy(0));
  }

  @ServerScript
  void aFloodOfEmptyDataOnAStreamThatWeResetEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    floods(peer, AbuseKind.EMPTY_DATA, data(1, "", EndStream.NO));
  }

  @ServerScript
  void streamsOpenedAndResetInALoopEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
      if (!peer.isOver()) {
        peer.connection().release(peer.stream(streamId));
      }
    }
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void unservedCallsEarnNoResets(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 4) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
      if (!peer.isOver()) {
        peer.connection().release(peer.stream(streamId));
        peer.sends(request(streamId + 2, EndStream.YES));
        peer.connectionResponds(streamId + 2, EndStream.YES);
        peer.connection().release(peer.stream(streamId + 2));
      }
    }
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void servedCallsEarnResets(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < MANY; streamId += 4) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
      peer.connection().release(peer.stream(streamId));
      peer.sends(request(streamId + 2, EndStream.YES));
      peer.connectionResponds(streamId + 2, EndStream.YES);
      peer.connection().onServed();
      peer.connection().release(peer.stream(streamId + 2));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void withMoreConcurrentStreamsMoreResetsAreAllowedAtOnce(ScriptedPeer peer) {
    int streams = MANY / 4;
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(streams));
    for (int i = 0; i < 2 * streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.YES), rstStream(2 * i + 1, ErrorCode.CANCEL));
      peer.connection().release(peer.stream(2 * i + 1));
    }
    assertThat(peer.isOver()).isFalse();
    peer.sends(request(MANY * 2 + 1, EndStream.YES), rstStream(MANY * 2 + 1, ErrorCode.CANCEL));
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void withUnlimitedStreamsResetsAreStillLimited(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(Integer.MAX_VALUE));
    for (int streamId = 1; !peer.isOver() && streamId < 4 * MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
    }
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void servedCallsEarnOversizedLists(ScriptedPeer peer) {
    HeaderList large = Fields.requestWith("large", "v".repeat(10_000));
    peer.connects();
    for (int streamId = 1; streamId < MANY; streamId += 4) {
      peer.sends(headers(streamId, large, EndStream.YES));
      peer.connectionResponds(streamId, EndStream.YES);
      peer.connection().release(peer.stream(streamId));
      peer.sends(request(streamId + 2, EndStream.YES));
      peer.connectionResponds(streamId + 2, EndStream.YES);
      peer.connection().onServed();
      peer.connection().release(peer.stream(streamId + 2));
    }
    assertThat(peer.isOver()).isFalse();
  }

  /** Deadlines pass on both sides at a time, and answers cross what takes their calls back. */
  @ServerScript
  void answeredCallsMayBeCancelledAllAtOnce(ScriptedPeer peer) {
    peer.connects();
    int calls = 256;
    for (int i = 0; i < calls; i++) {
      peer.sends(request(2 * i + 1, EndStream.YES));
    }
    for (int i = 0; i < calls; i++) {
      peer.connectionResponds(2 * i + 1, EndStream.YES);
    }
    for (int i = 0; i < calls; i++) {
      peer.sends(rstStream(2 * i + 1, ErrorCode.CANCEL));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aFloodOfResetsOfACallThatIsOverEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    floods(peer, AbuseKind.WITHOUT_EFFECT, rstStream(1, ErrorCode.CANCEL));
  }

  @ServerScript
  void tooManyStreamErrorsCausedByThePeerEndTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withWindows(WindowLimits.fixed(100, 1 << 20)));
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO), data(streamId, 101, EndStream.NO));
      if (!peer.isOver()) {
        peer.connection().release(peer.stream(streamId));
      }
    }
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void streamsBeyondTheLimitAreRefusedAndInTheEndTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    peer.isCutOff(AbuseKind.RESET_STREAM);
  }

  @ServerScript
  void streamsBeyondTheLimitAreNotPunishedBeforeThePeerKnowsIt(ScriptedPeer peer) {
    peer.starts(Limits.DEFAULT.withMaxConcurrentStreams(10)).rawFrames();
    peer.sendsPreface();
    peer.sends(settings());
    for (int streamId = 1; streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
    assertThat(peer.connection().streamCount()).isEqualTo(10);
  }

  @ServerScript
  void honestPingsAreServedForEver(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < MANY; i++) {
      peer.sends(ping(i), priority(5));
      peer.waitsSeconds(1);
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void honestResetsAreServedForEver(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < MANY; streamId += 2) {
      peer.sends(request(streamId, EndStream.YES), rstStream(streamId, ErrorCode.CANCEL));
      peer.connection().release(peer.stream(streamId));
      peer.waitsSeconds(streamId % 20 == 1 ? 1 : 0);
    }
    assertThat(peer.isOver()).isFalse();
    assertThat(peer.connection().heldSlots()).isZero();
  }

  @ServerScript
  void aHundredSmallBurstsAreHonest(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < 100; i++) {
      peer.sends(ping(i), ping(i), ping(i), ping(i), ping(i));
      peer.waitsSeconds(1);
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void eightContinuationsAreTakenAndNineAreNot(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO).inFragments(8));
    peer.connectionTells(Told.request(1, EndStream.NO));
    peer.sends(request(3, EndStream.NO).inFragments(9));
    peer.isCutOff(1, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void continuationsAreCountedPerBlock(ScriptedPeer peer) {
    peer.connects();
    for (int streamId = 1; streamId < 100; streamId += 2) {
      peer.sends(request(streamId, EndStream.NO).inFragments(3));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void anEmptyContinuationEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    WireFrame[] block = request(1, EndStream.NO).inFragments(1);
    peer.sends(block[0], raw(CONTINUATION, 0, 1, 0), block[1]);
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void anEmptyLastContinuationEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    WireFrame whole = request(1, EndStream.NO);
    peer.sends(whole.flagged(0), raw(CONTINUATION, END_HEADERS, 1, 0));
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void aBlockFarOverTheListLimitEndsTheConnectionBeforeItIsWhole(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    peer.sends(raw(HEADERS, 0, 1, 8000), raw(CONTINUATION, 0, 1, 1));
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void aFrameFarOverTheListLimitEndsTheConnectionWhateverItSays(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    byte[] sizeUpdates = new byte[8001];
    Arrays.fill(sizeUpdates, (byte) 0x20); // two may be, and no field is among them
    peer.sends(raw(HEADERS, END_HEADERS, 1, sizeUpdates));
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void aListFarOverTheLimitEndsTheConnectionWhenItIsWhole(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    byte[] bomb = new byte[240];
    Arrays.fill(bomb, INDEXED_METHOD); // an octet each, and 42 as they count
    peer.sends(raw(HEADERS, END_HEADERS, 1, bomb));
    assertThat(peer.lastWords())
        .isEqualTo(
            "a header list exceeds 8 times maxInboundMetadataBytes (1000) or maxHeaderFields (128)");
    peer.isCutOff(0, ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void tooManyListsOverTheLimitEndTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(1000)));
    byte[] list = new byte[30];
    Arrays.fill(list, INDEXED_METHOD);
    for (int streamId = 1; !peer.isOver() && streamId < MANY; streamId += 2) {
      peer.sends(raw(HEADERS, END_HEADERS | END_STREAM, streamId, list));
    }
    peer.isCutOff(AbuseKind.OVERSIZED_HEADERS);
  }

  @ServerScript
  void theRateOfAnOffenceIsConfigurable(ScriptedPeer peer) {
    AbuseLimits strict = AbuseLimits.DEFAULT.with(AbuseKind.PING, new AbuseKind.Rate(2, 1));
    peer.connects(Limits.DEFAULT.withAbuse(strict));
    peer.sends(ping(1), ping(2));
    assertThat(peer.isOver()).isFalse();
    peer.sends(ping(3));
    assertThat(peer.lastWords())
        .isEqualTo("too many PING: the limit is 2 at once and 1 per minute (withOffenceRate)");
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void theLargestRateIsUnlimited(ScriptedPeer peer) {
    AbuseKind.Rate largest = new AbuseKind.Rate(Integer.MAX_VALUE, 1);
    peer.connects(Limits.DEFAULT.withAbuse(AbuseLimits.DEFAULT.with(AbuseKind.SETTINGS, largest)));
    for (int i = 0; i < MANY; i++) {
      peer.sends(settings());
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void aFloodOfUnknownFramesEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, raw(99, 0, 0, 0));
  }

  @ServerScript
  void acknowledgementsOfNoSettingsEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, settingsAck());
  }

  @ServerScript
  void answersToNoPingEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WITHOUT_EFFECT, pingAck(1));
  }

  @ServerScript
  void answersToOurPingsAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    for (int i = 0; i < MANY; i++) {
      peer.connection().ping(i);
      peer.sends(pingAck(i));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void headersOnAStreamThatWeResetEndTheConnectionIfThereAreMany(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    floods(peer, AbuseKind.WITHOUT_EFFECT, headers(1, Fields.TRAILERS, EndStream.NO));
  }

  @ServerScript
  void tinyDataThatCompletesNoMessageEndsTheConnection(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    floods(peer, AbuseKind.TINY_DATA, data(1, "c", EndStream.NO));
  }

  @ServerScript
  void paddingDoesNotMakeTinyDataLarger(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    floods(peer, AbuseKind.TINY_DATA, data(1, "c", EndStream.NO).paddedBy(255));
  }

  @ServerScript
  void emptyDataBetweenMessagesIsNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.completesMessagesWithEachFrame();
    for (int i = 0; i < MANY; i++) {
      peer.sends(data(1, "", EndStream.NO), data(1, "tiny!", EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void tinyFramesThatCompleteMessagesAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.completesMessagesWithEachFrame();
    for (int i = 0; i < 5 * MANY; i++) {
      peer.sends(data(1, "tiny!", EndStream.NO));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void prefixesInTheirOwnFramesAreNoOffence(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    for (int i = 0; i < MANY; i++) {
      peer.sends(data(1, "12345", EndStream.NO), data(1, "67", EndStream.NO));
      peer.completesMessagesWithEachFrame();
      peer.sends(data(1, "8", EndStream.NO));
      peer.completesNothing();
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void tinyWindowUpdatesEndTheConnection(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 0);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "d".repeat(3 * MANY), EndStream.NO);
    floods(peer, AbuseKind.WINDOW_UPDATE, windowUpdate(1, 1));
  }

  @ServerScript
  void needlessWindowUpdatesEndTheConnection(ScriptedPeer peer) {
    peer.connects();
    floods(peer, AbuseKind.WINDOW_UPDATE, windowUpdate(0, 1000));
  }

  @ServerScript
  void updatesForEachSmallFrameAreHonest(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    for (int i = 0; i < 5 * MANY; i++) {
      peer.connectionSends(1, "tiny!", EndStream.NO);
      peer.sends(windowUpdate(0, 5), windowUpdate(1, 5));
    }
    assertThat(peer.isOver()).isFalse();
  }

  @ServerScript
  void smallWindowsAreHonest(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, INITIAL_WINDOW_SIZE, 512);
    peer.sends(request(1, EndStream.NO));
    peer.connectionSends(1, "d".repeat(256 * 5 * MANY), EndStream.NO);
    for (int i = 0; i < 4 * MANY; i++) {
      peer.sends(windowUpdate(1, 256), windowUpdate(0, 256));
    }
    assertThat(peer.isOver()).isFalse();
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
