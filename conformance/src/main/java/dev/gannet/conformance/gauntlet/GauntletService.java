package dev.gannet.conformance.gauntlet;

import com.google.protobuf.ByteString;
import dev.gannet.api.Status;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;

/**
 * The service that honest clients and attackers call: as simple as possible, with a method of each
 * kind that attacks need. {@code PlainServer} of {@code conformance/grpc-java-server} serves the
 * same. Safe for all threads.
 */
final class GauntletService implements TestService {
  private static final int MAX_RESPONSE_BYTES = 1 << 20;

  /** Shared, so that the memory of a call is that of the library. */
  private static final ByteString ZEROS = ByteString.copyFrom(new byte[MAX_RESPONSE_BYTES]);

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    return SimpleResponse.newBuilder().setPayload(payload(request.getResponseSize())).build();
  }

  @Override
  public StreamingInputCallResponse streamingInputCall(
      Incoming<StreamingInputCallRequest> requests) {
    int sizeBytes = 0;
    for (StreamingInputCallRequest request : requests) {
      sizeBytes += request.getPayload().getBody().size();
    }
    return StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(sizeBytes).build();
  }

  @Override
  public void streamingOutputCall(
      StreamingOutputCallRequest request, Outgoing<StreamingOutputCallResponse> responses) {
    for (ResponseParameters wanted : request.getResponseParametersList()) {
      responses.send(
          StreamingOutputCallResponse.newBuilder().setPayload(payload(wanted.getSize())).build());
    }
  }

  private static Payload payload(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > MAX_RESPONSE_BYTES) {
      throw Status.INVALID_ARGUMENT.withDescription("too large: " + sizeBytes).asException();
    }
    return Payload.newBuilder().setBody(ZEROS.substring(0, sizeBytes)).build();
  }
}
