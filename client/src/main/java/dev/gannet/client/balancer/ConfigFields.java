package dev.gannet.client.balancer;

import java.time.Duration;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Fields of a policy's settings. Each method changes a value by a field, and returns the unchanged
 * value if the field is missing; if the field's value is refused, the exception names the field.
 */
record ConfigFields(PolicyConfig config) {
  <T> T integer(String field, T absent, IntFunction<T> setter) {
    var value = config.integer(field);
    return value.isPresent() ? checked(field, () -> setter.apply(value.getAsInt())) : absent;
  }

  <T> T decimal(String field, T absent, DoubleFunction<T> setter) {
    var value = config.decimal(field);
    return value.isPresent() ? checked(field, () -> setter.apply(value.getAsDouble())) : absent;
  }

  <T> T text(String field, T absent, Function<String, T> setter) {
    return config.text(field).map(it -> checked(field, () -> setter.apply(it))).orElse(absent);
  }

  <T> T duration(String field, T absent, Function<Duration, T> setter) {
    return config.duration(field).map(it -> checked(field, () -> setter.apply(it))).orElse(absent);
  }

  <T> T object(String field, T absent, Function<ConfigFields, T> setter) {
    return config
        .object(field)
        .map(it -> setter.apply(new ConfigFields(it))) // its fields are checked
        .orElse(absent);
  }

  /** The policy below this one, which must be there. */
  LoadBalancerProvider childPolicy() {
    return config
        .policy("childPolicy")
        .orElseThrow(() -> config.fault("childPolicy", "is missing"));
  }

  private <T> T checked(String field, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (IllegalArgumentException e) {
      throw config.fault(field, "is invalid: " + e.getMessage());
    }
  }
}
