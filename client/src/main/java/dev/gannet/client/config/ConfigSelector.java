package dev.gannet.client.config;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Preview;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import java.util.Optional;

/**
 * Chooses the settings of each call by what is known of it, such as its headers (gRFC A31). A
 * resolver adds it to its results ({@link #addTo}), with a {@link ServiceConfig} or without; it is
 * then asked instead of the service config what applies to the method of a call. All else is still
 * said by the service config: the load-balancing policy, the retry throttling, health checks and
 * connections. Implemented by applications.
 *
 * <p>It is asked once for each call, before a connection is picked for the call, and its answer
 * holds for all attempts. Calls that wait for the resolver's first result are asked about when that
 * has arrived; calls that were made before there was another selector keep the earlier one. Another
 * one is used as soon as the load-balancing policy has the result that brought it.
 *
 * <p>It is called on the thread that starts the call, or on one that has brought the first result;
 * by several threads at the same time. It must not block. If it throws or returns null, the call
 * fails with {@code INTERNAL}, and the description names the cause.
 */
@Preview(until = "0.3")
@FunctionalInterface
public interface ConfigSelector {
  /** The call that is asked about. Only implemented by Gannet; methods may be added. */
  interface Args {
    /** The called method. */
    MethodDescriptor<?, ?> method();

    /** The options with which the call was made, after all interceptors. */
    CallOptions options();

    /**
     * The headers that the call sends, without those of call credentials; a copy of its own, so
     * that changing it has no effect on the call.
     */
    Metadata headers();
  }

  /** What applies to this call, or that it fails. */
  ConfigSelection select(Args call);

  /**
   * For resolvers: adds this selector to a result; it replaces that of an earlier result. A result
   * without one withdraws it. If the result's service config is invalid, the previous config and
   * the previous selector stay in use. The resolver's provider must declare that it may provide a
   * config ({@link NameResolverProvider#bringsServiceConfig}), and {@code
   * ManagedChannelBuilder.disableServiceConfigLookUp} has the channel ignore both.
   */
  default Resolution.Resolved addTo(Resolution.Resolved result) {
    return result.withAttributes(result.attributes().with(ServiceConfig.SELECTOR, this));
  }

  /** The selector in a resolver's result. */
  static Optional<ConfigSelector> in(Resolution.Resolved result) {
    return result.attributes().get(ServiceConfig.SELECTOR);
  }
}
