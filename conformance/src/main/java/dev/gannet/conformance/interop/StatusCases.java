package dev.gannet.conformance.interop;

import com.google.protobuf.ByteString;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.conformance.styles.SeenFields;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.util.List;

/** Cases of metadata in both directions, status codes and status messages. */
final class StatusCases {
  private static final String INITIAL_VALUE = "test_initial_metadata_value";
  private static final byte[] TRAILING_VALUE = {(byte) 0xab, (byte) 0xab, (byte) 0xab};
  private static final String MESSAGE = "test status message";
  private static final String SPECIAL_MESSAGE =
      "\t\ntest with whitespace\r\nand Unicode BMP \u263a and non-BMP \uD83D\uDE08\t\n";

  private StatusCases() {}

  static void customMetadata(TestServiceClient client) {
    Metadata sent = new Metadata();
    sent.add(EchoFields.INITIAL, INITIAL_VALUE);
    sent.add(EchoFields.TRAILING, TRAILING_VALUE);
    TestServiceClient sending = client.withMetadata(sent);

    SeenFields unary = new SeenFields();
    Expect.zeros(
        "the unary response's payload",
        UnaryCases.RESPONSE_BYTES,
        sending.withInterceptors(unary).unaryCall(UnaryCases.largeRequest().build()).getPayload());
    expectEcho("unary", unary.headers(), unary.trailers());

    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        sending.fullDuplexCall()) {
      call.send(StreamingCases.duplexRequest(UnaryCases.REQUEST_BYTES, UnaryCases.RESPONSE_BYTES));
      call.halfClose();
      StreamingCases.expectResponses(List.of(UnaryCases.RESPONSE_BYTES), call);
      expectEcho("full-duplex", call.headers(), call.trailers());
    }
  }

  private static void expectEcho(String call, Metadata headers, Metadata trailers) {
    Expect.equal(
        EchoFields.INITIAL + " in the headers of the " + call + " call",
        INITIAL_VALUE,
        headers.get(EchoFields.INITIAL).orElse("nothing"));
    Expect.equal(
        EchoFields.TRAILING + " in the trailers of the " + call + " call",
        ByteString.copyFrom(TRAILING_VALUE),
        ByteString.copyFrom(trailers.get(EchoFields.TRAILING).orElse(new byte[0])));
  }

  static void statusCodeAndMessage(TestServiceClient client) {
    expectUnaryEcho(client, MESSAGE);
    expectDuplexEcho(client, MESSAGE);
  }

  static void specialStatusMessage(TestServiceClient client) {
    expectUnaryEcho(client, SPECIAL_MESSAGE);
  }

  private static void expectUnaryEcho(TestServiceClient client, String message) {
    SimpleRequest request = SimpleRequest.newBuilder().setResponseStatus(unknown(message)).build();
    Status status =
        Expect.failure("the unary call", Status.Code.UNKNOWN, () -> client.unaryCall(request));
    Expect.equal("message of the unary call", message, status.description().orElse("nothing"));
  }

  private static void expectDuplexEcho(TestServiceClient client, String message) {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.fullDuplexCall()) {
      call.send(
          StreamingOutputCallRequest.newBuilder().setResponseStatus(unknown(message)).build());
      call.halfClose();
      Status status =
          Expect.failure("the full-duplex call", Status.Code.UNKNOWN, () -> call.hasNext());
      Expect.equal(
          "message of the full-duplex call", message, status.description().orElse("nothing"));
    }
  }

  private static EchoStatus unknown(String message) {
    return EchoStatus.newBuilder().setCode(Status.Code.UNKNOWN.value()).setMessage(message).build();
  }
}
