package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server serves calls of every protocol that is installed, and none of them knows which. */
final class RequestProtocolsTest {
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");
  private static final Metadata.Key<byte[]> BYTES = Metadata.Key.binary("bytes-bin");
  private static final int MAX_MESSAGE_BYTES = 50_000;

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation();
  private final Server server =
      Simulation.start(
          simulation
              .with(Texts.UNARY, held)
              .with(Texts.BIDI, held)
              .with(Texts.method(Texts.UNARY.type(), OneMessageProtocol.UNREAD), held)
              .with(Texts.method(Texts.UNARY.type(), OneMessageProtocol.UNWRITTEN), held)
              .with(
                  Texts.method(Texts.UNARY.type(), "Echo"),
                  BlockingHandlers.unary(RequestProtocolsTest::answered))
              .serverBuilder()
              .maxConcurrentCallsPerConnection(2)
              .maxInboundMessageBytes(MAX_MESSAGE_BYTES));
  private final RawPeer client = simulation.rawClient(Limits.DEFAULT);

  private static String answered(String request) {
    if (request.equals("fail")) {
      throw new IllegalStateException("on purpose");
    }
    if (request.equals("abort")) {
      throw Status.ABORTED.withDescription("as it was asked to").asException();
    }
    return request + "!";
  }

  private static String[] post(String path, String contentType) {
    return new String[] {
      ":method", "POST", ":scheme", "http", ":path", path, "content-type", contentType
    };
  }

  private static String path(MethodDescriptor<?, ?> method) {
    return "/" + method.fullMethodName();
  }

  private Http2Stream begins(Dialect dialect, MethodDescriptor<?, ?> method, String... fields) {
    return client.asks(EndStream.NO, dialect.head(path(method), fields));
  }

  private Http2Stream asks(
      Dialect dialect, MethodDescriptor<?, ?> method, String message, String... fields) {
    Http2Stream stream = begins(dialect, method, fields);
    client.sendsContent(stream, dialect.content(message), EndStream.YES);
    simulation.run();
    return stream;
  }

  private Http2Stream asks(Dialect dialect, String message) {
    return asks(dialect, Texts.method(Texts.UNARY.type(), "Echo"), message);
  }

  private void assertAnswer(Dialect dialect, Http2Stream stream, String message) {
    RawPeer.Heard heard = client.heard(stream);
    assertThat(dialect.code(heard)).isEqualTo(Status.Code.OK);
    assertThat(dialect.message(heard)).isEqualTo(message);
    assertThat(heard.field("content-type")).isEqualTo(dialect.contentType);
    assertThat(heard.ended).isTrue();
    assertThat(heard.resets).isEmpty();
  }

  private void assertFailure(Dialect dialect, Http2Stream stream, Status.Code code, String words) {
    RawPeer.Heard heard = client.heard(stream);
    assertThat(dialect.code(heard)).isEqualTo(code);
    assertThat(dialect.words(heard)).contains(words);
    assertThat(dialect.message(heard)).isEmpty();
    assertThat(heard.ended).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aCallHasOneRequestAndOneResponse(Dialect dialect) {
    assertAnswer(dialect, asks(dialect, "question"), "question!");
    assertThat(client.openStreams()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void callsOfOneConnectionFollowOneAnother(Dialect dialect) {
    for (int i = 0; i < 20; i++) {
      assertAnswer(dialect, asks(dialect, "call " + i), "call " + i + "!");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyMessageIsAMessage(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "");
    assertThat(held.only().messages()).containsExactly("");
    held.only().answers("");
    held.only().ends();
    simulation.run();
    assertAnswer(dialect, stream, "");
  }

  @ParameterizedTest
  @EnumSource
  void aMessageMayComeInPieces(Dialect dialect) {
    Http2Stream stream = begins(dialect, Texts.UNARY);
    String content = dialect.content("in three pieces");
    client.sendsContent(stream, content.substring(0, 3), EndStream.NO);
    simulation.run();
    client.sendsContent(stream, content.substring(3, 9), EndStream.NO);
    simulation.run();
    assertThat(held.all()).isEmpty();
    client.sendsContent(stream, content.substring(9), EndStream.YES);
    simulation.run();
    assertThat(held.only().messages()).containsExactly("in three pieces");
  }

  @ParameterizedTest
  @EnumSource
  void trailersEndARequestToo(Dialect dialect) {
    Http2Stream stream = begins(dialect, Texts.method(Texts.UNARY.type(), "Echo"));
    client.sendsContent(stream, dialect.content("question"), EndStream.NO);
    client.sends(stream, EndStream.YES, "text", "trailer");
    simulation.run();
    assertAnswer(dialect, stream, "question!");
  }

  @ParameterizedTest
  @EnumSource
  void aRequestShorterThanItsContentLengthReachesNoHandler(Dialect dialect) {
    String content = dialect.content("question");
    Http2Stream stream =
        begins(dialect, Texts.UNARY, "content-length", "" + (content.length() + 1));
    client.sendsContent(stream, content, EndStream.NO);
    client.sendsContent(stream, "", EndStream.YES);
    simulation.run();
    assertThat(client.heard(stream).resets).containsExactly(ErrorCode.PROTOCOL_ERROR);
    assertThat(client.openStreams()).isZero();
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void longMessagesArriveCompletelyInBothDirections(Dialect dialect) {
    String message = Texts.ofLength(40_000);
    Http2Stream stream = asks(dialect, message);
    assertAnswer(dialect, stream, message + "!");
  }

  @ParameterizedTest
  @EnumSource
  void metadataIsSentInBothDirections(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", "text", "request");
    assertThat(held.only().headers().get(TEXT)).hasValue("request");
    Metadata headers = new Metadata();
    headers.add(TEXT, "response");
    held.only().call().sendHeaders(headers);
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertAnswer(dialect, stream, "answer");
    assertThat(client.heard(stream).field("text")).isEqualTo("response");
  }

  @ParameterizedTest
  @EnumSource
  void binaryMetadataIsSentInBothDirections(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", "bytes-bin", "AQID");
    Metadata headers = held.only().headers();
    assertThat(headers.get(BYTES)).hasValue(new byte[] {1, 2, 3});
    held.only().call().sendHeaders(headers);
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertAnswer(dialect, stream, "answer");
    assertThat(client.heard(stream).field("bytes-bin")).isEqualTo("AQID");
  }

  @ParameterizedTest
  @EnumSource
  void aMalformedBinaryHeaderEndsOnlyItsCall(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", "bytes-bin", "!");
    assertFailure(dialect, stream, Status.Code.INTERNAL, "a binary header is not base64");
    assertThat(held.all()).isEmpty();
    assertAnswer(dialect, asks(dialect, "next"), "next!");
  }

  @ParameterizedTest
  @EnumSource
  void aMalformedTimeoutEndsOnlyItsCall(Dialect dialect) {
    for (String timeout : List.of("abc", "-1", "", "99999999999999999999")) {
      Http2Stream stream =
          client.asks(EndStream.YES, dialect.head(path(Texts.UNARY), dialect.withTimeout(timeout)));
      simulation.run();
      assertThat(client.heard(stream).field(":status")).as(timeout).isEqualTo("400");
    }
    assertThat(held.all()).isEmpty();
    assertAnswer(dialect, asks(dialect, "next"), "next!");
  }

  @ParameterizedTest
  @EnumSource
  void aDescriptionMayHaveAnyCharacter(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "");
    held.only().call().close(Status.ABORTED.withDescription("nein, \u4e0d!\n"), new Metadata());
    simulation.run();
    assertFailure(dialect, stream, Status.Code.ABORTED, "nein, %E4%B8%8D!%0A");
  }

  @ParameterizedTest
  @EnumSource
  void aStatusIsSentWithItsDescription(Dialect dialect) {
    Http2Stream stream = asks(dialect, "abort");
    assertFailure(dialect, stream, Status.Code.ABORTED, "as it was asked to");
  }

  @ParameterizedTest
  @EnumSource
  void detailsOfAHandlersFailureAreNotSent(Dialect dialect) {
    Http2Stream stream = asks(dialect, "fail");
    assertFailure(
        dialect,
        stream,
        Status.Code.UNKNOWN,
        "a handler or interceptor threw an exception; the server's log has it");
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownMethodIsUnimplemented(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.method(Texts.UNARY.type(), "Nothing"), "");
    assertFailure(dialect, stream, Status.Code.UNIMPLEMENTED, "/Nothing");
    assertThat(client.openStreams()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aMessageOverTheLimitEndsItsCall(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.ofLength(MAX_MESSAGE_BYTES + 1));
    assertFailure(dialect, stream, Status.Code.RESOURCE_EXHAUSTED, "" + MAX_MESSAGE_BYTES);
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatCannotBeParsedEndsItsCall(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNPARSABLE);
    assertFailure(dialect, stream, Status.Code.INTERNAL, "cannot be parsed");
  }

  @ParameterizedTest
  @EnumSource
  void aResponseThatCannotBeWrittenEndsItsCall(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNWRITABLE);
    assertFailure(dialect, stream, Status.Code.INTERNAL, "cannot serialize the response message");
  }

  @ParameterizedTest
  @EnumSource
  void aResetCancelsTheCall(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "");
    client.resets(stream);
    simulation.run();
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().call().isCancelled()).isTrue();
    held.only().answers("too late");
    held.only().ends();
    simulation.run();
    assertAnswer(dialect, asks(dialect, "next"), "next!");
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatIsResetBeforeItIsWholeReachesNoHandler(Dialect dialect) {
    Http2Stream stream = begins(dialect, Texts.UNARY);
    client.sendsContent(stream, dialect.content("half a message").substring(0, 9), EndStream.NO);
    simulation.run();
    client.resets(stream);
    simulation.run();
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aLostConnectionCancelsItsCalls(Dialect dialect) {
    asks(dialect, Texts.UNARY, "");
    simulation.network().cutAll("the cable was cut");
    simulation.run();
    assertThat(held.only().cancels()).isOne();
  }

  @ParameterizedTest
  @EnumSource
  void aPassedDeadlineIsReportedToBothEnds(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", dialect.within(1000));
    simulation.advance(Duration.ofMillis(999));
    assertThat(held.only().cancels()).isZero();
    assertThat(client.heard(stream).ended).isFalse();
    simulation.advance(Duration.ofMillis(1));
    assertThat(held.only().cancels()).isOne();
    assertFailure(
        dialect, stream, Status.Code.DEADLINE_EXCEEDED, "deadline exceeded (set by the client)");
  }

  @ParameterizedTest
  @EnumSource
  void aDeadlineThatHasPassedReachesNoHandler(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", dialect.within(0));
    assertFailure(
        dialect,
        stream,
        Status.Code.DEADLINE_EXCEEDED,
        "deadline exceeded before the server read the request");
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aRequestThatIsNeverWholeEndsWithItsDeadline(Dialect dialect) {
    Http2Stream stream = begins(dialect, Texts.UNARY, dialect.within(1000));
    simulation.advance(Duration.ofSeconds(1));
    assertFailure(
        dialect, stream, Status.Code.DEADLINE_EXCEEDED, "deadline exceeded (set by the client)");
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aResponseThatCannotBeSentIsDroppedAtItsDeadline(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "", dialect.within(1000));
    held.only().answers(Texts.ofLength(3_000_000)); // more than the client's window
    held.only().ends();
    simulation.run();
    RawPeer.Heard heard = client.heard(stream);
    assertThat(heard.ended).isFalse();
    simulation.advance(Duration.ofSeconds(1));
    assertThat(heard.ended || heard.resets.contains(ErrorCode.CANCEL)).isTrue();
    assertThat(held.only().cancels()).isOne();
    assertThat(client.openStreams()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void anInlineHandlerServesAllProtocols(Dialect dialect) {
    Simulation other =
        new Simulation().with(Texts.UNARY, BlockingHandlers.unary(request -> request + "!"));
    Simulation.start(other.serverBuilder().dispatch(Dispatch.inline()));
    RawPeer to = other.rawClient(Limits.DEFAULT);
    Http2Stream stream = to.asks(EndStream.NO, dialect.head(path(Texts.UNARY)));
    to.sendsContent(stream, dialect.content("inline"), EndStream.YES);
    other.run();
    assertThat(dialect.message(to.heard(stream))).isEqualTo("inline!");
    assertThat(dialect.code(to.heard(stream))).isEqualTo(Status.Code.OK);
  }

  @ParameterizedTest
  @EnumSource
  void aGracefulShutdownLetsCallsEnd(Dialect dialect) {
    Http2Stream stream = asks(dialect, Texts.UNARY, "");
    server.shutdown();
    simulation.run();
    held.only().answers("the last");
    held.only().ends();
    simulation.run();
    assertAnswer(dialect, stream, "the last");
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void protocolsShareAConnection() {
    Http2Stream one = begins(Dialect.GRPC, Texts.UNARY);
    Http2Stream other = begins(Dialect.ONE_MESSAGE, Texts.UNARY);
    client.sendsContent(other, Dialect.ONE_MESSAGE.content("other"), EndStream.YES);
    client.sendsContent(one, Dialect.GRPC.content("one"), EndStream.YES);
    simulation.run();
    for (HeldCall call : held.all()) {
      call.answers(call.messages().getFirst() + "!");
      call.ends();
    }
    simulation.run();
    assertAnswer(Dialect.GRPC, one, "one!");
    assertAnswer(Dialect.ONE_MESSAGE, other, "other!");
  }

  @ParameterizedTest
  @ValueSource(strings = {OneMessageProtocol.UNREAD, OneMessageProtocol.UNWRITTEN})
  void aMethodWhoseMessagesAProtocolCannotConvertEndsOnlyItsCall(String name) {
    MethodDescriptor<String, String> method = Texts.method(Texts.UNARY.type(), name);
    Http2Stream other = begins(Dialect.QUOTED, Texts.method(Texts.UNARY.type(), "Echo"));
    Http2Stream stream = asks(Dialect.QUOTED, method, "question");
    assertFailure(
        Dialect.QUOTED, stream, Status.Code.UNIMPLEMENTED, "does not support the message format");
    client.sendsContent(other, Dialect.QUOTED.content("other"), EndStream.YES);
    simulation.run();
    assertAnswer(Dialect.QUOTED, other, "other!");
    assertThat(held.all()).isEmpty();
    asks(Dialect.ONE_MESSAGE, method, "in its own format");
    assertThat(held.only().messages()).containsExactly("in its own format");
  }

  @ParameterizedTest
  @ValueSource(strings = {OneMessageProtocol.READ_ONLY, "neither"})
  void aFormatThatResponsesCannotHaveReachesNoHandler(String format) {
    Http2Stream stream =
        asks(Dialect.ONE_MESSAGE, Texts.UNARY, "\"question\"", OneMessageProtocol.FORMAT, format);
    assertFailure(
        Dialect.ONE_MESSAGE,
        stream,
        Status.Code.UNIMPLEMENTED,
        "does not support the message format");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aRequestThatIsNotInItsFormatEndsItsCall() {
    Http2Stream stream =
        asks(
            Dialect.ONE_MESSAGE,
            Texts.method(Texts.UNARY.type(), "Echo"),
            "no quotes",
            OneMessageProtocol.FORMAT,
            OneMessageProtocol.QUOTED);
    assertFailure(Dialect.ONE_MESSAGE, stream, Status.Code.INTERNAL, "cannot be parsed");
  }

  /** With its quotes, a text of 8 characters is longer than 9 bytes. */
  @Test
  void aResponseIsMeasuredInTheFormatOfItsProtocol() {
    Simulation other = new Simulation().with(Texts.UNARY, BlockingHandlers.unary(it -> it + "!"));
    Simulation.start(other.serverBuilder().maxOutboundMessageBytes(9));
    RawPeer to = other.rawClient(Limits.DEFAULT);
    for (String message : List.of("123456", "1234567")) {
      Http2Stream stream = to.asks(EndStream.NO, Dialect.QUOTED.head(path(Texts.UNARY)));
      to.sendsContent(stream, Dialect.QUOTED.content(message), EndStream.YES);
      other.run();
      assertThat(Dialect.QUOTED.code(to.heard(stream)))
          .isEqualTo(message.length() == 6 ? Status.Code.OK : Status.Code.RESOURCE_EXHAUSTED);
    }
  }

  /** Texts without a name of their format in responses. */
  private record Unnamed(Marshaller<String> own) implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      own.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return own.parse(bytes);
    }

    @Override
    public boolean writes(String format) {
      return false;
    }
  }

  @Test
  void theFormatOfAGrpcCallIsThatOfItsResponsesToo() {
    Marshaller<String> texts = Texts.UNARY.requestMarshaller();
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(
            Texts.UNARY.type(), Texts.UNARY.fullMethodName(), texts, new Unnamed(texts));
    Simulation other = new Simulation().with(method, BlockingHandlers.unary(it -> it + "!"));
    Simulation.start(other.serverBuilder());
    RawPeer to = other.rawClient(Limits.DEFAULT);
    Map<String, Status.Code> codes = Map.of("", Status.Code.OK, "+text", Status.Code.UNIMPLEMENTED);
    codes.forEach((format, code) -> {
      Http2Stream stream = to.asks(EndStream.NO, post(path(method), "application/grpc" + format));
      to.sendsContent(stream, Dialect.GRPC.content("question"), EndStream.YES);
      other.run();
      assertThat(Dialect.GRPC.code(to.heard(stream))).isEqualTo(code);
    });
  }

  @Test
  void aProtocolWithoutStreamsRefusesThem() {
    Http2Stream stream = begins(Dialect.ONE_MESSAGE, Texts.BIDI);
    simulation.run();
    assertFailure(
        Dialect.ONE_MESSAGE, stream, Status.Code.UNIMPLEMENTED, "does not support streaming");
    assertThat(held.all()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/test.Texts/Echo", "/test.Texts/Nothing", MuteProtocol.NO_CALL})
  void aProtocolThatDoesNotAnswerEndsOnlyItsStream(String path) {
    for (int i = 0; i < 5; i++) { // there are two slots
      Http2Stream stream = client.asks(EndStream.NO, post(path, MuteProtocol.CONTENT_TYPE));
      simulation.run();
      if (client.heard(stream).resets.isEmpty()) {
        client.sendsContent(stream, "question", EndStream.YES);
        simulation.run();
      }
      assertThat(client.heard(stream).resets).hasSize(1);
    }
    assertAnswer(Dialect.GRPC, asks(Dialect.GRPC, "next"), "next!");
  }

  @Test
  void aCallWhoseProtocolDoesNotAnswerStillEndsAtItsDeadline() {
    Simulation other = new Simulation().with(Texts.UNARY, held);
    Simulation.start(other.serverBuilder().maxCallDuration(Duration.ofSeconds(1)));
    RawPeer to = other.rawClient(Limits.DEFAULT);
    Http2Stream stream = to.asks(EndStream.NO, post(path(Texts.UNARY), MuteProtocol.CONTENT_TYPE));
    to.sendsContent(stream, "question", EndStream.YES);
    other.advance(Duration.ofSeconds(1));
    assertThat(to.heard(stream).resets).containsExactly(ErrorCode.CANCEL);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aServerCanAcceptGrpcAlone() {
    Simulation other =
        new Simulation().with(Texts.UNARY, BlockingHandlers.unary(request -> request + "!"));
    Simulation.start(other.serverBuilder().grpcOnly());
    RawPeer to = other.rawClient(Limits.DEFAULT);
    Http2Stream stream = to.asks(EndStream.NO, Dialect.ONE_MESSAGE.head(path(Texts.UNARY)));
    to.sendsContent(stream, "refused", EndStream.YES);
    Http2Stream mute = to.asks(EndStream.YES, post(path(Texts.UNARY), MuteProtocol.CONTENT_TYPE));
    Http2Stream grpc = to.asks(EndStream.NO, Dialect.GRPC.head(path(Texts.UNARY)));
    to.sendsContent(grpc, Dialect.GRPC.content("accepted"), EndStream.YES);
    other.run();
    assertThat(to.heard(stream).field(":status")).isEqualTo("415");
    assertThat(to.heard(mute).field(":status")).isEqualTo("415");
    assertThat(Dialect.GRPC.message(to.heard(grpc))).isEqualTo("accepted!");
  }

  @Test
  void aContentTypeOfNoProtocolIsRejected() {
    Http2Stream stream = client.asks(EndStream.YES, post(path(Texts.UNARY), "application/x-other"));
    simulation.run();
    assertThat(client.heard(stream).field(":status")).isEqualTo("415");
    assertThat(client.heard(stream).resets).doesNotContain(ErrorCode.PROTOCOL_ERROR);
  }
}
