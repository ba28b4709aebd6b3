package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.ConnectionPool;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which service config a channel uses: that of its resolver, or the channel's default (gRFC A21);
 * and what it says about calls, the policy and connections. There is none while a resolver that
 * brings one has not answered.
 *
 * <p>Policy and connections get a new config first, and calls when the policy knows the result that
 * brought it (gRFC A31): a selector may choose what only the new picker knows. The first config is
 * for calls at once: there are no pickers with endpoints yet, and those that follow must not get a
 * call without its config.
 *
 * <p>Changed in tasks of the channel, where {@link #wantedPolicy} is also read; any thread may call
 * the other methods.
 */
final class ChannelConfig {
  private static final Logger LOG = System.getLogger(ChannelConfig.class.getName());

  private final ChannelSettings.Policies settings;
  private final String target;
  private final EventLog events;

  /** For the policy and the connections. */
  private volatile Optional<ActiveConfig> newest = Optional.empty();

  /** For calls. */
  private volatile Optional<ActiveConfig> current = Optional.empty();

  private LoadBalancerProvider wantedPolicy;

  /** Writes it into these events if another config is used, or one is rejected. */
  ChannelConfig(ChannelSettings settings, EventLog events) {
    this.settings = settings.policies();
    this.target = settings.targetText();
    this.events = events;
    this.wantedPolicy = this.settings.loadBalancer();
    if (!settings.resolverBringsConfig()) {
      useDefault();
    }
  }

  /** The config of new calls; empty while the resolver may still provide one. */
  Optional<ActiveConfig> current() {
    return current;
  }

  /** The load-balancing policy that it chooses, or else the channel's. */
  LoadBalancerProvider wantedPolicy() {
    return wantedPolicy;
  }

  int maxConnectionsPerSubchannel() {
    OptionalInt wanted =
        newest.map(it -> it.config().maxConnectionsPerSubchannel()).orElse(OptionalInt.empty());
    return Math.min(
        wanted.orElse(settings.maxConnectionsPerSubchannel()), ConnectionPool.MAX_CONNECTIONS);
  }

  Optional<String> healthCheckService() {
    return newest.flatMap(it -> it.config().healthCheckService());
  }

  /**
   * Uses the config of the resolver, and its selector if it has one; if the config is invalid, the
   * previous ones of the resolver, or the channel's default. {@link #applyToCalls} follows.
   *
   * @return why the resolver's config is not used, if so
   */
  Optional<Status> take(Resolution.Resolved result) {
    Optional<ActiveConfig> before = newest;
    Optional<Status> fault = ServiceConfig.faultOf(result);
    if (fault.isEmpty()) {
      use(
          ServiceConfig.in(result)
              .or(settings.serviceConfigs()::byDefault)
              .orElse(ServiceConfig.EMPTY),
          ConfigSelector.in(result));
    } else if (newest.isEmpty() && settings.serviceConfigs().byDefault().isPresent()) {
      useDefault();
    }
    traceChange(before);
    if (fault.isPresent() && newest.isPresent()) {
      onRejected(fault.get().toString());
    }
    return fault.map(ChannelConfig::badConfig);
  }

  private void onRejected(String why) {
    String what = "service config rejected, the previous one stays in use";
    events.add(EventLog.Severity.WARNING, what, why);
    GuardedLog.warn(
        LOG,
        "an invalid service config for "
            + target
            + " is ignored; the previous one stays in use: "
            + why);
  }

  private static Status badConfig(Status fault) {
    return Status.UNAVAILABLE
        .withDescription(
            "the resolver returned an invalid service config: " + fault.description().orElse(""))
        .withCause(fault.cause().orElse(null));
  }

  /** New calls use the config that was taken last: the policy has its result. */
  void applyToCalls() {
    current = newest;
  }

  private void useDefault() {
    use(settings.serviceConfigs().byDefault().orElse(ServiceConfig.EMPTY), Optional.empty());
  }

  private void use(ServiceConfig next, Optional<ConfigSelector> selector) {
    if (newest.isEmpty() || !newest.get().isOf(next, selector)) {
      newest =
          Optional.of(
              new ActiveConfig(next, selector, settings.serviceConfigs().retries(), newest));
    }
    if (current.isEmpty()) {
      applyToCalls();
    }
    wantedPolicy = next.loadBalancer().orElse(settings.loadBalancer());
  }

  /** A channel that has got no config yet is as one with an empty config. */
  private void traceChange(Optional<ActiveConfig> before) {
    boolean changes =
        newest.isPresent()
            && !newest.equals(before)
            && (before.isPresent() || !newest.get().isOf(ServiceConfig.EMPTY, Optional.empty()));
    if (changes) {
      ActiveConfig now = newest.get();
      String how = now.selector().isPresent() ? " (with a config selector)" : "";
      events.add(EventLog.Severity.INFO, "service config changed" + how, now.config().toString());
    }
  }
}
