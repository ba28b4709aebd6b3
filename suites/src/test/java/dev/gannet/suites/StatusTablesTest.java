package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.Status.Code;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Which status a call ends with, in both roles, for each row of the tables of PROTOCOL-HTTP2 and
 * http-grpc-status-mapping.
 */
final class StatusTablesTest {
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};
  private static final String EMPTY = "\0\0\0\0\0";
  private static final String COMPRESSED = "\1\0\0\0\1x";

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  /** How far a response has come. */
  enum Reached {
    NOTHING,
    HEADERS,
    MESSAGE;

    void by(RawPeer server, Http2Stream stream) {
      if (this != NOTHING) {
        server.sends(stream, EndStream.NO, HEAD);
      }
      if (this == MESSAGE) {
        server.sendsContent(stream, EMPTY, EndStream.NO);
      }
    }
  }

  private MadeCall callTo(
      MethodDescriptor<String, String> method, BiConsumer<RawPeer, Http2Stream> onRequest) {
    simulation.serveRaw(onRequest);
    MadeCall call = MadeCall.whole(simulation.channel(), method, "").wants(9);
    simulation.run();
    return call;
  }

  private static Code ofReset(ErrorCode code) {
    return switch (code) {
      case REFUSED_STREAM -> Code.UNAVAILABLE;
      case CANCEL -> Code.CANCELLED;
      case ENHANCE_YOUR_CALM -> Code.RESOURCE_EXHAUSTED;
      case INADEQUATE_SECURITY -> Code.PERMISSION_DENIED;
      case HTTP_1_1_REQUIRED -> Code.UNKNOWN; // not in the table
      default -> Code.INTERNAL;
    };
  }

  static Stream<Arguments> resets() {
    return Stream.of(ErrorCode.values())
        .flatMap(code -> Stream.of(Reached.values()).map(reached -> Arguments.of(code, reached)));
  }

  @ParameterizedTest
  @MethodSource("resets")
  void aServersResetIsTheStatusOfItsCode(ErrorCode code, Reached reached) {
    MadeCall call =
        callTo(
            Texts.BIDI,
            (server, stream) -> {
              reached.by(server, stream);
              server.resets(stream, code);
            });
    assertThat(call.code()).isEqualTo(ofReset(code));
    assertThat(call.words()).contains(code.name());
  }

  @ParameterizedTest
  @EnumSource
  void aClientsResetOfAnyCodeCancelsItsCall(ErrorCode code) {
    simulation.with(Texts.BIDI, held);
    Server server = Simulation.start(simulation.serverBuilder().countCalls());
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream stream = asks(client, EndStream.NO, Texts.BIDI, "identity");
    simulation.run();
    client.resets(stream, code);
    simulation.run();
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().call().context().cancellation().map(Status::code))
        .hasValue(Code.CANCELLED);
    assertThat(server.snapshot().methods().values())
        .extracting(CallCounts::ended)
        .containsExactly(Map.of(Code.CANCELLED, 1L));
  }

  private static Http2Stream asks(
      RawPeer client, EndStream end, MethodDescriptor<?, ?> method, String encoding) {
    return client.asks(
        end,
        ":method",
        "POST",
        ":scheme",
        "http",
        ":path",
        "/" + method.fullMethodName(),
        "content-type",
        "application/grpc",
        "grpc-encoding",
        encoding);
  }

  private static Code ofHttp(int status) {
    return switch (status) {
      case 400, 431 -> Code.INTERNAL;
      case 401 -> Code.UNAUTHENTICATED;
      case 403 -> Code.PERMISSION_DENIED;
      case 404 -> Code.UNIMPLEMENTED;
      case 429, 502, 503, 504 -> Code.UNAVAILABLE;
      default -> Code.UNKNOWN;
    };
  }

  static IntStream httpStatuses() {
    return IntStream.range(200, 600);
  }

  @ParameterizedTest
  @MethodSource("httpStatuses")
  void aResponseWithoutGrpcStatusHasThatOfItsHttpStatus(int status) {
    MadeCall call =
        callTo(
            Texts.UNARY,
            (server, stream) ->
                server.sends(stream, EndStream.YES, ":status", Integer.toString(status)));
    assertThat(call.code()).isEqualTo(ofHttp(status));
  }

  @ParameterizedTest
  @MethodSource("httpStatuses")
  void anHtmlResponseHasTheStatusOfItsHttpStatus(int status) {
    MadeCall call =
        callTo(
            Texts.UNARY,
            (server, stream) -> {
              server.sends(
                  stream,
                  EndStream.NO,
                  ":status",
                  Integer.toString(status),
                  "content-type",
                  "text/html");
              server.sendsContent(stream, "<html/>", EndStream.YES);
            });
    assertThat(call.code()).isEqualTo(ofHttp(status));
  }

  /** What a server sends, and what its client makes of that. */
  record Script(String name, Code code, BiConsumer<RawPeer, Http2Stream> server) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Script> endings() {
    return Stream.of(wrongEnds(), wrongCounts(), wrongEncodings()).flatMap(List::stream);
  }

  private static List<Script> wrongEnds() {
    return List.of(
        new Script(
            "the headers end the stream",
            Code.UNKNOWN,
            (server, stream) -> server.sends(stream, EndStream.YES, HEAD)),
        new Script(
            "a message ends the stream",
            Code.INTERNAL,
            (server, stream) -> {
              server.sends(stream, EndStream.NO, HEAD);
              server.sendsContent(stream, EMPTY, EndStream.YES);
            }),
        new Script(
            "the stream ends inside a message",
            Code.INTERNAL,
            (server, stream) -> {
              server.sends(stream, EndStream.NO, HEAD);
              server.sendsContent(stream, "\0\0\0", EndStream.NO);
              server.sends(stream, EndStream.YES, "grpc-status", "0");
            }),
        new Script(
            "trailers without grpc-status",
            Code.UNKNOWN,
            (server, stream) -> {
              server.sends(stream, EndStream.NO, HEAD);
              server.sendsContent(stream, EMPTY, EndStream.NO);
              server.sends(stream, EndStream.YES, "other", "field");
            }));
  }

  private static List<Script> wrongCounts() {
    return List.of(
        new Script(
            "no response", Code.UNIMPLEMENTED, (server, stream) -> answers(server, stream, 0)),
        new Script("one response", Code.OK, (server, stream) -> answers(server, stream, 1)),
        new Script(
            "two responses", Code.UNIMPLEMENTED, (server, stream) -> answers(server, stream, 2)));
  }

  private static List<Script> wrongEncodings() {
    String[] snappy = Arrays.copyOf(HEAD, HEAD.length + 2);
    snappy[HEAD.length] = "grpc-encoding";
    snappy[HEAD.length + 1] = "snappy";
    return List.of(
        new Script(
            "an unknown encoding",
            Code.INTERNAL,
            (server, stream) -> compresses(server, stream, snappy)),
        new Script(
            "a compressed message without encoding",
            Code.INTERNAL,
            (server, stream) -> compresses(server, stream, HEAD)));
  }

  private static void compresses(RawPeer server, Http2Stream stream, String... head) {
    server.sends(stream, EndStream.NO, head);
    server.sendsContent(stream, COMPRESSED, EndStream.NO);
    server.sends(stream, EndStream.YES, "grpc-status", "0");
  }

  private static void answers(RawPeer server, Http2Stream stream, int responses) {
    server.sends(stream, EndStream.NO, HEAD);
    for (int i = 0; i < responses; i++) {
      server.sendsContent(stream, EMPTY, EndStream.NO);
    }
    server.sends(stream, EndStream.YES, "grpc-status", "0");
  }

  @ParameterizedTest
  @MethodSource("endings")
  void aResponseThatBreaksTheRulesEndsItsCall(Script script) {
    assertThat(callTo(Texts.UNARY, script.server()).code()).isEqualTo(script.code());
  }

  static Stream<Arguments> requests() {
    return Stream.of(
        Arguments.of("an unknown encoding", "snappy", COMPRESSED, Code.UNIMPLEMENTED),
        Arguments.of(
            "a compressed message without encoding", "identity", COMPRESSED, Code.INTERNAL),
        Arguments.of("no request", "identity", "", Code.UNIMPLEMENTED),
        Arguments.of("two requests", "identity", EMPTY + EMPTY, Code.UNIMPLEMENTED),
        Arguments.of("the end inside a message", "identity", "\0\0\0", Code.INTERNAL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("requests")
  void aRequestThatBreaksTheRulesEndsItsCall(
      String name, String encoding, String content, Code code) {
    simulation.with(Texts.UNARY, held).serve();
    RawPeer client = simulation.rawClient(Limits.DEFAULT);
    Http2Stream stream = asks(client, EndStream.NO, Texts.UNARY, encoding);
    simulation.run();
    if (client.heard(stream).ended) {
      assertThat(content).isEqualTo(COMPRESSED); // it was refused for its headers
    } else {
      client.sendsContent(stream, content, EndStream.YES);
      simulation.run();
    }
    assertThat(client.heard(stream).field("grpc-status")).isEqualTo(Integer.toString(code.value()));
  }
}
