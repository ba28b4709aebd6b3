package dev.gannet.client.resolver;

import dev.gannet.api.Status;
import java.util.Objects;

/**
 * Forwards all methods to another resolver, also those that later releases add, and its results to
 * the channel: for resolvers that {@linkplain #revise change} what another one finds, for example
 * that keep the endpoints of one zone, or add attributes for a load-balancing policy.
 */
public abstract class ForwardingNameResolver implements NameResolver {
  private final NameResolver delegate;

  /**
   * Forwards all methods to this resolver.
   *
   * @param delegate has not started
   */
  protected ForwardingNameResolver(NameResolver delegate) {
    this.delegate = Objects.requireNonNull(delegate, "delegate");
  }

  /** The resolver to which all methods are forwarded. */
  protected final NameResolver delegate() {
    return delegate;
  }

  /**
   * What the channel gets in place of a result of the other resolver; by default that result. It
   * runs on the thread that reports the result, must not block, and sees failures too. If it
   * throws, the target could not be resolved: the status is {@code UNAVAILABLE}, with the exception
   * as its cause.
   *
   * <p>What is not to be changed is kept by {@link Resolution.Resolved#withEndpoints} and {@link
   * Endpoint#withAddresses}. If it adds a service config, the provider's {@link
   * NameResolverProvider#bringsServiceConfig} has to say so.
   */
  protected Resolution revise(Resolution result) {
    return result;
  }

  @Override
  public void start(Listener listener) {
    delegate.start(new Revising(listener));
  }

  @Override
  public void refresh() {
    delegate.refresh();
  }

  /** The result is the one that {@link #revise} has returned. */
  @Override
  public void onRejected(Resolution result, Status why) {
    delegate.onRejected(result, why);
  }

  @Override
  public void shutdown() {
    delegate.shutdown();
  }

  private final class Revising implements Listener {
    private final Listener listener;

    Revising(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void onResult(Resolution result) {
      listener.onResult(revised(result));
    }

    private Resolution revised(Resolution result) {
      try {
        return Objects.requireNonNull(revise(result), "revise has returned null");
      } catch (RuntimeException e) {
        return Resolution.failed(
            Status.UNAVAILABLE
                .withDescription("a resolver cannot change the result of another one: " + e)
                .withCause(e));
      }
    }
  }
}
