package dev.gannet.conformance.interop;

import com.google.protobuf.ByteString;
import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.server.CallMetricRecorder;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.BoolValue;
import io.grpc.testing.integration.Messages.EchoStatus;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.PayloadType;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.Messages.TestOrcaReport;
import io.grpc.testing.integration.TestService;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The service of the interop tests with all features in their description, except authentication.
 * Stores nothing between calls but its name and, for one client at a time, the load that it
 * reports; safe for all threads.
 */
final class InteropService implements TestService {
  /** The most requests of a half-duplex call, because all are stored until the last has arrived. */
  static final int MAX_KEPT_REQUESTS = 1_000;

  private static final Metadata.Key<String> CACHE_CONTROL = Metadata.Key.ascii("cache-control");

  private final String serverId = UUID.randomUUID().toString();
  private final CallMetricRecorder load;

  /** Held by the call that sets the reported load. */
  private final ReentrantLock sayingLoad = new ReentrantLock();

  /** A service whose load is not reported. */
  InteropService() {
    this(new CallMetricRecorder());
  }

  /** A service whose clients set the load that this recorder reports. */
  InteropService(CallMetricRecorder load) {
    this.load = load;
  }

  @Override
  public Empty emptyCall(Empty request) {
    echoMetadata();
    return Empty.getDefaultInstance();
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    CallContext call = echoMetadata();
    if (request.hasExpectCompressed()) {
      checkCompression(call, request.getExpectCompressed());
    }
    if (request.hasResponseStatus()) {
      throw echoed(call, request.getResponseStatus());
    }
    if (request.getResponseCompressed().getValue()) {
      call.setCompression(Responses.COMPRESSION);
    }
    checkType(request.getResponseType());
    if (request.hasOrcaPerQueryReport()) {
      CallMetricRecorder.current().ifPresent(it -> record(request.getOrcaPerQueryReport(), it));
    }
    return SimpleResponse.newBuilder()
        .setPayload(Responses.payload(request.getResponseSize()))
        .setServerId(request.getFillServerId() ? serverId : "")
        .build();
  }

  private static void record(TestOrcaReport report, CallMetricRecorder to) {
    to.recordCpuUtilization(report.getCpuUtilization())
        .recordMemoryUtilization(report.getMemoryUtilization());
    report.getRequestCostMap().forEach(to::recordRequestCost);
    report.getUtilizationMap().forEach(to::recordUtilization);
  }

  @Override
  public SimpleResponse cacheableUnaryCall(SimpleRequest request) {
    CallContext call = echoMetadata();
    call.responseHeaders().add(CACHE_CONTROL, "max-age=60, public");
    Instant now = Instant.now();
    String nanos = "%d%09d".formatted(now.getEpochSecond(), now.getNano());
    Payload payload = Payload.newBuilder().setBody(ByteString.copyFromUtf8(nanos)).build();
    return SimpleResponse.newBuilder().setPayload(payload).build();
  }

  @Override
  public StreamingInputCallResponse streamingInputCall(
      Incoming<StreamingInputCallRequest> requests) {
    CallContext call = echoMetadata();
    int sizeBytes = 0;
    for (StreamingInputCallRequest request : requests) {
      if (request.hasExpectCompressed()) {
        checkCompression(call, request.getExpectCompressed());
      }
      sizeBytes += request.getPayload().getBody().size();
    }
    return StreamingInputCallResponse.newBuilder().setAggregatedPayloadSize(sizeBytes).build();
  }

  @Override
  public void streamingOutputCall(
      StreamingOutputCallRequest request, Outgoing<StreamingOutputCallResponse> out)
      throws InterruptedException {
    CallContext call = echoMetadata();
    answer(call, request, new Responses(call, out));
  }

  @Override
  public void fullDuplexCall(
      Incoming<StreamingOutputCallRequest> requests, Outgoing<StreamingOutputCallResponse> out)
      throws InterruptedException {
    CallContext call = echoMetadata();
    Responses responses = new Responses(call, out);
    try {
      for (StreamingOutputCallRequest request : requests) {
        if (request.hasOrcaOobReport()) {
          sayLoad(request.getOrcaOobReport());
        }
        answer(call, request, responses);
      }
    } finally {
      if (sayingLoad.isHeldByCurrentThread()) {
        sayingLoad.unlock();
      }
    }
  }

  /** What other calls have set is forgotten; they wait until this one is over. */
  private void sayLoad(TestOrcaReport report) throws InterruptedException {
    if (!sayingLoad.isHeldByCurrentThread()) {
      sayingLoad.lockInterruptibly();
    }
    load.clear();
    record(report, load);
  }

  @Override
  public void halfDuplexCall(
      Incoming<StreamingOutputCallRequest> requests, Outgoing<StreamingOutputCallResponse> out)
      throws InterruptedException {
    CallContext call = echoMetadata();
    List<StreamingOutputCallRequest> kept = new ArrayList<>();
    for (StreamingOutputCallRequest request : requests) {
      if (kept.size() == MAX_KEPT_REQUESTS) {
        throw Status.RESOURCE_EXHAUSTED
            .withDescription("a half-duplex call has " + MAX_KEPT_REQUESTS + " requests at most")
            .asException();
      }
      kept.add(request.toBuilder().clearPayload().build());
    }
    Responses responses = new Responses(call, out);
    for (StreamingOutputCallRequest request : kept) {
      answer(call, request, responses);
    }
  }

  private static void answer(
      CallContext call, StreamingOutputCallRequest request, Responses responses)
      throws InterruptedException {
    if (request.hasResponseStatus()) {
      throw echoed(call, request.getResponseStatus());
    }
    checkType(request.getResponseType());
    responses.send(request.getResponseParametersList());
  }

  /** Sends back the metadata that the client expects, and returns the call. */
  private static CallContext echoMetadata() {
    CallContext call = CallContext.current().orElseThrow();
    call.requestHeaders()
        .get(EchoFields.INITIAL)
        .ifPresent(value -> call.responseHeaders().add(EchoFields.INITIAL, value));
    call.requestHeaders()
        .get(EchoFields.TRAILING)
        .ifPresent(value -> call.responseTrailers().add(EchoFields.TRAILING, value));
    return call;
  }

  private static RuntimeException echoed(CallContext call, EchoStatus status) {
    return Status.Code.of(status.getCode())
        .toStatus()
        .withDescription(status.getMessage())
        .asException(call.responseTrailers());
  }

  private static void checkCompression(CallContext call, BoolValue expected) {
    if (call.isRequestCompressed() != expected.getValue()) {
      throw Status.INVALID_ARGUMENT
          .withDescription(
              "the request came "
                  + (expected.getValue() ? "uncompressed, not compressed" : "compressed, not bare"))
          .asException();
    }
  }

  private static void checkType(PayloadType type) {
    if (type != PayloadType.COMPRESSABLE) {
      throw Status.INVALID_ARGUMENT.withDescription("unknown response_type").asException();
    }
  }
}
