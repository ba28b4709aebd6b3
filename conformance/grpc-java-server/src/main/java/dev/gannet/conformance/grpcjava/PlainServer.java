package dev.gannet.conformance.grpcjava;

import com.google.protobuf.ByteString;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.util.Iterator;

/**
 * grpc-java's server over Netty with its published defaults in everything: what the gauntlet
 * measures beside Gannet. Serves what {@code GauntletService} serves there, and waits for readers
 * as good handlers do. Says on its output where it listens, in the clear and with TLS.
 */
public final class PlainServer {
  private static final int MAX_RESPONSE_BYTES = 1 << 20;

  /** Shared, so that what a call holds is what the library holds of it. */
  private static final ByteString ZEROS = ByteString.copyFrom(new byte[MAX_RESPONSE_BYTES]);

  private PlainServer() {}

  /** Serves until the process is told to end. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Server plaintext = start(InsecureServerCredentials.create());
    try (InputStream certificate = resource("server1.pem");
        InputStream key = resource("server1.key")) {
      Server tls = start(TlsServerCredentials.create(certificate, key));
      System.out.println("listening on ports " + plaintext.getPort() + " " + tls.getPort());
    }
    plaintext.awaitTermination();
  }

  private static Server start(ServerCredentials credentials) throws IOException {
    return Grpc.newServerBuilderForPort(0, credentials)
        .addService(new Service())
        .build()
        .start();
  }

  private static InputStream resource(String name) {
    return PlainServer.class.getResourceAsStream("/certs/" + name);
  }

  private static Payload payload(int sizeBytes) {
    return Payload.newBuilder().setBody(ZEROS.substring(0, sizeBytes)).build();
  }

  private static final class Service extends TestServiceGrpc.TestServiceImplBase {
    @Override
    public void unaryCall(SimpleRequest request, StreamObserver<SimpleResponse> responses) {
      int sizeBytes = request.getResponseSize();
      if (sizeBytes < 0 || sizeBytes > MAX_RESPONSE_BYTES) {
        responses.onError(Status.INVALID_ARGUMENT.asRuntimeException());
        return;
      }
      responses.onNext(SimpleResponse.newBuilder().setPayload(payload(sizeBytes)).build());
      responses.onCompleted();
    }

    @Override
    public StreamObserver<StreamingInputCallRequest> streamingInputCall(
        StreamObserver<StreamingInputCallResponse> responses) {
      return new Upload(responses);
    }

    @Override
    public void streamingOutputCall(
        StreamingOutputCallRequest request,
        StreamObserver<StreamingOutputCallResponse> responses) {
      ServerCallStreamObserver<StreamingOutputCallResponse> observer =
          (ServerCallStreamObserver<StreamingOutputCallResponse>) responses;
      Iterator<ResponseParameters> wanted = request.getResponseParametersList().iterator();
      observer.setOnReadyHandler(() -> sendWhileReady(wanted, observer));
      sendWhileReady(wanted, observer);
    }

    private static void sendWhileReady(
        Iterator<ResponseParameters> wanted,
        ServerCallStreamObserver<StreamingOutputCallResponse> observer) {
      while (observer.isReady() && wanted.hasNext()) {
        int sizeBytes = Math.min(wanted.next().getSize(), MAX_RESPONSE_BYTES);
        observer.onNext(
            StreamingOutputCallResponse.newBuilder().setPayload(payload(sizeBytes)).build());
        if (!wanted.hasNext()) {
          observer.onCompleted();
        }
      }
    }
  }

  private static final class Upload implements StreamObserver<StreamingInputCallRequest> {
    private final StreamObserver<StreamingInputCallResponse> responses;
    private int sizeBytes;

    Upload(StreamObserver<StreamingInputCallResponse> responses) {
      this.responses = responses;
    }

    @Override
    public void onNext(StreamingInputCallRequest request) {
      sizeBytes += request.getPayload().getBody().size();
    }

    @Override
    public void onError(Throwable cancelled) {}

    @Override
    public void onCompleted() {
      responses.onNext(
          StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(sizeBytes).build());
      responses.onCompleted();
    }
  }
}
