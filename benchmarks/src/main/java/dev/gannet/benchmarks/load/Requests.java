package dev.gannet.benchmarks.load;

import com.google.protobuf.ByteString;
import dev.gannet.benchmarks.harness.Load;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;

/** The messages of a load. */
final class Requests {
  private Requests() {}

  /** The request that all calls of a load send. */
  static SimpleRequest of(Load.Payloads payloads) {
    SimpleRequest.Builder request =
        SimpleRequest.newBuilder().setResponseSize(payloads.serverBytes());
    if (payloads.clientBytes() > 0) {
      ByteString body = ByteString.copyFrom(new byte[payloads.clientBytes()]);
      request.setPayload(Payload.newBuilder().setBody(body));
    }
    return request.build();
  }

  static int payloadBytes(SimpleResponse response) {
    return response.getPayload().getBody().size();
  }
}
