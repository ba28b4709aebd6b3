package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.transport.CallStart;

/**
 * The settings of a call whose channel had a service config when the call was made, with a policy
 * for its method. The call has started with their limits.
 */
record KnownSettings<Q, R>(RetryingCall<Q, R> call, MethodConfig config, AttemptPolicy policy)
    implements CallSettings<Q, R> {
  @Override
  public Binding bind() {
    return Binding.KNOWN;
  }

  @Override
  public CallOptions options() {
    return call.options();
  }

  @Override
  public CallStart<Q, R> callStart() {
    return call.asStarted();
  }
}
