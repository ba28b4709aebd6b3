package dev.gannet.conformance.connect;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import connectrpc.conformance.v1.ClientCompat.ClientCompatRequest;
import connectrpc.conformance.v1.ClientCompat.ClientResponseResult;
import connectrpc.conformance.v1.ConfigOuterClass.StreamType;
import connectrpc.conformance.v1.ConformanceServiceClient;
import connectrpc.conformance.v1.Service.BidiStreamRequest;
import connectrpc.conformance.v1.Service.BidiStreamResponse;
import connectrpc.conformance.v1.Service.ClientStreamRequest;
import connectrpc.conformance.v1.Service.ClientStreamResponse;
import connectrpc.conformance.v1.Service.ConformancePayload;
import connectrpc.conformance.v1.Service.IdempotentUnaryRequest;
import connectrpc.conformance.v1.Service.ServerStreamRequest;
import connectrpc.conformance.v1.Service.ServerStreamResponse;
import connectrpc.conformance.v1.Service.UnaryRequest;
import connectrpc.conformance.v1.Service.UnimplementedRequest;
import dev.gannet.api.Channel;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One call that the suite requests, and its result. For one thread, and used once. */
final class SuiteCall {
  private final ClientCompatRequest wanted;
  private final Cancellation cancellation;
  private final MetadataCatch caught = new MetadataCatch();
  private final ConformanceServiceClient client;
  private final ClientResponseResult.Builder result = ClientResponseResult.newBuilder();

  /**
   * Prepares the call.
   *
   * @throws IllegalArgumentException if a call cannot be made so
   */
  SuiteCall(ClientCompatRequest wanted, Channel channel) {
    this.wanted = wanted;
    this.cancellation = Cancellation.of(wanted);
    this.client = client(channel);
  }

  private ConformanceServiceClient client(Channel channel) {
    ConformanceServiceClient configured =
        ConformanceServiceClient.of(channel)
            .withMetadata(Fields.metadata(wanted.getRequestHeadersList()))
            .withCompression(compression())
            .withInterceptors(caught);
    if (wanted.hasTimeoutMs()) {
      configured =
          configured.withDeadline(Duration.ofMillis(Integer.toUnsignedLong(wanted.getTimeoutMs())));
    }
    if (cancellation instanceof Cancellation.AfterHalfClose(Duration delay)) {
      configured = configured.withInterceptors(new CancelAfterHalfClose(delay));
    }
    return configured;
  }

  private String compression() {
    return switch (wanted.getCompression()) {
      case COMPRESSION_UNSPECIFIED, COMPRESSION_IDENTITY -> "identity";
      case COMPRESSION_GZIP -> "gzip";
      default -> throw new IllegalArgumentException("no " + wanted.getCompression() + " here");
    };
  }

  /**
   * Makes the call and waits for its end, well or not.
   *
   * @throws InvalidProtocolBufferException if a request is not of the method's type, or the details
   *     of an error cannot be read
   * @throws IllegalArgumentException if there is no such method, or it takes another number of
   *     requests
   */
  ClientResponseResult perform() throws InvalidProtocolBufferException, InterruptedException {
    try {
      makeCall();
    } catch (StatusException e) {
      result.setError(RpcErrors.error(e));
    }
    return result
        .addAllResponseHeaders(Fields.headers(caught.headers()))
        .addAllResponseTrailers(Fields.headers(caught.trailers()))
        .build();
  }

  private void makeCall() throws InvalidProtocolBufferException, InterruptedException {
    switch (wanted.getMethod()) {
      case "Unary" -> take(client.unary(onlyRequest(UnaryRequest.class)).getPayload());
      case "IdempotentUnary" ->
          take(client.idempotentUnary(onlyRequest(IdempotentUnaryRequest.class)).getPayload());
      case "Unimplemented" -> {
        client.unimplemented(onlyRequest(UnimplementedRequest.class));
        take(ConformancePayload.getDefaultInstance());
      }
      case "ClientStream" -> clientStream(requests(ClientStreamRequest.class));
      case "ServerStream" -> serverStream(onlyRequest(ServerStreamRequest.class));
      case "BidiStream" -> bidiStream(requests(BidiStreamRequest.class));
      default -> throw new IllegalArgumentException("no such method: " + wanted.getMethod());
    }
  }

  private void clientStream(List<ClientStreamRequest> requests) throws InterruptedException {
    try (ClientStreamingCall<ClientStreamRequest, ClientStreamResponse> call =
        client.clientStream()) {
      for (int i = 0; i < requests.size(); i++) {
        send(call, requests, i);
      }
      cancelBeforeHalfClose(call::close);
      take(call.finish().getPayload());
    }
  }

  private void serverStream(ServerStreamRequest request) {
    try (Incoming<ServerStreamResponse> call = client.serverStream(request)) {
      for (ServerStreamResponse response : call) {
        take(response.getPayload(), call::close);
      }
    }
  }

  private void bidiStream(List<BidiStreamRequest> requests) throws InterruptedException {
    boolean fullDuplex = wanted.getStreamType() == StreamType.STREAM_TYPE_FULL_DUPLEX_BIDI_STREAM;
    try (BidiStreamingCall<BidiStreamRequest, BidiStreamResponse> call = client.bidiStream()) {
      boolean answering = true;
      for (int i = 0; i < requests.size() && answering; i++) {
        send(call, requests, i);
        answering = !fullDuplex || takeNext(call);
      }
      cancelBeforeHalfClose(call::close);
      call.halfClose();
      while (answering) {
        answering = takeNext(call);
      }
    }
  }

  /** Waits for one response; false if the server has ended the call instead. */
  private boolean takeNext(BidiStreamingCall<?, BidiStreamResponse> call) {
    if (!call.hasNext()) {
      return false;
    }
    take(call.next().getPayload(), call::close);
    return true;
  }

  private <Q> void send(Outgoing<Q> call, List<Q> requests, int index) throws InterruptedException {
    pauseBeforeRequest();
    try {
      call.send(requests.get(index));
    } catch (StatusException e) {
      result.setNumUnsentRequests(requests.size() - index);
      throw e;
    }
  }

  private void take(ConformancePayload payload) {
    result.addPayloads(payload);
  }

  private void take(ConformancePayload payload, Runnable cancel) {
    take(payload);
    if (cancellation instanceof Cancellation.AfterResponses(int responses)
        && responses == result.getPayloadsCount()) {
      cancel.run();
    }
  }

  /**
   * The call continues as if nothing had happened, so that the effect of the cancellation is seen.
   */
  private void cancelBeforeHalfClose(Runnable cancel) {
    if (cancellation instanceof Cancellation.BeforeHalfClose) {
      cancel.run();
    }
  }

  private <Q extends Message> Q onlyRequest(Class<Q> type)
      throws InvalidProtocolBufferException, InterruptedException {
    List<Q> requests = requests(type);
    if (requests.size() != 1) {
      throw new IllegalArgumentException("one request wanted, not " + requests.size());
    }
    pauseBeforeRequest();
    return requests.getFirst();
  }

  private <Q extends Message> List<Q> requests(Class<Q> type)
      throws InvalidProtocolBufferException {
    List<Q> requests = new ArrayList<>();
    for (Any packed : wanted.getRequestMessagesList()) {
      requests.add(packed.unpack(type));
    }
    return requests;
  }

  private void pauseBeforeRequest() throws InterruptedException {
    Thread.sleep(Integer.toUnsignedLong(wanted.getRequestDelayMs()));
  }
}
