package dev.gannet.conformance.interop;

import dev.gannet.api.Status;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.time.Duration;

/** Cases of calls that the client or a deadline ends early. */
final class CancellationCases {
  private static final int REQUEST_BYTES = 27_182;
  private static final int RESPONSE_BYTES = 31_415;
  private static final Duration TIMEOUT = Duration.ofMillis(1);

  private CancellationCases() {}

  static void cancelAfterBegin(TestServiceClient client) {
    ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse> call =
        client.streamingInputCall();
    call.close();
    Expect.failure("the cancelled call", Status.Code.CANCELLED, () -> call.finish());
  }

  static void cancelAfterFirstResponse(TestServiceClient client) {
    BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.fullDuplexCall();
    call.send(StreamingCases.duplexRequest(REQUEST_BYTES, RESPONSE_BYTES));
    Expect.zeros("the first response", RESPONSE_BYTES, call.next().getPayload());
    call.close();
    Expect.failure("the cancelled call", Status.Code.CANCELLED, () -> call.hasNext());
  }

  static void timeoutOnSleepingServer(TestServiceClient client) {
    StreamingOutputCallRequest request =
        StreamingOutputCallRequest.newBuilder().setPayload(Payloads.zeros(REQUEST_BYTES)).build();
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.withDeadline(TIMEOUT).fullDuplexCall()) {
      Expect.failure(
          "the call",
          Status.Code.DEADLINE_EXCEEDED,
          () -> {
            call.send(request);
            call.hasNext();
          });
    }
  }
}
