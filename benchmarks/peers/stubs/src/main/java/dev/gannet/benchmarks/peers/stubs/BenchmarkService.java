package dev.gannet.benchmarks.peers.stubs;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.gannet.benchmarks.harness.ResponseBytes;
import io.grpc.benchmarks.proto.BenchmarkServiceGrpc;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;

/** The benchmark service, as users of grpc-java's stubs write it. */
public final class BenchmarkService extends BenchmarkServiceGrpc.BenchmarkServiceImplBase {
  @Override
  public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
    responses.onNext(respond(request));
    responses.onCompleted();
  }

  @Override
  public StreamObserver<SimpleRequest> streamingCall(StreamObserver<SimpleResponse> responses) {
    return new PingPong(responses);
  }

  /** As fast as the client reads, until it cancels. */
  @Override
  public void streamingFromServer(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
    var observer = (ServerCallStreamObserver<SimpleResponse>) responses;
    SimpleResponse response = respond(request);
    observer.setOnCancelHandler(() -> {});
    observer.setOnReadyHandler(() -> {
      while (observer.isReady() && !observer.isCancelled()) {
        observer.onNext(response);
      }
    });
  }

  private static SimpleResponse respond(SimpleRequest request) {
    int bytes = request.getResponseSize();
    if (bytes == 0) {
      return SimpleResponse.getDefaultInstance();
    }
    ByteString body = UnsafeByteOperations.unsafeWrap(ResponseBytes.of(bytes));
    Payload payload = Payload.newBuilder().setBody(body).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }

  /** A response for each request. */
  private record PingPong(StreamObserver<SimpleResponse> responses)
      implements StreamObserver<SimpleRequest> {
    @Override
    public void onNext(SimpleRequest request) {
      responses.onNext(respond(request));
    }

    @Override
    public void onError(Throwable error) {
      // The client is gone.
    }

    @Override
    public void onCompleted() {
      responses.onCompleted();
    }
  }
}
