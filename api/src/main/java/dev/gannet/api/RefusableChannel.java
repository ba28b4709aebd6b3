package dev.gannet.api;

import dev.gannet.api.engine.ChannelCall;
import java.util.concurrent.Executor;

/**
 * What callers see of a channel with interceptors. If one of them refuses a call by an exception,
 * the caller gets the failure of that call, so that a handler that does not catch it does not tell
 * it to its own client.
 */
record RefusableChannel(Channel intercepted) implements Channel {
  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    ClientCall<Q, R> call;
    try {
      call = intercepted.newCall(method, options);
    } catch (StatusException e) {
      throw e.asFailureOf(method);
    }
    return call instanceof ChannelCall ? call : new RefusableCall<>(method, call);
  }

  @Override
  public Executor executor() {
    return intercepted.executor();
  }

  @Override
  public String authority() {
    return intercepted.authority();
  }
}
