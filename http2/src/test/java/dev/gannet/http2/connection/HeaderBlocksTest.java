package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.CONTINUATION;
import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.END_STREAM;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.WITH_PRIORITY;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.ping;
import static dev.gannet.http2.connection.WireFrame.pingAck;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.rstStream;

import dev.gannet.http2.AbuseLimits;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.HeaderLimits;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Timeouts;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.WorkLimits;
import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** HEADERS, CONTINUATION and the compression state between them (RFC 9113 §4.3, §6.2, §6.10). */
final class HeaderBlocksTest {
  private static final byte POST = (byte) 0x83;
  private static final byte HTTP = (byte) 0x86;
  private static final byte ROOT_PATH = (byte) 0x84;
  private static final byte[] LEARN_A_FIELD = {
    POST, HTTP, ROOT_PATH, 0x40, 1, 'a', 1, 'b' // RFC 7541 §6.2.1
  };
  private static final byte[] USE_THE_LEARNED_FIELD = {POST, HTTP, ROOT_PATH, (byte) 0xbe};
  private static final byte[] RESIZE_TO_2000 = {0x3f, (byte) 0xb1, 0x0f, POST, HTTP, ROOT_PATH};
  private static final byte[] RESIZE_TO_100 = {0x3f, 69, POST, HTTP, ROOT_PATH};
  private static final HeaderList PLAIN =
      Fields.of(":method", "POST", ":scheme", "http", ":path", "/");
  private static final Limits SMALL_TABLE =
      new Limits(
          1 << 14,
          10,
          Limits.DEFAULT.streamsPerConnection(),
          new HeaderLimits(8192, 128, 8, 100),
          WindowLimits.fixed(65_535, 65_535),
          WorkLimits.DEFAULT,
          AbuseLimits.DEFAULT,
          Timeouts.DEFAULT);
  private static final HeaderList LEARNED = Fields.joined(PLAIN, Fields.of("a", "b"));

  @ServerScript
  void aBlockMayFillOneFrameOrSeveral(ScriptedPeer peer) {
    peer.connects();
    for (int continuations = 0; continuations <= 8; continuations++) {
      int streamId = 1 + 2 * continuations;
      peer.sends(request(streamId, EndStream.NO).inFragments(continuations));
      peer.connectionTells(Told.request(streamId, EndStream.NO));
    }
    peer.receivesNothingElse();
  }

  @ServerScript
  void endStreamOfHeadersAppliesAfterTheLastContinuation(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.YES).inFragments(2));
    peer.connectionTells(Told.request(1, EndStream.YES));
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void endStreamOnAContinuationMeansNothing(ScriptedPeer peer) {
    peer.connects();
    WireFrame[] block = request(1, EndStream.NO).inFragments(1);
    peer.sends(block[0], block[1].flagged(END_HEADERS | END_STREAM));
    peer.connectionTells(Told.request(1, EndStream.NO));
  }

  @ServerScript
  void emptyHeadersMayBeContinued(ScriptedPeer peer) {
    peer.connects();
    byte[] block = Fields.block(Fields.REQUEST);
    peer.sends(raw(HEADERS, 0, 1, 0), raw(CONTINUATION, END_HEADERS, 1, block));
    peer.connectionTells(Told.request(1, EndStream.NO));
  }

  @ServerScript
  void aFieldMayBeCutAnywhere(ScriptedPeer peer) {
    peer.connects();
    byte[] block = Fields.block(Fields.requestWith("some", "value"));
    for (int cut = 1; cut < block.length; cut++) {
      int streamId = 2 * cut - 1;
      byte[] first = Arrays.copyOf(block, cut);
      byte[] second = Arrays.copyOfRange(block, cut, block.length);
      peer.sends(
          raw(HEADERS, 0, streamId, first), raw(CONTINUATION, END_HEADERS, streamId, second));
      peer.connectionTells(
          new Told.Headers(streamId, Fields.requestWith("some", "value"), EndStream.NO));
    }
  }

  @ServerScript
  void pingInsideABlockIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO).inFragments(1)[0], ping(1));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void dataInsideABlockIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(
        request(1, EndStream.NO).inFragments(1)[0], WireFrame.data(1, "early", EndStream.NO));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void anUnknownFrameInsideABlockIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO).inFragments(1)[0], raw(0xfa, 0, 1, 1));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void aContinuationOfAnotherStreamIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    WireFrame[] block = request(1, EndStream.NO).inFragments(1);
    peer.sends(block[0], raw(CONTINUATION, END_HEADERS, 3, block[1].payloadOctets()));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void aContinuationAfterACompleteBlockIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connectionTells(Told.request(1, EndStream.NO));
    peer.sends(raw(CONTINUATION, END_HEADERS, 1, 1));
    peer.isCutOff(1, ErrorCode.PROTOCOL_ERROR);
  }

  @ServerScript
  void priorityFieldsInHeadersAreIgnored(ScriptedPeer peer) {
    peer.connects();
    ByteBuffer payload = ByteBuffer.allocate(200).putInt(0x8000_0001).put((byte) 9);
    payload.put(Fields.block(Fields.REQUEST)).flip();
    byte[] octets = new byte[payload.remaining()];
    payload.get(octets);
    WireFrame frame = raw(HEADERS, END_HEADERS | WITH_PRIORITY, 1, octets);
    peer.sends(frame);
    peer.connectionTells(Told.request(1, EndStream.NO));
    peer.sends(raw(HEADERS, frame.flags(), 3, octets).paddedBy(11));
    peer.connectionTells(Told.request(3, EndStream.NO));
    peer.receivesNothingElse();
  }

  @ServerScript
  void otherFlagsOfHeadersAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO).flagged(END_HEADERS | 0x02 | 0x10 | 0x40 | 0x80));
    peer.connectionTells(Told.request(1, EndStream.NO));
  }

  @ServerScript
  void allStreamsShareOneTable(ScriptedPeer peer) {
    peer.connects();
    peer.sends(raw(HEADERS, END_HEADERS, 1, LEARN_A_FIELD));
    peer.sends(raw(HEADERS, END_HEADERS, 3, USE_THE_LEARNED_FIELD));
    peer.connectionTells(
        new Told.Headers(1, LEARNED, EndStream.NO), new Told.Headers(3, LEARNED, EndStream.NO));
  }

  @ServerScript
  void headersOfARefusedStreamStillUpdateTheTable(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.YES));
    peer.sends(raw(HEADERS, END_HEADERS, 3, LEARN_A_FIELD));
    peer.receives(rstStream(3, ErrorCode.REFUSED_STREAM));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.connection().release(peer.stream(1));
    peer.connectionHasTold();
    peer.sends(raw(HEADERS, END_HEADERS, 5, USE_THE_LEARNED_FIELD));
    peer.connectionTells(new Told.Headers(5, LEARNED, EndStream.NO));
  }

  @ServerScript
  void headersOfAStreamThatWeResetStillUpdateTheTable(ScriptedPeer peer) {
    peer.connects();
    peer.sends(request(1, EndStream.NO));
    peer.connection().reset(peer.stream(1), ErrorCode.CANCEL);
    peer.receives(rstStream(1, ErrorCode.CANCEL));
    peer.connectionHasTold();
    peer.sends(raw(HEADERS, END_HEADERS | END_STREAM, 1, LEARN_A_FIELD));
    peer.connectionTellsNothingElse();
    peer.sends(raw(HEADERS, END_HEADERS, 3, USE_THE_LEARNED_FIELD));
    peer.connectionTells(new Told.Headers(3, LEARNED, EndStream.NO));
  }

  @ServerScript
  void anOversizedListUpdatesTheTableAndEndsOnlyItsStream(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(200)));
    ByteBuffer block = ByteBuffer.allocate(400).put(LEARN_A_FIELD);
    block.put(Fields.block(Fields.withValueOf(300))).flip();
    byte[] octets = new byte[block.remaining()];
    block.get(octets);
    peer.sends(raw(HEADERS, END_HEADERS | END_STREAM, 1, octets));
    peer.connectionTells(new Told.OversizedHeaders(1, EndStream.YES));
    peer.sends(raw(HEADERS, END_HEADERS, 3, USE_THE_LEARNED_FIELD));
    peer.connectionTells(new Told.Headers(3, LEARNED, EndStream.NO));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aListOfExactlyTheLargestSizeIsAccepted(ScriptedPeer peer) {
    HeaderList fits = Fields.requestWith("large", "v".repeat(100));
    HeaderList tooLarge = Fields.requestWith("large", "v".repeat(101));
    peer.connects(
        Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(fits.sizeBytes())));
    peer.sends(headers(1, fits, EndStream.NO), headers(3, tooLarge, EndStream.NO));
    peer.connectionTells(
        new Told.Headers(1, fits, EndStream.NO), new Told.OversizedHeaders(3, EndStream.NO));
  }

  @ServerScript
  void aDisabledTableIsUsedUntilTheAcknowledgement(ScriptedPeer peer) {
    peer.starts(
            new Limits(
                1 << 14,
                10,
                Limits.DEFAULT.streamsPerConnection(),
                new HeaderLimits(8192, 128, 8, 0),
                WindowLimits.fixed(65_535, 65_535),
                WorkLimits.DEFAULT,
                AbuseLimits.DEFAULT,
                Timeouts.DEFAULT))
        .rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.settings());
    peer.connectionHasTold();
    peer.sends(raw(HEADERS, END_HEADERS, 1, LEARN_A_FIELD));
    peer.sends(raw(HEADERS, END_HEADERS, 3, USE_THE_LEARNED_FIELD));
    peer.connectionTells(
        new Told.Headers(1, LEARNED, EndStream.NO), new Told.Headers(3, LEARNED, EndStream.NO));
  }

  @ServerScript
  void afterTheAcknowledgementATableSizeAboveOursIsAConnectionError(ScriptedPeer peer) {
    peer.connects(SMALL_TABLE);
    peer.sends(raw(HEADERS, END_HEADERS, 1, RESIZE_TO_2000));
    peer.isCutOff(0, ErrorCode.COMPRESSION_ERROR);
  }

  @ServerScript
  void aTableSizeUpTo4096IsAcceptedUntilTheAcknowledgement(ScriptedPeer peer) {
    peer.starts(SMALL_TABLE).rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.settings());
    peer.connectionHasTold();
    peer.sends(raw(HEADERS, END_HEADERS, 1, RESIZE_TO_2000));
    peer.connectionTells(new Told.Headers(1, PLAIN, EndStream.NO));
    peer.sends(WireFrame.settingsAck(), raw(HEADERS, END_HEADERS, 3, RESIZE_TO_100));
    peer.connectionTells(new Told.Headers(3, PLAIN, EndStream.NO));
    peer.rawFrames();
    peer.sends(raw(HEADERS, END_HEADERS, 5, RESIZE_TO_2000));
    peer.isCutOff(3, ErrorCode.COMPRESSION_ERROR);
  }

  @ServerScript
  void afterTheAcknowledgementASmallerTableMustBeAnnounced(ScriptedPeer peer) {
    peer.starts(SMALL_TABLE).rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.settings());
    peer.sends(raw(HEADERS, END_HEADERS, 1, LEARN_A_FIELD));
    peer.sends(raw(HEADERS, END_HEADERS, 3, USE_THE_LEARNED_FIELD));
    peer.sends(WireFrame.settingsAck());
    peer.sends(raw(HEADERS, END_HEADERS, 5, USE_THE_LEARNED_FIELD));
    peer.isCutOff(ErrorCode.COMPRESSION_ERROR);
  }

  @ServerScript
  void anEmptyBlockDoesNotAnnounceASmallerTable(ScriptedPeer peer) {
    peer.connects(SMALL_TABLE);
    peer.sends(raw(HEADERS, END_HEADERS, 1, 0));
    peer.isCutOff(ErrorCode.COMPRESSION_ERROR);
  }

  @ServerScript
  void aBlockThatCannotBeDecodedIsAConnectionError(ScriptedPeer peer) {
    peer.connects();
    peer.sends(raw(HEADERS, END_HEADERS, 1, new byte[] {(byte) 0xff, 0x7f}));
    peer.isCutOff(0, ErrorCode.COMPRESSION_ERROR);
  }

  @ServerScript
  void unknownFramesBetweenBlocksAreIgnored(ScriptedPeer peer) {
    peer.connects();
    peer.sends(raw(0xfa, 0xff, 1, 100), raw(0x0a, 0, 0, 0), ping(3));
    peer.receives(pingAck(3));
    peer.connectionTellsNothingElse();
  }
}
