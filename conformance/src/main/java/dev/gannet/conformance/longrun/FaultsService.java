package dev.gannet.conformance.longrun;

import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** The service for {@link Faults}: echoes, and a method that is held open. Thread-safe. */
final class FaultsService implements TestService {
  private final BlockingQueue<CompletableFuture<Long>> held = new LinkedBlockingQueue<>();

  /** The time at which a held call ends at the server; waits until there is such a call. */
  CompletableFuture<Long> awaitHeldCall() throws InterruptedException {
    return held.take();
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    return SimpleResponse.newBuilder().setPayload(request.getPayload()).build();
  }

  /** Reads until the call ends. */
  @Override
  public StreamingInputCallResponse streamingInputCall(
      Incoming<StreamingInputCallRequest> requests) {
    CompletableFuture<Long> end = new CompletableFuture<>();
    held.add(end);
    try {
      requests.forEach(it -> {});
    } finally {
      end.complete(System.nanoTime());
    }
    return StreamingInputCallResponse.getDefaultInstance();
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
