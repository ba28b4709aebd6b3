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
 * The responses of one streaming call of the interop service: each of the size, at the time and
 * compressed or not as the client asked. Of the handler's thread.
 */
final class Responses {
  static final String COMPRESSION = "gzip";

  /** The largest payload that is made; keeps a request of a few bytes from costing much. */
  static final int MAX_PAYLOAD_BYTES = 128 << 20;

  private final CallContext call;
  private final Outgoing<StreamingOutputCallResponse> out;

  /** Declares the compression, for that cannot be done behind the first response. */
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

  /** Zero bytes, as many as a client asked for. */
  static Payload payload(int sizeBytes) {
    if (sizeBytes < 0 || sizeBytes > MAX_PAYLOAD_BYTES) {
      throw Status.INVALID_ARGUMENT
          .withDescription("a payload has 0 to " + MAX_PAYLOAD_BYTES + " bytes, not " + sizeBytes)
          .asException();
    }
    return Payloads.zeros(sizeBytes);
  }
}
