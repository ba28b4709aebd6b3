package dev.gannet.conformance.interop;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.conformance.styles.ObservedCall;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceObserverClient;

/** The client with observers of the interop tests' service, for cases that wait. */
record ObserverTestClient(Channel channel, CallOptions options) implements TestServiceClient {
  @Override
  public TestServiceClient with(Channel channel, CallOptions options) {
    return new ObserverTestClient(channel, options);
  }

  private TestServiceObserverClient client() {
    return TestServiceObserverClient.of(channel).with(channel, options);
  }

  @Override
  public Empty emptyCall(Empty request) {
    return ObservedCall.await(observer -> client().emptyCall(request, observer));
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    return ObservedCall.await(observer -> client().unaryCall(request, observer));
  }

  @Override
  public Empty unimplementedCall(Empty request) {
    return ObservedCall.await(observer -> client().unimplementedCall(request, observer));
  }

  @Override
  public ServerStreamingCall<StreamingOutputCallResponse> streamingOutputCall(
      StreamingOutputCallRequest request) {
    return ObservedCall.begin(observer -> client().streamingOutputCall(request, observer));
  }

  @Override
  public ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse>
      streamingInputCall() {
    return ObservedCall.begin(client()::streamingInputCall);
  }

  @Override
  public BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse>
      fullDuplexCall() {
    return ObservedCall.begin(client()::fullDuplexCall);
  }
}
