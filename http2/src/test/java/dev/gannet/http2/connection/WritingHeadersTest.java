package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.CONTINUATION;
import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.END_STREAM;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.HEADER_TABLE_SIZE;
import static dev.gannet.http2.connection.WireFrame.MAX_FRAME_SIZE;
import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.http2.hpack.Indexing;
import java.util.Arrays;
import java.util.List;

/** Header lists as we write them (RFC 9113 §4.2, §4.3, §6.2, §6.10). */
final class WritingHeadersTest {
  private static final int SMALLEST_MAX_FRAME = 16_384;

  @ClientScript
  void sharedAndOwnFieldsAreOneList(ScriptedPeer peer) {
    peer.connects();
    var stream =
        peer.connection().openStream(Fields.REQUEST, Fields.of("own", "field"), EndStream.YES);
    HeaderList both =
        Fields.of(
            ":method", "POST", ":scheme", "http", ":path", "/pack.Service/Method", "own", "field");
    assertThat(stream.id()).isEqualTo(1);
    peer.receives(headers(1, both, EndStream.YES));
  }

  @ClientScript
  void aSmallListIsOneFrame(ScriptedPeer peer) {
    peer.connects().rawFrames();
    peer.asksForStream(EndStream.NO);
    peer.asksForStream(EndStream.YES);
    assertThat(peer.rawFrames())
        .extracting(WireFrame::type, WireFrame::flags)
        .containsExactly(tuple(HEADERS, END_HEADERS), tuple(HEADERS, END_HEADERS | END_STREAM));
  }

  @ClientScript
  void aLargeListIsSplitIntoFramesThatEveryPeerAccepts(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, MAX_FRAME_SIZE, 1 << 20).rawFrames();
    HeaderList large = Fields.withValueOf(100_000);
    peer.connection().openStream(large, HeaderList.EMPTY, EndStream.YES);
    List<WireFrame> frames = peer.rawFrames();
    assertThat(frames.getFirst().type()).isEqualTo(HEADERS);
    assertThat(frames.getFirst().flags()).isEqualTo(END_STREAM);
    assertThat(frames.subList(1, frames.size()))
        .isNotEmpty()
        .allSatisfy(frame -> assertThat(frame.type()).isEqualTo(CONTINUATION));
    assertThat(frames.subList(1, frames.size() - 1))
        .allSatisfy(frame -> assertThat(frame.flags()).isZero());
    assertThat(frames.getLast().flags()).isEqualTo(END_HEADERS);
    assertThat(frames)
        .allSatisfy(frame -> assertThat(frame.payloadBytes()).isBetween(1, SMALLEST_MAX_FRAME));
  }

  @ClientScript
  void aLargeListIsReadBackUnchanged(ScriptedPeer peer) {
    peer.connects();
    for (int octets = SMALLEST_MAX_FRAME - 20; octets < SMALLEST_MAX_FRAME + 20; octets += 3) {
      HeaderList list = HeaderList.of(HeaderField.of("x", "~".repeat(octets), Indexing.NEVER));
      var stream = peer.connection().openStream(list, HeaderList.EMPTY, EndStream.YES);
      peer.receives(headers(stream.id(), list, EndStream.YES));
    }
  }

  @ServerScript
  void largeTrailersFollowTheirDataWithoutAFrameBetween(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    HeaderList large = Fields.withValueOf(60_000);
    peer.connectionSends(1, "text", EndStream.NO);
    peer.connection().sendTrailers(peer.stream(1), Fields.TRAILERS, large);
    peer.connectionSends(3, "other", EndStream.YES);
    List<WireFrame> frames = peer.rawFrames();
    int first = frames.indexOf(data(1, "text", EndStream.NO)) + 1;
    while (frames.get(first).type() != HEADERS) {
      first++;
    }
    int last = first;
    while (!frames.get(last).has(END_HEADERS)) {
      last++;
      assertThat(frames.get(last).type()).isEqualTo(CONTINUATION);
      assertThat(frames.get(last).streamId()).isEqualTo(1);
    }
    assertThat(last).isGreaterThan(first);
  }

  @ClientScript
  void everyTableSizeOfThePeerIsKept(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, HEADER_TABLE_SIZE, 0);
    for (int size : new int[] {0, 4096, 100, -1, 0, 64}) {
      peer.sends(settings(HEADER_TABLE_SIZE, size));
      peer.receives(WireFrame.settingsAck());
      var stream = peer.connection().openStream(Fields.REQUEST, HeaderList.EMPTY, EndStream.YES);
      peer.receives(request(stream.id(), EndStream.YES));
    }
  }

  @ClientScript
  void theSmallestTableSizeOfOneSettingsFrameIsAnnounced(ScriptedPeer peer) {
    peer.connects();
    peer.sends(settings(HEADER_TABLE_SIZE, 100, HEADER_TABLE_SIZE, 0, HEADER_TABLE_SIZE, 4096));
    peer.receives(WireFrame.settingsAck());
    peer.connection().openStream(Fields.REQUEST, HeaderList.EMPTY, EndStream.YES);
    byte[] block = peer.rawFrames().getLast().payloadOctets();
    byte[] updates = {0x20, 0x3f, (byte) 0xe1, 0x1f}; // to 0, then to 4096 (RFC 7541 §4.2)
    assertThat(Arrays.copyOf(block, updates.length)).isEqualTo(updates);
  }

  @ServerScript
  void anAdvisoryListSizeDoesNotStopAResponse(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT, WireFrame.MAX_HEADER_LIST_SIZE, 1);
    peer.sends(request(1, EndStream.YES));
    peer.connectionResponds(1, EndStream.YES);
    peer.receives(WireFrame.response(1, EndStream.YES));
  }

  @ClientScript
  void wordsOfAGoAwayAreCutToALineLength(ScriptedPeer peer) {
    peer.connects().rawFrames();
    peer.connection().goAway(ErrorCode.NO_ERROR, "x".repeat(100_000));
    assertThat(peer.rawFrames().getFirst().payloadBytes()).isEqualTo(8 + 256);
  }
}
