package dev.gannet.benchmarks;

import com.google.protobuf.ByteString;
import io.grpc.benchmarks.proto.Messages.Payload;
import io.grpc.benchmarks.proto.Messages.SimpleRequest;
import io.grpc.benchmarks.proto.Messages.SimpleResponse;
import java.time.Duration;

/**
 * What a client does to a server: a closed loop, in which each call begins when the one before has
 * ended.
 *
 * @param callsPerChannel how many calls are under way at once on each channel
 */
record Load(
    int channels, int callsPerChannel, Payloads payloads, Duration warmup, Duration duration) {
  /** How many bytes go each way besides what messages cost themselves. */
  record Payloads(int clientBytes, int serverBytes) {
    SimpleRequest request() {
      SimpleRequest.Builder request = SimpleRequest.newBuilder().setResponseSize(serverBytes);
      if (clientBytes > 0) {
        ByteString body = ByteString.copyFrom(new byte[clientBytes]);
        request.setPayload(Payload.newBuilder().setBody(body));
      }
      return request.build();
    }

    boolean areRightIn(SimpleResponse response) {
      return response.getPayload().getBody().size() == serverBytes;
    }
  }
}
