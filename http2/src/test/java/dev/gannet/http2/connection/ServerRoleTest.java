package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.data;
import static dev.gannet.http2.connection.WireFrame.headers;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.rstStream;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.charset.StandardCharsets;

/** Which streams a server takes, and what it makes of broken beginnings (RFC 9113 §3.4, §5.1.2). */
final class ServerRoleTest {
  private static final Limits TWO_STREAMS = Limits.DEFAULT.withMaxConcurrentStreams(2);

  @ServerScript
  void aStreamAboveTheLimitIsRefused(ScriptedPeer peer) {
    peer.connects(TWO_STREAMS);
    peer.sends(request(1, EndStream.NO), request(3, EndStream.YES), request(5, EndStream.YES));
    peer.receives(rstStream(5, ErrorCode.REFUSED_STREAM));
    peer.connectionTells(Told.request(1, EndStream.NO), Told.request(3, EndStream.YES));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void theLimitAppliesBeforeThePeerHasAcknowledgedIt(ScriptedPeer peer) {
    peer.starts(TWO_STREAMS).rawFrames();
    peer.sendsPreface();
    peer.sends(WireFrame.settings());
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO), request(5, EndStream.NO));
    peer.receives(WireFrame.settingsAck(), rstStream(5, ErrorCode.REFUSED_STREAM));
  }

  @ServerScript
  void framesOnARefusedStreamAreIgnored(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.NO), request(3, EndStream.NO));
    peer.receives(rstStream(3, ErrorCode.REFUSED_STREAM));
    peer.connectionHasTold();
    peer.sends(
        data(3, "late", EndStream.NO),
        WireFrame.windowUpdate(3, 1),
        WireFrame.trailers(3),
        rstStream(3, ErrorCode.CANCEL));
    peer.receivesNothingElse();
    peer.connectionTellsNothingElse();
  }

  @ServerScript
  void aClientThatCancelsMayOpenTheNextAtOnce(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.YES), rstStream(1, ErrorCode.CANCEL));
    assertThat(peer.connection().streamCount()).isZero();
    assertThat(peer.connection().heldSlots()).isEqualTo(1);
    peer.connectionHasTold();
    peer.sends(request(3, EndStream.YES));
    peer.connectionTells(Told.request(3, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aSlotIsOccupiedUntilItIsReleased(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withMaxConcurrentStreams(1));
    peer.sends(request(1, EndStream.YES), rstStream(1, ErrorCode.CANCEL));
    peer.sends(request(3, EndStream.YES), rstStream(3, ErrorCode.CANCEL));
    assertThat(peer.connection().heldSlots()).isEqualTo(2);
    peer.sends(request(5, EndStream.YES));
    peer.receives(rstStream(5, ErrorCode.REFUSED_STREAM));
    peer.connection().release(peer.stream(1));
    assertThat(peer.connection().heldSlots()).isEqualTo(1);
    peer.connectionHasTold();
    peer.sends(request(7, EndStream.YES));
    peer.connectionTells(Told.request(7, EndStream.YES));
    peer.receivesNothingElse();
  }

  @ServerScript
  void aStreamWhoseHeadersAreTooLargeCanBeAnswered(ScriptedPeer peer) {
    peer.connects(Limits.DEFAULT.withHeaders(HeaderLimits.DEFAULT.withMaxListBytes(300)));
    peer.sends(headers(1, Fields.withValueOf(300), EndStream.NO));
    peer.connectionTells(new Told.OversizedHeaders(1, EndStream.NO));
    peer.connectionResponds(1, EndStream.YES);
    peer.connection().reset(peer.stream(1), ErrorCode.NO_ERROR);
    peer.receives(response(1, EndStream.YES), rstStream(1, ErrorCode.NO_ERROR));
  }

  @ServerScript
  void tooManyFieldsAreTooLarge(ScriptedPeer peer) {
    peer.connects(
        new Limits(
            1 << 14,
            10,
            Limits.DEFAULT.streamsPerConnection(),
            new HeaderLimits(1 << 20, 3, 8, 4096),
            WindowLimits.fixed(65_535, 65_535),
            WorkLimits.DEFAULT,
            AbuseLimits.DEFAULT,
            Timeouts.DEFAULT));
    HeaderList four = Fields.requestWith("d", "4");
    peer.sends(request(1, EndStream.NO), headers(3, four, EndStream.YES));
    peer.connectionTells(
        Told.request(1, EndStream.NO), new Told.OversizedHeaders(3, EndStream.YES));
  }

  @ServerScript
  void everyOctetOfThePrefaceIsChecked(ScriptedPeer peer) {
    for (int i = 0; i < ScriptedPeer.PREFACE.length; i++) {
      byte[] wrong = ScriptedPeer.PREFACE.clone();
      wrong[i] ^= 0x20;
      peer.starts(Limits.DEFAULT).rawFrames();
      peer.sendsOctets(wrong);
      peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
    }
  }

  @ServerScript
  void anotherProtocolIsAConnectionError(ScriptedPeer peer) {
    String hello = "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n";
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsOctets(hello.getBytes(StandardCharsets.US_ASCII));
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
    ByteBuffer tls = ByteBuffer.allocate(200).put((byte) 0x16).put((byte) 3).put((byte) 1);
    peer.starts(Limits.DEFAULT).rawFrames();
    peer.sendsOctets(tls.array());
    peer.isCutOff(0, ErrorCode.PROTOCOL_ERROR);
  }
}
