package dev.gannet.benchmarks.compare.program;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;

/** Fails the first attempt of each call with UNAVAILABLE, and serves the second. */
final class FailedFirstAttempts implements ServerInterceptor {
  private static final Metadata.Key<String> PREVIOUS_ATTEMPTS =
      Metadata.Key.ascii("grpc-previous-rpc-attempts");

  @Override
  public <Q, R> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
    if (headers.get(PREVIOUS_ATTEMPTS).isEmpty()) {
      throw Status.UNAVAILABLE.withDescription("the first attempt").asException();
    }
    return next.startCall(call, headers);
  }
}
