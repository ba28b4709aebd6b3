package dev.gannet.testing;

import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The settings of a policy as a map.
 *
 * @param path the names of the fields around it, each with a dot behind it
 */
record MapPolicyConfig(String path, Map<String, ?> values) implements PolicyConfig {
  /** Copies the map, and keeps its order. */
  MapPolicyConfig {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  @Override
  public Set<String> fields() {
    Set<String> names = new LinkedHashSet<>(values.keySet());
    names.removeIf(it -> values.get(it) == null);
    return Collections.unmodifiableSet(names);
  }

  @Override
  public Optional<Boolean> bool(String field) {
    return value(field, Boolean.class, "must be a Boolean");
  }

  @Override
  public OptionalInt integer(String field) {
    OptionalDouble number = decimal(field);
    if (number.isEmpty()) {
      return OptionalInt.empty();
    }
    double value = number.getAsDouble();
    if (value != Math.rint(value)) {
      throw fault(field, "must be a whole number");
    }
    return OptionalInt.of((int) value); // what is out of range becomes the nearest int
  }

  @Override
  public OptionalDouble decimal(String field) {
    return value(field, Number.class, "must be a number").stream()
        .mapToDouble(Number::doubleValue)
        .findFirst();
  }

  @Override
  public Optional<String> text(String field) {
    return value(field, String.class, "must be a String");
  }

  @Override
  public Optional<Duration> duration(String field) {
    return value(field, Duration.class, "must be a Duration");
  }

  @Override
  public List<String> texts(String field) {
    return list(field).stream().map(it -> as(field, it, String.class, "must be a String")).toList();
  }

  @Override
  public Optional<PolicyConfig> object(String field) {
    return Optional.ofNullable(values.get(field)).map(it -> nested(field, it));
  }

  @Override
  public List<PolicyConfig> objects(String field) {
    return list(field).stream().map(it -> nested(field, it)).toList();
  }

  @SuppressWarnings("unchecked") // the test gives names to the fields
  private PolicyConfig nested(String field, Object value) {
    if (!(value instanceof Map<?, ?> nested)) {
      throw fault(field, "must be a Map: " + value);
    }
    return new MapPolicyConfig(path + field + ".", (Map<String, ?>) nested);
  }

  @Override
  public Optional<LoadBalancerProvider> policy(String field) {
    return value(field, LoadBalancerProvider.class, "must be a LoadBalancerProvider");
  }

  private List<?> list(String field) {
    Object found = values.get(field);
    if (found != null && !(found instanceof List)) {
      throw fault(field, "must be a List: " + found);
    }
    return found instanceof List<?> list ? list : List.of();
  }

  private <T> Optional<T> value(String field, Class<T> type, String otherwise) {
    return Optional.ofNullable(values.get(field)).map(it -> as(field, it, type, otherwise));
  }

  private <T> T as(String field, Object value, Class<T> type, String otherwise) {
    if (!type.isInstance(value)) {
      throw fault(field, otherwise + ": " + value);
    }
    return type.cast(value);
  }

  @Override
  public IllegalArgumentException fault(String field, String what) {
    return new IllegalArgumentException(path + field + " " + what);
  }
}
