package dev.gannet.api;

import dev.gannet.api.engine.HeaderChecks;
import java.util.concurrent.CompletionStage;

/** A check of headers that never waits, among those that may; equal by its interceptor. */
record ImmediateCheck(HeadersInterceptor interceptor) implements AsyncHeadersInterceptor {
  private static final CompletionStage<Void> DONE = HeaderChecks.DONE; // initialized before a call

  @Override
  public CompletionStage<Void> onHeaders(CallContext call, Metadata headers) {
    interceptor.onHeaders(call, headers);
    return DONE;
  }
}
