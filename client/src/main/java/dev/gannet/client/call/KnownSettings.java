package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.MethodSettings;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.transport.CallStart;

/**
 * The settings of a call whose channel had a service config when the call was made, with a policy
 * for its method. The call has started with their limits.
 *
 * @param ofMethod with a policy for attempts
 */
record KnownSettings<Q, R>(RetryingCall<Q, R> call, MethodSettings ofMethod)
    implements CallSettings<Q, R> {
  @Override
  public MethodConfig config() {
    return ofMethod.config();
  }

  @Override
  public AttemptPolicy policy() {
    return ofMethod.attempts().orElseThrow();
  }

  @Override
  public RetryThrottle throttle() {
    return ofMethod.throttle();
  }

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
