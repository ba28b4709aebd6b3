package dev.gannet.conformance.interop;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.conformance.styles.PublishedCall;
import dev.gannet.conformance.styles.SeenFields;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceAsyncClient;
import io.grpc.testing.integration.TestServiceClient;

/** The asynchronous client of the interop tests' service, for cases that wait. */
record AsyncTestClient(Channel channel, CallOptions options) implements TestServiceClient {
  @Override
  public TestServiceClient with(Channel channel, CallOptions options) {
    return new AsyncTestClient(channel, options);
  }

  private TestServiceAsyncClient client() {
    return TestServiceAsyncClient.of(channel).with(channel, options);
  }

  private TestServiceAsyncClient client(SeenFields fields) {
    return client().withInterceptors(fields);
  }

  @Override
  public Empty emptyCall(Empty request) {
    return PublishedCall.await(client().emptyCall(request));
  }

  @Override
  public SimpleResponse unaryCall(SimpleRequest request) {
    return PublishedCall.await(client().unaryCall(request));
  }

  @Override
  public Empty unimplementedCall(Empty request) {
    return PublishedCall.await(client().unimplementedCall(request));
  }

  @Override
  public ServerStreamingCall<StreamingOutputCallResponse> streamingOutputCall(
      StreamingOutputCallRequest request) {
    SeenFields fields = new SeenFields();
    return PublishedCall.reading(fields, client(fields).streamingOutputCall(request));
  }

  @Override
  public ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse>
      streamingInputCall() {
    SeenFields fields = new SeenFields();
    return PublishedCall.writing(fields, client(fields)::streamingInputCall);
  }

  @Override
  public BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse>
      fullDuplexCall() {
    SeenFields fields = new SeenFields();
    return PublishedCall.both(fields, client(fields)::fullDuplexCall);
  }
}
