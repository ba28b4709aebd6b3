package dev.gannet.conformance.interop;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.api.stub.Outgoing;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The responses of one streaming call of the interop service: each with the size, the delay and the
 * compression that the client asked for. Confined to the handler's thread.
 */
final class Responses {
  static final String COMPRESSION = "gzip";

  /**
   * The largest payload that is created, so that a request of a few bytes cannot cause much work.
   */
  static final int MAX_PAYLOAD_BYTES = 128 << 20;

  private final CallContext call;
  private final Outgoing<StreamingOutputCallResponse> out;

  /** Declares the compression, which is not possible after the first response. */
  Responses(CallContext call, Outgoing<StreamingOutputCallResponse> out) {
    this.call = call;
    this.out = out;
    call.setCompression(COMPRESSION);
  }

  void send(List<ResponseParameters> wanted) throws InterruptedException {
    for (ResponseParameters parameters : wanted) {
      if (parameters.getIntervalUs() > 0) {
        Thread.sleep(Duration.of(parameters.getIntervalUs(), ChronoUnit.MICROS));
      }
      call.setMessageCompression(parameters.getCompressed().getValue());
      out.send(
          StreamingOutputCallResponse.newBuilder()
              .setPayload(payload(parameters.getSize()))
              .build());
    }
  }

  /** As many zero bytes as a client asked for. */
  static Payload payload(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > MAX_PAYLOAD_BYTES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("a payload has 0 to " + MAX_PAYLOAD_BYTES + " bytes, not " + sizeBytes)
          .asException();
    }
    return Payloads.zeros(sizeBytes);
  }
}
