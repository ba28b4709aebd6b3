package dev.gannet.conformance.interop;

import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.util.List;

/** Cases with a stream in at least one direction that end with OK. */
final class StreamingCases {
  private static final List<Integer> REQUEST_BYTES = List.of(27_182, 8, 1_828, 45_904);
  private static final List<Integer> RESPONSE_BYTES = List.of(31_415, 9, 2_653, 58_979);
  private static final int ALL_REQUESTS_BYTES = 74_922;

  private StreamingCases() {}

  static void clientStreaming(TestServiceClient client) {
    try (ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse> call =
        client.streamingInputCall()) {
      for (int sizeBytes : REQUEST_BYTES) {
        call.send(
            StreamingInputCallRequest.newBuilder().setPayload(Payloads.zeros(sizeBytes)).build());
      }
      Expect.equal(
          "aggregated_payload_size", ALL_REQUESTS_BYTES, call.finish().getAggregatedPayloadSize());
    }
  }

  static void serverStreaming(TestServiceClient client) {
    StreamingOutputCallRequest.Builder request = StreamingOutputCallRequest.newBuilder();
    for (int sizeBytes : RESPONSE_BYTES) {
      request.addResponseParameters(ResponseParameters.newBuilder().setSize(sizeBytes));
    }
    try (Incoming<StreamingOutputCallResponse> responses =
        client.streamingOutputCall(request.build())) {
      expectResponses(RESPONSE_BYTES, responses);
    }
  }

  static void pingPong(TestServiceClient client) {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.fullDuplexCall()) {
      for (int i = 0; i < REQUEST_BYTES.size(); i++) {
        call.send(duplexRequest(REQUEST_BYTES.get(i), RESPONSE_BYTES.get(i)));
        expectResponse(i, RESPONSE_BYTES.get(i), call);
      }
      call.halfClose();
      expectEnd(RESPONSE_BYTES.size(), call);
    }
  }

  static void emptyStream(TestServiceClient client) {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.fullDuplexCall()) {
      call.halfClose();
      expectEnd(0, call);
    }
  }

  /** A request of one size that asks for one response of another. */
  static StreamingOutputCallRequest duplexRequest(int requestBytes, int responseBytes) {
    return StreamingOutputCallRequest.newBuilder()
        .setPayload(Payloads.zeros(requestBytes))
        .addResponseParameters(ResponseParameters.newBuilder().setSize(responseBytes))
        .build();
  }

  /** Responses of these sizes, then OK. */
  static void expectResponses(
      List<Integer> sizesBytes, Incoming<StreamingOutputCallResponse> responses) {
    for (int i = 0; i < sizesBytes.size(); i++) {
      expectResponse(i, sizesBytes.get(i), responses);
    }
    expectEnd(sizesBytes.size(), responses);
  }

  private static void expectResponse(
      int index, int sizeBytes, Incoming<StreamingOutputCallResponse> responses) {
    if (!responses.hasNext()) {
      throw new Mismatch("response " + (index + 1), sizeBytes + " bytes", "the end");
    }
    Expect.zeros("response " + (index + 1), sizeBytes, responses.next().getPayload());
  }

  private static void expectEnd(int count, Incoming<StreamingOutputCallResponse> responses) {
    if (responses.hasNext()) {
      throw new Mismatch("number of responses", count, "more");
    }
  }
}
