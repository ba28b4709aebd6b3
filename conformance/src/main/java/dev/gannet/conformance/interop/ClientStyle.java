package dev.gannet.conformance.interop;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.conformance.styles.ObservedCall;
import dev.gannet.conformance.styles.PublishedCall;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.UnimplementedServiceAsyncClient;
import io.grpc.testing.integration.UnimplementedServiceClient;
import io.grpc.testing.integration.UnimplementedServiceObserverClient;

/** Which of the generated clients makes the calls of a case. */
enum ClientStyle {
  BLOCKING,
  /** Futures and publishers. */
  ASYNC,
  /** Observers, with readiness and responses that are asked for. */
  OBSERVER;

  /** A client of the interop tests' service. */
  TestServiceClient client(Channel channel) {
    return switch (this) {
      case BLOCKING -> TestServiceClient.of(channel);
      case ASYNC -> new AsyncTestClient(channel, CallOptions.DEFAULT);
      case OBSERVER -> new ObserverTestClient(channel, CallOptions.DEFAULT);
    };
  }

  /** Calls a service that no server has. */
  void callUnimplemented(Channel channel) {
    Empty request = Empty.getDefaultInstance();
    Empty response =
        switch (this) {
          case BLOCKING -> UnimplementedServiceClient.of(channel).unimplementedCall(request);
          case ASYNC ->
              PublishedCall.await(
                  UnimplementedServiceAsyncClient.of(channel).unimplementedCall(request));
          case OBSERVER ->
              ObservedCall.await(observer ->
                  UnimplementedServiceObserverClient.of(channel)
                      .unimplementedCall(request, observer));
        };
    throw new Mismatch("the response of a service that is not there", "none", response);
  }
}
