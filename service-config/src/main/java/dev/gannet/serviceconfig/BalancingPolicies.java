package dev.gannet.serviceconfig;

import dev.gannet.client.balancer.AddressOrder;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.RingHashSettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads {@code loadBalancingConfig}: the first policy of the list that is known. */
final class BalancingPolicies {
  private static final int MOST_CHOICES = 10;

  private final List<LoadBalancerProvider> others;

  /** Besides those of the client, these are known, with the settings that they have. */
  BalancingPolicies(List<LoadBalancerProvider> others) {
    this.others = List.copyOf(others);
  }

  /** A policy that is equal to another one with the same settings. */
  private record Configured(
      String policyName, Map<String, Object> settings, Equal<LoadBalancerProvider> made)
      implements LoadBalancerProvider {
    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return made.value.create(context);
    }
  }

  /** Has a part in no comparison. */
  private record Equal<T>(T value) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Equal;
    }

    @Override
    public int hashCode() {
      return 0;
    }
  }

  LoadBalancerProvider first(JsonField list) {
    for (JsonField each : list.list()) {
      if (each.object().size() != 1) {
        throw each.fault("must have one field, the policy's name");
      }
      String name = each.object().keySet().iterator().next();
      JsonField settings = each.required(name);
      settings.object();
      Optional<LoadBalancerProvider> found = settings.checked(it -> policy(name, it));
      if (found.isPresent()) {
        return new Configured(name, settings.object(), new Equal<>(found.get()));
      }
    }
    throw list.fault("names no policy that is known here");
  }

  /** By {@code loadBalancingPolicy}, which is older and has no settings. */
  LoadBalancerProvider named(JsonField name) {
    String lower = name.text().toLowerCase(Locale.ROOT);
    JsonField none = new JsonField(name.path(), Map.of());
    LoadBalancerProvider found =
        policy(lower, none).orElseThrow(() -> name.fault("is no policy that is known here"));
    return new Configured(lower, Map.of(), new Equal<>(found));
  }

  private Optional<LoadBalancerProvider> policy(String name, JsonField settings) {
    for (LoadBalancerProvider each : others) {
      if (each.policyName().equals(name)) {
        return Optional.of(each);
      }
    }
    return switch (name) {
      case "pick_first" -> Optional.of(pickFirst(settings));
      case "round_robin" -> Optional.of(LoadBalancerProvider.roundRobin());
      case "least_request_experimental" -> Optional.of(leastRequest(settings));
      case "ring_hash_experimental" -> Optional.of(ringHash(settings));
      case "random_subsetting_experimental" -> Optional.of(randomSubsetting(settings));
      default -> Optional.empty();
    };
  }

  private static LoadBalancerProvider pickFirst(JsonField settings) {
    boolean shuffled = settings.field("shuffleAddressList").map(JsonField::bool).orElse(false);
    return LoadBalancerProvider.pickFirst(
        shuffled ? AddressOrder.SHUFFLED : AddressOrder.AS_RESOLVED);
  }

  private static LoadBalancerProvider leastRequest(JsonField settings) {
    int choices = settings.field("choiceCount").map(JsonField::integer).orElse(2);
    return LoadBalancerProvider.leastRequest(Math.min(choices, MOST_CHOICES));
  }

  private static LoadBalancerProvider ringHash(JsonField settings) {
    RingHashSettings ring = RingHashSettings.DEFAULT;
    int min = settings.field("minRingSize").map(JsonField::integer).orElse(ring.minRingSize());
    int max = settings.field("maxRingSize").map(JsonField::integer).orElse(ring.maxRingSize());
    ring = ring.withRingSizes(min, max);
    Optional<JsonField> header = settings.field("requestHashHeader");
    return LoadBalancerProvider.ringHash(
        header.isPresent() ? ring.withRequestHashHeader(header.get().text()) : ring);
  }

  private LoadBalancerProvider randomSubsetting(JsonField settings) {
    return LoadBalancerProvider.randomSubsetting(
        settings.required("subsetSize").integer(), first(settings.required("childPolicy")));
  }
}
