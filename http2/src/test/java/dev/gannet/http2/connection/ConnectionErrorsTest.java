package dev.gannet.http2.connection;

import static dev.gannet.http2.connection.WireFrame.ACK;
import static dev.gannet.http2.connection.WireFrame.CONTINUATION;
import static dev.gannet.http2.connection.WireFrame.DATA;
import static dev.gannet.http2.connection.WireFrame.ENABLE_PUSH;
import static dev.gannet.http2.connection.WireFrame.END_HEADERS;
import static dev.gannet.http2.connection.WireFrame.GOAWAY;
import static dev.gannet.http2.connection.WireFrame.HEADERS;
import static dev.gannet.http2.connection.WireFrame.INITIAL_WINDOW_SIZE;
import static dev.gannet.http2.connection.WireFrame.MAX_FRAME_SIZE;
import static dev.gannet.http2.connection.WireFrame.PADDED;
import static dev.gannet.http2.connection.WireFrame.PING;
import static dev.gannet.http2.connection.WireFrame.PRIORITY;
import static dev.gannet.http2.connection.WireFrame.PUSH_PROMISE;
import static dev.gannet.http2.connection.WireFrame.RST_STREAM;
import static dev.gannet.http2.connection.WireFrame.SETTINGS;
import static dev.gannet.http2.connection.WireFrame.WINDOW_UPDATE;
import static dev.gannet.http2.connection.WireFrame.WITH_PRIORITY;
import static dev.gannet.http2.connection.WireFrame.raw;
import static dev.gannet.http2.connection.WireFrame.request;
import static dev.gannet.http2.connection.WireFrame.response;
import static dev.gannet.http2.connection.WireFrame.settings;
import static dev.gannet.http2.connection.WireFrame.windowUpdate;

import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Role;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Frames that cost the connection by themselves, each with its code: stream 1 is open, stream 3 was
 * never opened (RFC 9113 §4.2, §5.4.1, §6).
 */
final class ConnectionErrorsTest {
  /** A frame, its price and why. */
  record Offence(String why, ErrorCode code, WireFrame frame) {
    @Override
    public String toString() {
      return why;
    }
  }

  /** An offence on its way. */
  record Delivery(Offence offence, Role receiver, Feeding feeding) {
    @Override
    public String toString() {
      return offence + ", to a " + receiver + ", " + feeding;
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("deliveries")
  void theConnectionEndsWithTheRightCode(Delivery delivery) {
    ScriptedPeer peer = new ScriptedPeer(delivery.receiver(), delivery.feeding()).connects();
    int lastStreamId = openStream1(peer, delivery.receiver());
    peer.sends(delivery.offence().frame());
    peer.isCutOff(lastStreamId, delivery.offence().code());
  }

  /** Returns the last stream that the peer has opened. */
  private static int openStream1(ScriptedPeer peer, Role receiver) {
    if (receiver == Role.SERVER) {
      peer.sends(request(1, EndStream.NO));
      peer.connectionTells(Told.request(1, EndStream.NO));
      return 1;
    }
    peer.asksForStream(EndStream.NO);
    peer.receives(request(1, EndStream.NO));
    peer.sends(response(1, EndStream.NO));
    peer.connectionTells(Told.response(1, EndStream.NO));
    return 0;
  }

  static Stream<Delivery> deliveries() {
    return Stream.of(sizes(), streamZero(), idleStreams(), paddings(), values())
        .flatMap(offences -> offences)
        .flatMap(ConnectionErrorsTest::deliveries);
  }

  private static Stream<Delivery> deliveries(Offence offence) {
    return Arrays.stream(Role.values())
        .flatMap(to -> Arrays.stream(Feeding.values()).map(way -> new Delivery(offence, to, way)));
  }

  private static Stream<Offence> sizes() {
    ErrorCode size = ErrorCode.FRAME_SIZE_ERROR;
    return Stream.of(
        new Offence("DATA longer than agreed", size, raw(DATA, 0, 1, 16_385)),
        new Offence("HEADERS longer than agreed", size, raw(HEADERS, END_HEADERS, 3, 16_385)),
        new Offence("unknown frame longer than agreed", size, raw(0xfa, 0, 0, 16_385)),
        new Offence("PRIORITY of 4 octets", size, raw(PRIORITY, 0, 1, 4)),
        new Offence("PRIORITY of 6 octets", size, raw(PRIORITY, 0, 1, 6)),
        new Offence("RST_STREAM of 3 octets", size, raw(RST_STREAM, 0, 1, 3)),
        new Offence("RST_STREAM of 5 octets", size, raw(RST_STREAM, 0, 1, 5)),
        new Offence("SETTINGS of 5 octets", size, raw(SETTINGS, 0, 0, 5)),
        new Offence("SETTINGS of 7 octets", size, raw(SETTINGS, 0, 0, 7)),
        new Offence("acknowledgement with a payload", size, raw(SETTINGS, ACK, 0, 6)),
        new Offence("PING of 7 octets", size, raw(PING, 0, 0, 7)),
        new Offence("PING of 9 octets", size, raw(PING, 0, 0, 9)),
        new Offence("answer to PING of 0 octets", size, raw(PING, ACK, 0, 0)),
        new Offence("GOAWAY of 7 octets", size, raw(GOAWAY, 0, 0, 7)),
        new Offence("WINDOW_UPDATE of 3 octets", size, raw(WINDOW_UPDATE, 0, 0, 3)),
        new Offence("WINDOW_UPDATE of 5 octets", size, raw(WINDOW_UPDATE, 0, 1, 5)),
        new Offence("no room for priority", size, raw(HEADERS, 0x24, 3, 4)),
        new Offence("no room for DATA's pad length", size, raw(DATA, PADDED, 1, 0)),
        new Offence("no room for HEADERS' pad length", size, raw(HEADERS, 0xc, 3, 0)));
  }

  private static Stream<Offence> streamZero() {
    ErrorCode protocol = ErrorCode.PROTOCOL_ERROR;
    return Stream.of(
        new Offence("DATA on stream 0", protocol, raw(DATA, 0, 0, 1)),
        new Offence("HEADERS on stream 0", protocol, raw(HEADERS, END_HEADERS, 0, 0)),
        new Offence("PRIORITY on stream 0", protocol, raw(PRIORITY, 0, 0, 5)),
        new Offence("RST_STREAM on stream 0", protocol, raw(RST_STREAM, 0, 0, 4)),
        new Offence("CONTINUATION on stream 0", protocol, raw(CONTINUATION, END_HEADERS, 0, 1)),
        new Offence("SETTINGS on a stream", protocol, raw(SETTINGS, 0, 1, 0)),
        new Offence("acknowledgement on a stream", protocol, raw(SETTINGS, ACK, 1, 0)),
        new Offence("PING on a stream", protocol, raw(PING, 0, 1, 8)),
        new Offence("GOAWAY on a stream", protocol, raw(GOAWAY, 0, 1, 8)));
  }

  private static Stream<Offence> idleStreams() {
    ErrorCode protocol = ErrorCode.PROTOCOL_ERROR;
    return Stream.of(
        new Offence("DATA on an idle stream", protocol, raw(DATA, 0, 3, 1)),
        new Offence("DATA on a stream of ours", protocol, raw(DATA, 0, 2, 1)),
        new Offence("RST_STREAM on an idle stream", protocol, raw(RST_STREAM, 0, 3, 4)),
        new Offence("RST_STREAM on a stream of ours", protocol, raw(RST_STREAM, 0, 2, 4)),
        new Offence("WINDOW_UPDATE on an idle stream", protocol, windowUpdate(3, 1)),
        new Offence("WINDOW_UPDATE on a stream of ours", protocol, windowUpdate(2, 1)),
        new Offence("CONTINUATION without HEADERS", protocol, raw(CONTINUATION, 0, 1, 1)),
        new Offence("PUSH_PROMISE", protocol, raw(PUSH_PROMISE, 4, 1, 4)));
  }

  private static Stream<Offence> paddings() {
    ErrorCode protocol = ErrorCode.PROTOCOL_ERROR;
    byte[] tooLong = {3, 0, 0};
    byte[] asLongAsAll = {3, 0, 0, 0, 0, 0, 0};
    byte[] endsInPriority = {2, 0, 0, 0, 0, 16, 0};
    int padded = END_HEADERS | PADDED;
    asLongAsAll[0] = (byte) asLongAsAll.length;
    return Stream.of(
        new Offence("DATA shorter than its padding", protocol, raw(DATA, PADDED, 1, tooLong)),
        new Offence("DATA as long as its padding", protocol, raw(DATA, PADDED, 1, asLongAsAll)),
        new Offence("HEADERS shorter than its padding", protocol, raw(HEADERS, padded, 3, tooLong)),
        new Offence(
            "padding that reaches into the priority fields",
            protocol,
            raw(HEADERS, padded | WITH_PRIORITY, 3, endsInPriority)));
  }

  private static Stream<Offence> values() {
    ErrorCode protocol = ErrorCode.PROTOCOL_ERROR;
    ErrorCode flow = ErrorCode.FLOW_CONTROL_ERROR;
    ErrorCode calm = ErrorCode.ENHANCE_YOUR_CALM;
    return Stream.of(
        new Offence("ENABLE_PUSH of 2", protocol, settings(ENABLE_PUSH, 2)),
        new Offence("INITIAL_WINDOW_SIZE of 2^31", flow, settings(INITIAL_WINDOW_SIZE, 1 << 31)),
        new Offence("INITIAL_WINDOW_SIZE of 2^32-1", flow, settings(INITIAL_WINDOW_SIZE, -1)),
        new Offence("MAX_FRAME_SIZE of 0", protocol, settings(MAX_FRAME_SIZE, 0)),
        new Offence("MAX_FRAME_SIZE of 2^14-1", protocol, settings(MAX_FRAME_SIZE, 16_383)),
        new Offence("MAX_FRAME_SIZE of 2^24", protocol, settings(MAX_FRAME_SIZE, 1 << 24)),
        new Offence("a bad value behind a good", protocol, settings(77, 1, ENABLE_PUSH, -1)),
        new Offence("33 settings", calm, settings(new int[66])),
        new Offence("WINDOW_UPDATE of 0 on a stream", protocol, windowUpdate(1, 0)),
        new Offence("WINDOW_UPDATE of 0", protocol, windowUpdate(0, 1 << 31)));
  }
}
