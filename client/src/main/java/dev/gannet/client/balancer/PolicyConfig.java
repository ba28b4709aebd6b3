package dev.gannet.client.balancer;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The settings of one policy in a service config: the JSON object beside the policy's name in
 * {@code loadBalancingConfig} (gRFC A24), for {@link LoadBalancerProvider#configured}.
 *
 * <p>A field that is missing or {@code null} has no value. Fields that a provider does not read are
 * ignored. A value of another type makes the service config invalid: the methods throw an {@link
 * IllegalArgumentException} that names the field. Immutable, and safe for all threads: a provider
 * may keep it. Only implemented by Gannet; methods may be added.
 */
public interface PolicyConfig {
  /**
   * The names of the fields that have a value, in the order of the config: for an object whose
   * fields are named by the service config, such as {@code "targets": {"a": {…}, "b": {…}}}.
   * Unmodifiable.
   */
  Set<String> fields();

  /** {@code true} or {@code false}. */
  Optional<Boolean> bool(String field);

  /**
   * A whole number, possibly in quotes; values above {@link Integer#MAX_VALUE} become that value.
   */
  OptionalInt integer(String field);

  /** A number, possibly in quotes. */
  OptionalDouble decimal(String field);

  /** A string. */
  Optional<String> text(String field);

  /** A duration in the JSON format of Protocol Buffers, such as {@code "1.5s"}. */
  Optional<Duration> duration(String field);

  /** A list of strings; empty if the field is missing. */
  List<String> texts(String field);

  /** An object. */
  Optional<PolicyConfig> object(String field);

  /** A list of objects; empty if the field is missing. */
  List<PolicyConfig> objects(String field);

  /**
   * Another policy, such as a {@code childPolicy}: the first known one of a list like {@code
   * loadBalancingConfig}, with its settings.
   */
  Optional<LoadBalancerProvider> policy(String field);

  /**
   * An exception that says what is wrong with a field, for a provider to throw.
   *
   * @param what continues a sentence that begins with the field, such as {@code must be positive}
   */
  IllegalArgumentException fault(String field, String what);
}
