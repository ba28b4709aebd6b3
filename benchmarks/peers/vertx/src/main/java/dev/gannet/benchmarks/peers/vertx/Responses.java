package dev.gannet.benchmarks.peers.vertx;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.gannet.benchmarks.harness.ResponseBytes;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** The response for a request. */
final class Responses {
  private Responses() {}

  static SimpleResponse to(SimpleRequest request) {
    int bytes = request.getResponseSize();
    if (bytes == 0) {
      return SimpleResponse.getDefaultInstance();
    }
    ByteString body = UnsafeByteOperations.unsafeWrap(ResponseBytes.of(bytes));
    Payload payload = Payload.newBuilder().setBody(body).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }
}
