package dev.gannet.client.config;

import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Checks for all values of this package, with the name of the field in the message. */
final class Check {
  private Check() {}

  static Duration positive(String field, Duration value) {
    if (!Objects.requireNonNull(value, field).isPositive()) {
      throw new IllegalArgumentException(field + " must be positive: " + value);
    }
    return value;
  }

  static Duration notNegative(String field, Duration value) {
    if (Objects.requireNonNull(value, field).isNegative()) {
      throw new IllegalArgumentException(field + " cannot be negative: " + value);
    }
    return value;
  }

  static int notNegative(String field, int value) {
    if (value < 0) {
      throw new IllegalArgumentException(field + " cannot be negative: " + value);
    }
    return value;
  }

  static int attempts(int value) {
    if (value < 2) {
      throw new IllegalArgumentException("maxAttempts must be at least 2: " + value);
    }
    return value;
  }

  static Set<Status.Code> failures(String field, Collection<Status.Code> codes) {
    if (Objects.requireNonNull(codes, field).contains(Status.Code.OK)) {
      throw new IllegalArgumentException(field + " cannot contain OK");
    }
    Set<Status.Code> all = EnumSet.noneOf(Status.Code.class);
    all.addAll(codes);
    return Set.copyOf(all);
  }
}
