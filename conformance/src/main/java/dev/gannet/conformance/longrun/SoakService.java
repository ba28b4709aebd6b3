package dev.gannet.conformance.longrun;

import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;
import java.util.concurrent.TimeUnit;

/** The service of {@link Soak}: echoes of all four kinds, and a method that is late. */
final class SoakService implements TestService {
  private static final int LATE_SECONDS = 5;

  /** Always exceeds its caller's deadline. */
  @Override
  public Empty emptyCall(Empty request) throws InterruptedException {
    TimeUnit.SECONDS.sleep(LATE_SECONDS);
    return request;
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    return SimpleResponse.newBuilder().setPayload(request.getPayload()).build();
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
    for (ResponseParameters ignored : request.getResponseParametersList()) {
      responses.send(echo(request));
    }
  }

  @Override
  public void fullDuplexCall(
      Incoming<StreamingOutputCallRequest> requests,
      Outgoing<StreamingOutputCallResponse> responses) {
    for (StreamingOutputCallRequest request : requests) {
      responses.send(echo(request));
    }
  }

  private static StreamingOutputCallResponse echo(StreamingOutputCallRequest request) {
    return StreamingOutputCallResponse.newBuilder().setPayload(request.getPayload()).build();
  }
}
