package dev.gannet.benchmarks.jmh.transport;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;

/** grpc-java's handler that repeats its request. */
final class GrpcJavaRepeat implements Runnable {
  private final ServerCallStreamObserver<byte[]> responses;
  private final byte[] message;
  private int left;

  private GrpcJavaRepeat(ServerCallStreamObserver<byte[]> responses, byte[] message) {
    this.responses = responses;
    this.message = message;
    this.left = ByteBuffer.wrap(message).getInt();
  }

  static void begin(byte[] request, StreamObserver<byte[]> responses) {
    var observer = (ServerCallStreamObserver<byte[]>) responses;
    observer.setOnCancelHandler(() -> {});
    observer.setOnReadyHandler(new GrpcJavaRepeat(observer, request));
  }

  /** More may be sent. */
  @Override
  public void run() {
    if (left == 0) {
      return;
    }
    for (; left > 0 && responses.isReady(); left--) {
      responses.onNext(message);
    }
    if (left == 0) {
      responses.onCompleted();
    }
  }
}
