package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.octets;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.settingsAck;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WorkLimits;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A peer has its share of each pass, and nothing more is read while its answers wait unread. */
final class WorkLimitsTest {
  private static final WorkLimits DEFAULT = WorkLimits.DEFAULT;

  @ServerScript
  void aPassReadsAtMostTheConfiguredFrames(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(3, 100, 100, 100)));
    ByteBuffer five = ByteBuffer.wrap(octets(ping(1), ping(2), ping(3), ping(4), ping(5)));
    peer.connection().receive(five, 0);
    peer.receives(pingAck(1), pingAck(2), pingAck(3));
    peer.receivesNothingElse();
    peer.connection().receive(five, 0);
    peer.receives(pingAck(4), pingAck(5));
    assertThat(five.hasRemaining()).isFalse();
  }

  @ServerScript
  void aPassReads64FramesAndIsExtendedByAsManyUpToTheConfiguredFrames(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(100, 100, 1000, 1000)));
    ByteBuffer all = ByteBuffer.wrap(octets(pings(180)));
    int one = octets(ping(0)).length;
    peer.connection().receive(all, 0);
    assertThat(all.position()).isEqualTo(64 * one);
    assertThat(peer.connection().tryExtendPass()).isTrue();
    peer.connection().receive(all, 0);
    assertThat(all.position()).isEqualTo(100 * one);
    assertThat(peer.connection().tryExtendPass()).isFalse();
    peer.connection().receive(all, 0);
    assertThat(all.position()).isEqualTo(100 * one);
    peer.connection().flush();
    peer.connection().receive(all, 0);
    assertThat(all.position()).isEqualTo(164 * one);
  }

  @ServerScript
  void aPassIsNotExtendedByMoreNewStreams(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(512, 2, 100, 100)));
    ByteBuffer all =
        ByteBuffer.wrap(
            octets(request(1, EndStream.NO), request(3, EndStream.NO), request(5, EndStream.NO)));
    peer.connection().receive(all, 0);
    assertThat(peer.connection().tryExtendPass()).isFalse();
    peer.connection().receive(all, 0);
    assertThat(peer.connection().streamCount()).isEqualTo(2);
  }

  private static WireFrame[] pings(int count) {
    WireFrame[] pings = new WireFrame[count];
    Arrays.setAll(pings, WireFrame::ping);
    return pings;
  }

  @ServerScript
  void aPassEndsWithItsBatchAndNotWithEachRead(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(3, 100, 100, 100)));
    ByteBuffer two = ByteBuffer.wrap(octets(ping(1), ping(2)));
    ByteBuffer twoMore = ByteBuffer.wrap(octets(ping(3), ping(4)));
    peer.connection().receive(two, 0);
    peer.connection().receive(twoMore, 0);
    assertThat(twoMore.remaining()).isEqualTo(octets(ping(4)).length);
    peer.connection().flush();
    peer.connection().receive(twoMore, 0);
    peer.receives(pingAck(1), pingAck(2), pingAck(3), pingAck(4));
  }

  @ServerScript
  void dataCountsAsAFrameToo(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(3, 100, 100, 100)));
    ByteBuffer four =
        ByteBuffer.wrap(
            octets(
                request(1, EndStream.NO),
                data(1, "a", EndStream.NO),
                data(1, "b", EndStream.NO),
                data(1, "c", EndStream.NO)));
    peer.connection().receive(four, 0);
    assertThat(four.remaining()).isGreaterThanOrEqualTo(octets(data(1, "c", EndStream.NO)).length);
  }

  @ServerScript
  void longDataDoesNotCount(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(2, 100, 100, 100)));
    ByteBuffer all =
        ByteBuffer.wrap(
            octets(
                request(1, EndStream.NO),
                data(1, "a".repeat(8 << 10), EndStream.NO),
                data(1, "b".repeat(16 << 10), EndStream.NO),
                data(1, "c".repeat((8 << 10) - 1), EndStream.NO),
                data(1, "d".repeat(8 << 10), EndStream.NO)));
    peer.connection().receive(all, 0);
    int last = octets(data(1, "d".repeat(8 << 10), EndStream.NO)).length;
    assertThat(all.remaining()).isBetween(last, last + (8 << 10));
  }

  @ServerScript
  void longHeaderBlocksCountByTheirOctets(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(10, 100, 100, 100)));
    HeaderList fourKib = Fields.requestWith("long", "v".repeat(7 << 10)); // as Huffman writes it
    WireFrame[] calls = new WireFrame[4];
    Arrays.setAll(calls, i -> headers(2 * i + 1, fourKib, EndStream.YES));
    ByteBuffer all = ByteBuffer.wrap(octets(calls));
    peer.connection().receive(all, 0);
    assertThat(peer.connection().streamCount()).isBetween(1, 2);
    peer.connection().flush();
    peer.connection().receive(all, 0);
    assertThat(peer.connection().streamCount()).isBetween(2, 4);
  }

  @ServerScript
  void aLongHeaderBlockInPiecesCountsByItsPieces(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(10, 100, 100, 100)));
    WireFrame[] block =
        headers(1, Fields.requestWith("long", "v".repeat(7 << 10)), EndStream.YES).inFragments(3);
    ByteBuffer all = ByteBuffer.wrap(octets(block));
    peer.connection().receive(all, 0);
    assertThat(peer.connection().streamCount()).isZero();
    readAllThatMayBeRead(peer, all);
    assertThat(peer.connection().streamCount()).isOne();
  }

  @ServerScript
  void settingsCountByTheWindowsThatTheyChange(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(6, 100, 100, 100)));
    for (int i = 0; i < 16; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    peer.connectionHasTold();
    peer.rawFrames();
    ByteBuffer flips =
        ByteBuffer.wrap(
            octets(
                settings(INITIAL_WINDOW_SIZE, 0),
                settings(INITIAL_WINDOW_SIZE, 1),
                settings(INITIAL_WINDOW_SIZE, 2),
                settings(INITIAL_WINDOW_SIZE, 2)));
    peer.connection().receive(flips, 0);
    peer.receives(settingsAck(), settingsAck());
    peer.receivesNothingElse();
    peer.connection().receive(flips, 0);
    peer.receives(settingsAck(), settingsAck());
  }

  @ServerScript
  void aPassOpensAtMostTheConfiguredStreams(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(100, 2, 100, 100)));
    ByteBuffer three =
        ByteBuffer.wrap(
            octets(
                request(1, EndStream.YES), request(3, EndStream.YES), request(5, EndStream.YES)));
    peer.connection().receive(three, 0);
    assertThat(peer.connection().streamCount()).isEqualTo(2);
    peer.connection().flush();
    peer.connection().receive(three, 0);
    assertThat(peer.connection().streamCount()).isEqualTo(3);
  }

  @ServerScript
  void nothingIsReadWhileManyAnswersWaitUnread(ScriptedPeer peer) {
    peer.connects();
    peer.sink().wants(0);
    ByteBuffer pings = ByteBuffer.wrap(manyPings());
    readAllThatMayBeRead(peer, pings);
    assertThat(peer.connection().checkBlocked()).isTrue();
    assertThat(pings.position()).isEqualTo(DEFAULT.repliesBeforePause() * octets(ping(1)).length);
    peer.sink().wants(Integer.MAX_VALUE);
    assertThat(peer.connection().checkBlocked()).isFalse();
    readAllThatMayBeRead(peer, pings);
    assertThat(pings.hasRemaining()).isFalse();
  }

  @ServerScript
  void unreadResetsStopTheReading(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(100, 100, 2, 100)));
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.sink().wants(0);
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    assertThat(peer.connection().checkBlocked()).isFalse();
    peer.connection().reset(peer.stream(3), ErrorCode.CANCEL);
    assertThat(peer.connection().checkBlocked()).isTrue();
  }

  @ClientScript
  void unsentResetsDoNotStopTheReadingOfAClient(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(100, 100, 1, 1)));
    Http2Stream stream = peer.asksForStream(EndStream.NO);
    peer.sink().wants(0);
    peer.connection().reset(stream, ErrorCode.CANCEL);
    assertThat(peer.connection().checkBlocked()).isFalse();
  }

  @ServerScript
  void farTooManyUnreadAnswersEndTheConnection(ScriptedPeer peer) {
    peer.connects(with(new WorkLimits(100, 100, 2, 3)).withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.NO));
    peer.sink().wants(0);
    ByteBuffer pings = ByteBuffer.wrap(octets(ping(1), ping(2)));
    peer.connection().receive(pings, 0);
    peer.connectionResponds(1, EndStream.NO);
    assertThat(peer.isOver()).isFalse();
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    assertThat(peer.lastWords()).isEqualTo("4 replies were left unread (withMaxUnreadReplies)");
    peer.isCutOff(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @ServerScript
  void handlersThatAllAnswerAtOnceAreNotTheFaultOfTheirClient(ScriptedPeer peer) {
    int streams = 100;
    peer.connects(with(new WorkLimits(200, 200, 2, 3)).withMaxConcurrentStreams(streams));
    for (int i = 0; i < streams; i++) {
      peer.sends(request(2 * i + 1, EndStream.NO));
    }
    peer.sink().wants(0);
    for (int i = 0; i < streams; i++) {
      peer.connectionResponds(2 * i + 1, EndStream.YES);
      peer.connection().reset(peer.stream(2 * i + 1), ErrorCode.NO_ERROR);
    }
    assertThat(peer.isOver()).isFalse();
  }

  private static void readAllThatMayBeRead(ScriptedPeer peer, ByteBuffer bytes) {
    while (bytes.hasRemaining() && !peer.connection().checkBlocked()) {
      peer.connection().receive(bytes, 0);
      peer.connection().flush();
    }
  }

  private static byte[] manyPings() {
    WireFrame[] pings = new WireFrame[DEFAULT.repliesBeforePause() + 20];
    Arrays.setAll(pings, i -> ping(i));
    return octets(pings);
  }

  private static Limits with(WorkLimits work) {
    return Limits.DEFAULT.withWork(work);
  }
}
