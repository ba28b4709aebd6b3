package dev.gannet.serviceconfig;

import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * The settings of a policy in JSON.
 *
 * @param policies reads other policies in it
 */
record JsonPolicyConfig(JsonField settings, BalancingPolicies policies) implements PolicyConfig {
  @Override
  public Set<String> fields() {
    Set<String> names = new LinkedHashSet<>(settings.object().keySet());
    names.removeIf(it -> settings.field(it).isEmpty());
    return Collections.unmodifiableSet(names);
  }

  @Override
  public Optional<Boolean> bool(String field) {
    return settings.field(field).map(JsonField::bool);
  }

  @Override
  public OptionalInt integer(String field) {
    return settings.field(field).stream().mapToInt(JsonField::integer).findFirst();
  }

  @Override
  public OptionalDouble decimal(String field) {
    return settings.field(field).stream().mapToDouble(JsonField::decimal).findFirst();
  }

  @Override
  public Optional<String> text(String field) {
    return settings.field(field).map(JsonField::text);
  }

  @Override
  public Optional<Duration> duration(String field) {
    return settings.field(field).map(JsonField::duration);
  }

  @Override
  public List<String> texts(String field) {
    return list(field, JsonField::text);
  }

  @Override
  public Optional<PolicyConfig> object(String field) {
    return settings.field(field).map(this::nested);
  }

  @Override
  public List<PolicyConfig> objects(String field) {
    return list(field, this::nested);
  }

  @Override
  public Optional<LoadBalancerProvider> policy(String field) {
    return settings.field(field).map(policies::first);
  }

  @Override
  public IllegalArgumentException fault(String field, String what) {
    return JsonField.fault(settings.pathOf(field), what);
  }

  private PolicyConfig nested(JsonField value) {
    value.object(); // or it is a fault
    return new JsonPolicyConfig(value, policies);
  }

  private <T> List<T> list(String field, Function<JsonField, T> of) {
    return settings.field(field).stream().flatMap(it -> it.list().stream()).map(of).toList();
  }
}
