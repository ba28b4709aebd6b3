package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.Service;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.BidiStreamResponse;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.ServerStreamRequest;
import connectrpc.conformance.v1.Service.ServerStreamResponse;
import connectrpc.conformance.v1.Service.StreamResponseDefinition;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One call that is answered by a stream: what its first request defines, and how much of that was
 * sent. Confined to the handler's thread.
 *
 * <p>It uses the call itself, because the suite wants headers to be sent before the first response
 * and before a failure, while the stubs send them with the first response.
 */
final class StreamingEcho<R> {
  private final ServerCall<?, R> call;
  private final Outgoing<R> out;
  private final Function<ConformancePayload, R> response;
  private final List<Message> unanswered = new ArrayList<>();
  private StreamResponseDefinition definition = StreamResponseDefinition.getDefaultInstance();
  private int sent;

  private StreamingEcho(
      ServerCall<?, R> call, Outgoing<R> out, Function<ConformancePayload, R> response) {
    this.call = call;
    this.out = out;
    this.response = response;
  }

  static ServerCall.Listener<ServerStreamRequest> serverStream(
      ServerCall<ServerStreamRequest, ServerStreamResponse> call, Metadata headers) {
    return BlockingHandlers.<ServerStreamRequest, ServerStreamResponse>serverStreaming(
            (request, out) -> answer(call, request, out))
        .startCall(call, headers);
  }

  static ServerCall.Listener<BidiStreamRequest> bidiStream(
      ServerCall<BidiStreamRequest, BidiStreamResponse> call, Metadata headers) {
    return BlockingHandlers.<BidiStreamRequest, BidiStreamResponse>bidiStreaming(
            (requests, out) -> converse(call, requests, out))
        .startCall(call, headers);
  }

  private static void answer(
      ServerCall<?, ServerStreamResponse> call,
      ServerStreamRequest request,
      Outgoing<ServerStreamResponse> out)
      throws InterruptedException {
    StreamingEcho<ServerStreamResponse> echo =
        new StreamingEcho<>(
            call, out, payload -> ServerStreamResponse.newBuilder().setPayload(payload).build());
    echo.unanswered.add(request);
    if (request.hasResponseDefinition()) {
      echo.begin(request.getResponseDefinition());
    }
    echo.end();
  }

  /**
   * In a full-duplex call each request is answered at once; in other calls all are answered at the
   * end.
   */
  private static void converse(
      ServerCall<?, BidiStreamResponse> call,
      Incoming<BidiStreamRequest> requests,
      Outgoing<BidiStreamResponse> out)
      throws InterruptedException {
    StreamingEcho<BidiStreamResponse> echo =
        new StreamingEcho<>(
            call, out, payload -> BidiStreamResponse.newBuilder().setPayload(payload).build());
    boolean first = true;
    boolean fullDuplex = false;
    for (BidiStreamRequest request : requests) {
      echo.unanswered.add(request);
      if (first && request.hasResponseDefinition()) {
        echo.begin(request.getResponseDefinition());
      }
      fullDuplex = first ? request.getFullDuplex() : fullDuplex;
      first = false;
      if (fullDuplex && echo.isComplete()) {
        break;
      }
      if (fullDuplex) {
        echo.sendOne();
      }
    }
    echo.end();
  }

  private void begin(StreamResponseDefinition definition) {
    this.definition = definition;
    if (call.context().isRequestCompressed()) {
      call.setCompression(EchoService.COMPRESSION);
    }
    call.sendHeaders(Fields.metadata(definition.getResponseHeadersList()));
    call.context().responseTrailers().merge(trailers());
  }

  private boolean isComplete() {
    return sent == definition.getResponseDataCount();
  }

  private void sendOne() throws InterruptedException {
    ConformancePayload.Builder payload =
        ConformancePayload.newBuilder().setData(definition.getResponseData(sent));
    if (sent == 0) {
      payload.setRequestInfo(RequestInfos.of(call.context(), unanswered));
    } else if (!unanswered.isEmpty()) {
      payload.setRequestInfo(RequestInfos.ofRequests(unanswered));
    }
    Thread.sleep(Integer.toUnsignedLong(definition.getResponseDelayMs()));
    out.send(response.apply(payload.build()));
    unanswered.clear();
    sent++;
  }

  /** Sends all that is left, and fails if the request demands it. */
  private void end() throws InterruptedException {
    while (!isComplete()) {
      sendOne();
    }
    if (definition.hasError()) {
      Service.Error.Builder error = definition.getError().toBuilder();
      if (sent == 0) {
        error.addDetails(Any.pack(RequestInfos.of(call.context(), unanswered)));
      }
      throw RpcErrors.exception(error.build(), trailers());
    }
  }

  private Metadata trailers() {
    return Fields.metadata(definition.getResponseTrailersList());
  }
}
