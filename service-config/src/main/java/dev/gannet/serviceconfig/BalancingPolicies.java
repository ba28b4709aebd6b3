package dev.gannet.serviceconfig;

import dev.gannet.api.engine.PluginName;
import dev.gannet.client.balancer.ForwardingLoadBalancerProvider;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code loadBalancingConfig}: the first known policy of the list. */
final class BalancingPolicies {
  private final Map<String, LoadBalancerProvider> known = new HashMap<>();

  /** Knows these policies, and all others that can be chosen by name. */
  BalancingPolicies(List<LoadBalancerProvider> first) {
    Stream.concat(first.stream(), LoadBalancerProvider.known().stream())
        .forEach(it -> known.putIfAbsent(nameOf(it), it));
  }

  private static String nameOf(LoadBalancerProvider policy) {
    return PluginName.of("policyName()", policy, policy::policyName);
  }

  /** A policy that is equal to another one with the same settings. */
  static final class Configured extends ForwardingLoadBalancerProvider {
    private final String name;
    private final Map<String, Object> settings;

    /**
     * These settings of a policy.
     *
     * @throws IllegalArgumentException if the policy cannot say its name, which is asked once
     */
    Configured(LoadBalancerProvider policy, Map<String, Object> settings) {
      super(policy);
      this.name = nameOf(policy);
      this.settings = settings;
    }

    @Override
    public String policyName() {
      return name;
    }

    /** The provider that has read the settings. */
    LoadBalancerProvider provider() {
      return delegate();
    }

    /** The policies are those of the provider that has read the settings. */
    @Override
    public boolean reconfigure(LoadBalancer policy, LoadBalancerProvider current) {
      return equals(current) || delegate().reconfigure(policy, current);
    }

    @Override
    public LoadBalancerProvider creator() {
      return delegate().creator();
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return delegate().configured(config);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Configured that
          && name.equals(that.name)
          && settings.equals(that.settings);
    }

    @Override
    public int hashCode() {
      return Objects.hash(name, settings);
    }

    @Override
    public String toString() {
      return name + " " + settings;
    }
  }

  LoadBalancerProvider first(JsonField list) {
    List<String> unknown = new ArrayList<>();
    for (JsonField each : list.list()) {
      if (each.object().size() != 1) {
        throw each.fault("must have one field, the policy's name");
      }
      String name = each.object().keySet().iterator().next();
      JsonField settings = each.required(name);
      settings.object();
      Optional<LoadBalancerProvider> found = policy(name);
      if (found.isPresent()) {
        return configured(found.get(), settings);
      }
      unknown.add(name);
    }
    throw list.fault(
        "names no known policy: " + String.join(", ", unknown) + "; known are " + knownNames());
  }

  /** A user's provider may throw anything. */
  private Configured configured(LoadBalancerProvider found, JsonField settings) {
    try {
      return settings.checked(it -> {
        LoadBalancerProvider made = found.configured(new JsonPolicyConfig(it, this));
        Objects.requireNonNull(made, "its provider returned null");
        return new Configured(made, settings.object());
      });
    } catch (IllegalArgumentException e) {
      throw e;
    } catch (RuntimeException e) {
      throw settings.fault("cannot be read: " + e, e);
    }
  }

  /** A policy from {@code loadBalancingPolicy}, which is older and has no settings. */
  LoadBalancerProvider named(JsonField name) {
    String lower = name.text().toLowerCase(Locale.ROOT);
    LoadBalancerProvider found =
        policy(lower)
            .orElseThrow(() -> name.fault("is not a known policy; known are " + knownNames()));
    if (found.needsConfig()) {
      throw name.fault("is a policy that needs settings: use loadBalancingConfig");
    }
    return new Configured(found, Map.of());
  }

  private Optional<LoadBalancerProvider> policy(String name) {
    return Optional.ofNullable(known.get(name));
  }

  private String knownNames() {
    return known.keySet().stream().sorted().collect(Collectors.joining(", "));
  }
}
