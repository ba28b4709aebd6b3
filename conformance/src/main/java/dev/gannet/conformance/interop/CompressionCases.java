package dev.gannet.conformance.interop;

import dev.gannet.api.Status;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.util.List;

/**
 * Cases of messages that are compressed or not, one by one.
 *
 * <p>Those of the client begin with a probe, a false claim about compression that the server must
 * notice; the same cases without it are for servers that cannot see whether a message was
 * compressed.
 */
final class CompressionCases {
  private static final String GZIP = "gzip";
  private static final int FIRST_REQUEST_BYTES = 27_182;
  private static final int SECOND_REQUEST_BYTES = 45_904;
  private static final int ALL_REQUESTS_BYTES = 73_086;
  private static final int FIRST_RESPONSE_BYTES = 31_415;
  private static final int SECOND_RESPONSE_BYTES = 92_653;

  private CompressionCases() {}

  static void clientCompressedUnary(TestServiceClient client) {
    SimpleRequest lie = expecting(true);
    Expect.failure(
        "the probe, an uncompressed request that says it is compressed",
        Status.Code.INVALID_ARGUMENT,
        () -> client.unaryCall(lie));
    clientCompressedUnaryWithoutProbe(client);
  }

  static void clientCompressedUnaryWithoutProbe(TestServiceClient client) {
    expectLargeResponse(client.withCompression(GZIP), expecting(true));
    expectLargeResponse(client, expecting(false));
  }

  static void clientCompressedStreaming(TestServiceClient client) {
    try (ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse> call =
        client.streamingInputCall()) {
      Expect.failure(
          "the probe, an uncompressed request that says it is compressed",
          Status.Code.INVALID_ARGUMENT,
          () -> {
            call.send(streamed(true, FIRST_REQUEST_BYTES));
            call.finish();
          });
    }
    clientCompressedStreamingWithoutProbe(client);
  }

  static void clientCompressedStreamingWithoutProbe(TestServiceClient client) {
    try (ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse> call =
        client
            .withInterceptors(new MessageCompression())
            .withCompression(GZIP)
            .streamingInputCall()) {
      call.send(streamed(true, FIRST_REQUEST_BYTES));
      call.send(streamed(false, SECOND_REQUEST_BYTES));
      Expect.equal(
          "aggregated_payload_size", ALL_REQUESTS_BYTES, call.finish().getAggregatedPayloadSize());
    }
  }

  static void serverCompressedUnary(TestServiceClient client) {
    for (boolean compressed : new boolean[] {true, false}) {
      MessageCompression seen = new MessageCompression();
      expectLargeResponse(
          client.withInterceptors(seen),
          UnaryCases.largeRequest().setResponseCompressed(Payloads.bool(compressed)).build());
      Expect.equal("whether the response is compressed", List.of(compressed), seen.ofResponses());
    }
  }

  static void serverCompressedStreaming(TestServiceClient client) {
    StreamingOutputCallRequest request =
        StreamingOutputCallRequest.newBuilder()
            .addResponseParameters(response(true, FIRST_RESPONSE_BYTES))
            .addResponseParameters(response(false, SECOND_RESPONSE_BYTES))
            .build();
    MessageCompression seen = new MessageCompression();
    try (Incoming<StreamingOutputCallResponse> responses =
        client.withInterceptors(seen).streamingOutputCall(request)) {
      StreamingCases.expectResponses(
          List.of(FIRST_RESPONSE_BYTES, SECOND_RESPONSE_BYTES), responses);
    }
    Expect.equal("which responses are compressed", List.of(true, false), seen.ofResponses());
  }

  private static void expectLargeResponse(TestServiceClient client, SimpleRequest request) {
    Expect.zeros(
        "the response's payload",
        UnaryCases.RESPONSE_BYTES,
        client.unaryCall(request).getPayload());
  }

  private static SimpleRequest expecting(boolean compressed) {
    return UnaryCases.largeRequest().setExpectCompressed(Payloads.bool(compressed)).build();
  }

  private static StreamingInputCallRequest streamed(boolean compressed, int sizeBytes) {
    return StreamingInputCallRequest.newBuilder()
        .setExpectCompressed(Payloads.bool(compressed))
        .setPayload(Payloads.zeros(sizeBytes))
        .build();
  }

  private static ResponseParameters response(boolean compressed, int sizeBytes) {
    return ResponseParameters.newBuilder()
        .setCompressed(Payloads.bool(compressed))
        .setSize(sizeBytes)
        .build();
  }
}
