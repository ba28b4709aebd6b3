package dev.gannet.conformance.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest.Cancel;
import connectrpc.conformance.v1.ClientCompat.ClientCompatResponse;
import connectrpc.conformance.v1.ClientCompat.ClientResponseResult;
import connectrpc.conformance.v1.ConfigOuterClass.Code;
import connectrpc.conformance.v1.ConfigOuterClass.Compression;
import connectrpc.conformance.v1.ConfigOuterClass.StreamType;
import connectrpc.conformance.v1.ServerCompat.ServerCompatRequest;
import connectrpc.conformance.v1.Service;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.ClientStreamRequest;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.Header;
import connectrpc.conformance.v1.Service.ServerStreamRequest;
import connectrpc.conformance.v1.Service.StreamResponseDefinition;
import connectrpc.conformance.v1.Service.UnaryRequest;
import connectrpc.conformance.v1.Service.UnaryResponseDefinition;
import dev.gannet.server.Server;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the programs for the suite say of calls between each other, without the suite. */
final class SuiteCallTest {
  private static final int LONGER_THAN_ANY_CALL_MILLIS = (int) Duration.ofMinutes(5).toMillis();
  private static final ByteString ONE = ByteString.copyFromUtf8("one");
  private static final ByteString TWO = ByteString.copyFromUtf8("two");
  private static final Header HEADER = Header.newBuilder().setName("h").addValue("1").build();
  private static final Header TRAILER = Header.newBuilder().setName("t").addValue("2").build();
  private static final Service.Error ABORTED =
      Service.Error.newBuilder()
          .setCode(Code.CODE_ABORTED)
          .setMessage("as defined")
          .addDetails(Any.pack(HEADER))
          .build();

  private final Server server = ConformanceServer.start(ServerCompatRequest.getDefaultInstance());

  SuiteCallTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void aUnaryCallShowsWhatItsServerSaw() throws IOException {
    UnaryRequest request = unary(UnaryResponseDefinition.newBuilder().setResponseData(ONE));

    ClientResponseResult result =
        resultOf(
            call("Unary", request)
                .addRequestHeaders(HEADER)
                .setTimeoutMs(LONGER_THAN_ANY_CALL_MILLIS)
                .setCompression(Compression.COMPRESSION_GZIP));

    RequestInfo seen = result.getPayloads(0).getRequestInfo();
    assertThat(result.getPayloads(0).getData()).isEqualTo(ONE);
    assertThat(seen.getRequestHeadersList()).contains(HEADER);
    assertThat(seen.getTimeoutMs()).isBetween(1L, (long) LONGER_THAN_ANY_CALL_MILLIS);
    assertThat(seen.getRequests(0).unpack(UnaryRequest.class)).isEqualTo(request);
  }

  @Test
  void aUnaryErrorCarriesItsDetailsAndWhatTheServerSaw() {
    ClientResponseResult result =
        resultOf(call("Unary", unary(UnaryResponseDefinition.newBuilder().setError(ABORTED))));

    assertThat(result.getPayloadsList()).isEmpty();
    assertThat(result.getError().getCode()).isEqualTo(Code.CODE_ABORTED);
    assertThat(result.getError().getMessage()).isEqualTo("as defined");
    assertThat(result.getError().getDetailsCount()).isEqualTo(2);
    assertThat(result.getError().getDetails(0)).isEqualTo(Any.pack(HEADER));
    assertThat(result.getError().getDetails(1).is(RequestInfo.class)).isTrue();
  }

  @Test
  void aStreamOfRequestsIsAnsweredAsItsFirstOneDefines() {
    UnaryResponseDefinition definition =
        UnaryResponseDefinition.newBuilder()
            .addResponseHeaders(HEADER)
            .setResponseData(ONE)
            .addResponseTrailers(TRAILER)
            .build();
    ClientStreamRequest first =
        ClientStreamRequest.newBuilder().setResponseDefinition(definition).build();

    ClientResponseResult result =
        resultOf(call("ClientStream", first, ClientStreamRequest.getDefaultInstance()));

    assertThat(result.getPayloads(0).getRequestInfo().getRequestsCount()).isEqualTo(2);
    assertThat(result.getResponseHeadersList()).contains(HEADER);
    assertThat(result.getResponseTrailersList()).contains(TRAILER);
  }

  @Test
  void headersOfAStreamComeBeforeAFailureWithoutResponses() {
    StreamResponseDefinition definition =
        StreamResponseDefinition.newBuilder()
            .addResponseHeaders(HEADER)
            .setError(ABORTED)
            .addResponseTrailers(TRAILER)
            .build();

    ClientResponseResult result =
        resultOf(
            call(
                "ServerStream",
                ServerStreamRequest.newBuilder().setResponseDefinition(definition).build()));

    assertThat(result.getError().getDetailsCount()).isEqualTo(2);
    assertThat(result.getResponseHeadersList()).contains(HEADER);
    assertThat(result.getResponseTrailersList()).contains(TRAILER);
  }

  @Test
  void aFullDuplexCallHasEachRequestAnsweredAtOnce() {
    ClientResponseResult result =
        resultOf(
            call("BidiStream", twoResponses(true), BidiStreamRequest.getDefaultInstance())
                .setStreamType(StreamType.STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM));

    assertThat(result.getPayloadsList())
        .extracting(payload -> payload.getRequestInfo().getRequestsCount())
        .containsExactly(1, 1);
  }

  @Test
  void aHalfDuplexCallIsAnsweredAfterItsLastRequest() {
    ClientResponseResult result =
        resultOf(call("BidiStream", twoResponses(false), BidiStreamRequest.getDefaultInstance()));

    assertThat(result.getPayloadsList())
        .extracting(ConformancePayload::getData)
        .containsExactly(ONE, TWO);
    assertThat(result.getPayloadsList())
        .extracting(payload -> payload.getRequestInfo().getRequestsCount())
        .containsExactly(2, 0);
  }

  @Test
  void aFullDuplexCallEndsWellWhereItsServerEndsIt() {
    BidiStreamRequest more = BidiStreamRequest.getDefaultInstance();

    ClientResponseResult result =
        resultOf(
            call("BidiStream", twoResponses(true), more, more, more)
                .setStreamType(StreamType.STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM));

    assertThat(result.getPayloadsCount()).isEqualTo(2);
    assertThat(result.hasError()).isFalse();
  }

  @Test
  void aCallThatIsCancelledInsteadOfHalfClosedIsCancelled() {
    Cancel.Builder cancel = Cancel.newBuilder().setBeforeCloseSend(Empty.getDefaultInstance());

    ClientResponseResult result =
        resultOf(call("ClientStream", ClientStreamRequest.getDefaultInstance()).setCancel(cancel));

    assertThat(result.getError().getCode()).isEqualTo(Code.CODE_CANCELED);
  }

  @Test
  void aCallIsCancelledWhileItsCallerWaits() {
    UnaryResponseDefinition.Builder late =
        UnaryResponseDefinition.newBuilder().setResponseDelayMs(LONGER_THAN_ANY_CALL_MILLIS);

    ClientResponseResult result =
        resultOf(call("Unary", unary(late)).setCancel(Cancel.newBuilder().setAfterCloseSendMs(1)));

    assertThat(result.getError().getCode()).isEqualTo(Code.CODE_CANCELED);
  }

  @Test
  void aCallIsCancelledAfterTheRequestedResponses() {
    ClientResponseResult result =
        resultOf(
            call("BidiStream", twoResponses(true), BidiStreamRequest.getDefaultInstance())
                .setStreamType(StreamType.STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM)
                .setCancel(Cancel.newBuilder().setAfterNumResponses(1)));

    assertThat(result.getPayloadsCount()).isEqualTo(1);
    assertThat(result.getError().getCode()).isEqualTo(Code.CODE_CANCELED);
  }

  @Test
  void impossibleRequestsAreErrorsOfTheClient() {
    UnaryRequest request = UnaryRequest.getDefaultInstance();

    assertThat(answerTo(call("NoSuchMethod", request)).getError().getMessage())
        .contains("NoSuchMethod");
    assertThat(answerTo(call("Unary", request, request)).getError().getMessage()).contains("not 2");
    assertThat(answerTo(call("ServerStream", request)).hasError()).isTrue();
    assertThat(
            answerTo(call("Unary", request).setCompression(Compression.COMPRESSION_BR)).hasError())
        .isTrue();
  }

  private static UnaryRequest unary(UnaryResponseDefinition.Builder definition) {
    return UnaryRequest.newBuilder().setResponseDefinition(definition).build();
  }

  private static BidiStreamRequest twoResponses(boolean fullDuplex) {
    return BidiStreamRequest.newBuilder()
        .setFullDuplex(fullDuplex)
        .setResponseDefinition(
            StreamResponseDefinition.newBuilder().addResponseData(ONE).addResponseData(TWO))
        .build();
  }

  private ClientCompatRequest.Builder call(String method, Message... requests) {
    ClientCompatRequest.Builder wanted =
        ClientCompatRequest.newBuilder()
            .setHost("127.0.0.1")
            .setPort(server.port())
            .setMethod(method);
    for (Message request : requests) {
      wanted.addRequestMessages(Any.pack(request));
    }
    return wanted;
  }

  private static ClientResponseResult resultOf(ClientCompatRequest.Builder wanted) {
    ClientCompatResponse answer = answerTo(wanted);
    assertThat(answer.getError().getMessage()).isEmpty();
    return answer.getResponse();
  }

  private static ClientCompatResponse answerTo(ClientCompatRequest.Builder wanted) {
    return ConformanceClient.perform(wanted.build());
  }
}
