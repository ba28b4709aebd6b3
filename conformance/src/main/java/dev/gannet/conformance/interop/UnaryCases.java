package dev.gannet.conformance.interop;

import dev.gannet.api.Channel;
import dev.gannet.api.Status;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.TestServiceClient;

/** Cases of one request and one response, or of none. */
final class UnaryCases {
  static final int REQUEST_BYTES = 271_828;
  static final int RESPONSE_BYTES = 314_159;
  private static final int CALLS_TO_ONE_SERVER = 100;
  private static final int VERY_LARGE_BYTES = 10 << 20;

  private UnaryCases() {}

  /** A request of the size that many cases use, for a response of the size they use. */
  static SimpleRequest.Builder largeRequest() {
    return SimpleRequest.newBuilder()
        .setResponseSize(RESPONSE_BYTES)
        .setPayload(Payloads.zeros(REQUEST_BYTES));
  }

  static void emptyUnary(TestServiceClient client) {
    Empty response = client.emptyCall(Empty.getDefaultInstance());
    Expect.equal("the response", Empty.getDefaultInstance(), response);
  }

  static void largeUnary(TestServiceClient client) {
    Expect.zeros(
        "the response's payload",
        RESPONSE_BYTES,
        client.unaryCall(largeRequest().build()).getPayload());
  }

  /** All calls of a channel go to one server. */
  static void pickFirst(TestServiceClient client) {
    SimpleRequest request =
        SimpleRequest.newBuilder()
            .setResponseSize(1)
            .setPayload(Payloads.zeros(1))
            .setFillServerId(true)
            .build();
    String first = client.unaryCall(request).getServerId();
    Expect.equal("whether the server has an id", true, !first.isEmpty());
    for (int i = 0; i < CALLS_TO_ONE_SERVER; i++) {
      Expect.equal("server_id", first, client.unaryCall(request).getServerId());
    }
  }

  static void veryLargeRequest(TestServiceClient client) {
    SimpleRequest request =
        SimpleRequest.newBuilder()
            .setResponseSize(VERY_LARGE_BYTES)
            .setPayload(Payloads.zeros(VERY_LARGE_BYTES))
            .build();
    Expect.zeros(
        "the response's payload", VERY_LARGE_BYTES, client.unaryCall(request).getPayload());
  }

  static void unimplementedMethod(TestServiceClient client) {
    Expect.failure(
        "the call",
        Status.Code.UNIMPLEMENTED,
        () -> client.unimplementedCall(Empty.getDefaultInstance()));
  }

  static void unimplementedService(Channel channel, ClientStyle style) {
    Expect.failure("the call", Status.Code.UNIMPLEMENTED, () -> style.callUnimplemented(channel));
  }
}
