package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;

/**
 * The input of a picker: an attempt of a call. Its methods may be called on any thread until the
 * attempt ends. Only implemented by Gannet; methods may be added.
 */
public interface PickArgs {
  /** The called method. */
  MethodDescriptor<?, ?> method();

  /**
   * The options with which the call was made, after all interceptors, and with the values that a
   * config selector of the resolver has added for policies.
   */
  CallOptions options();

  /**
   * The headers that the attempt sends, without those of its pick and of call credentials; a copy
   * of its own, so that changing it has no effect on the call. A pick adds headers by {@link
   * Pick.Use#withHeaders}.
   */
  Metadata headers();

  /**
   * How many attempts the call has made before this one by its retry or hedging policy: what the
   * server gets as {@code grpc-previous-rpc-attempts}. 0 for the first; transparent retries, which
   * no server has processed, do not count.
   */
  int previousAttempts();
}
