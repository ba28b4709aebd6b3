package dev.gannet.benchmarks.peers.vertx;

import com.google.protobuf.ByteString;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** The response that a request asks for. */
final class Responses {
  private Responses() {}

  static SimpleResponse to(SimpleRequest request) {
    int bytes = request.getResponseSize();
    if (bytes == 0) {
      return SimpleResponse.getDefaultInstance();
    }
    Payload payload = Payload.newBuilder().setBody(ByteString.copyFrom(new byte[bytes])).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }
}
