package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.ConformanceService;
import connectrpc.conformance.v1.ConformanceServiceMethods;
import connectrpc.conformance.v1.Service.ClientStreamRequest;
import connectrpc.conformance.v1.Service.ClientStreamResponse;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ConformancePayload.RequestInfo;
import connectrpc.conformance.v1.Service.UnaryRequest;
import connectrpc.conformance.v1.Service.UnaryResponse;
import connectrpc.conformance.v1.Service.UnaryResponseDefinition;
import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.stub.Incoming;
import java.util.ArrayList;
import java.util.List;

/**
 * The suite's service: answers each call as its first request defines, and includes what it
 * received. Stores nothing between calls; safe for all threads.
 *
 * <p>{@code Unimplemented} must stay unimplemented; {@code IdempotentUnary} is only for Connect's
 * GET.
 */
final class EchoService implements ConformanceService {
  static final String COMPRESSION = "gzip";

  @Override
  public UnaryResponse unary(UnaryRequest request) throws InterruptedException {
    ConformancePayload payload = answer(request.getResponseDefinition(), List.of(request));
    return UnaryResponse.newBuilder().setPayload(payload).build();
  }

  @Override
  public ClientStreamResponse clientStream(Incoming<ClientStreamRequest> requests)
      throws InterruptedException {
    List<ClientStreamRequest> all = new ArrayList<>();
    requests.forEach(all::add);
    UnaryResponseDefinition definition =
        all.isEmpty()
            ? UnaryResponseDefinition.getDefaultInstance()
            : all.getFirst().getResponseDefinition();
    return ClientStreamResponse.newBuilder().setPayload(answer(definition, all)).build();
  }

  /** Streams of responses are served with the API below the stubs: see {@link StreamingEcho}. */
  @Override
  public ServerServiceDefinition bindService() {
    return ConformanceService.super.bindService().map(EchoService::streamsReplaced);
  }

  private static ServerMethodDefinition<?, ?> streamsReplaced(
      ServerMethodDefinition<?, ?> generated) {
    if (generated.method() == ConformanceServiceMethods.SERVER_STREAM) {
      return ServerMethodDefinition.of(
          ConformanceServiceMethods.SERVER_STREAM, StreamingEcho::serverStream);
    }
    if (generated.method() == ConformanceServiceMethods.BIDI_STREAM) {
      return ServerMethodDefinition.of(
          ConformanceServiceMethods.BIDI_STREAM, StreamingEcho::bidiStream);
    }
    return generated;
  }

  private static ConformancePayload answer(
      UnaryResponseDefinition definition, List<? extends Message> requests)
      throws InterruptedException {
    CallContext call = CallContext.current().orElseThrow();
    RequestInfo seen = RequestInfos.of(call, requests);
    Metadata headers = Fields.metadata(definition.getResponseHeadersList());
    Metadata trailers = Fields.metadata(definition.getResponseTrailersList());
    Thread.sleep(Integer.toUnsignedLong(definition.getResponseDelayMs()));
    if (definition.hasError()) {
      headers.merge(trailers); // a failure is sent as one header list
      throw RpcErrors.exception(
          definition.getError().toBuilder().addDetails(Any.pack(seen)).build(), headers);
    }
    if (call.isRequestCompressed()) {
      call.setCompression(COMPRESSION);
    }
    call.responseHeaders().merge(headers);
    call.responseTrailers().merge(trailers);
    return ConformancePayload.newBuilder()
        .setData(definition.getResponseData())
        .setRequestInfo(seen)
        .build();
  }
}
