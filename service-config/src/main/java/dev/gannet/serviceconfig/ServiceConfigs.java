package dev.gannet.serviceconfig;

import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads service configs from gRPC's JSON: {@code methodConfig}, {@code retryThrottling}, {@code
 * loadBalancingConfig}, {@code loadBalancingPolicy}, {@code healthCheckConfig} and {@code
 * connectionScaling} of {@code grpc.service_config.ServiceConfig} in Protocol Buffers' JSON
 * mapping. Unknown fields are ignored; one invalid value makes the whole config invalid (gRFC A21),
 * and the message names its path. At most 65,536 characters and 32 levels.
 *
 * <p>Known policies: those that the caller passes, and {@link LoadBalancerProvider#known}: {@code
 * pick_first}, {@code round_robin}, {@code weighted_round_robin}, {@code
 * least_request_experimental}, {@code ring_hash_experimental}, {@code
 * outlier_detection_experimental}, {@code random_subsetting_experimental}, and those that {@code
 * ServiceLoader} finds. All read their settings with {@link LoadBalancerProvider#configured}.
 */
public final class ServiceConfigs {
  private ServiceConfigs() {}

  /**
   * Parses a service config.
   *
   * @throws IllegalArgumentException if it is not JSON, or a value is invalid
   */
  public static ServiceConfig parse(String json) {
    return parse(json, List.of());
  }

  /**
   * Parses a service config whose {@code loadBalancingConfig} may also name these policies.
   *
   * @throws IllegalArgumentException if it is not JSON, or a value is invalid
   */
  public static ServiceConfig parse(String json, List<LoadBalancerProvider> policies) {
    return read(new JsonField("", JsonReader.read(json)), policies);
  }

  /**
   * The config for one client, of a list of choices as the TXT record {@code _grpc_config} of a
   * name has it (gRFC A2): that of the first choice whose {@code clientLanguage}, {@code
   * percentage} and {@code clientHostname} all fit a client in Java; empty if none does.
   *
   * @param policies as above
   * @param clientHostname what the client's machine is called; asked for only if a choice names
   *     hosts
   * @param percentile 0 to 99: which of a hundred clients this one is; a choice with a percentage
   *     of more than that fits
   * @throws IllegalArgumentException if it is no JSON, a choice is not well formed, or a value of
   *     the config that is chosen is bad
   */
  public static Optional<ServiceConfig> parseChoices(
      String json,
      List<LoadBalancerProvider> policies,
      Supplier<String> clientHostname,
      int percentile) {
    return new ConfigChoices(clientHostname, percentile)
        .first(new JsonField("", JsonReader.read(json)))
        .map(it -> read(it, policies));
  }

  private static ServiceConfig read(JsonField whole, List<LoadBalancerProvider> policies) {
    ServiceConfig.Builder config = ServiceConfig.builder();
    Optional<JsonField> balancing = whole.field("loadBalancingConfig");
    if (balancing.isPresent()) {
      config.loadBalancer(new BalancingPolicies(policies).first(balancing.get()));
    } else {
      whole
          .field("loadBalancingPolicy")
          .ifPresent(it -> config.loadBalancer(new BalancingPolicies(policies).named(it)));
    }
    whole
        .field("retryThrottling")
        .ifPresent(it -> config.retryThrottling(it.checked(ServiceConfigs::throttling)));
    whole
        .field("healthCheckConfig")
        .flatMap(it -> it.field("serviceName"))
        .ifPresent(it -> config.healthCheckService(it.text()));
    whole
        .field("connectionScaling")
        .flatMap(it -> it.field("maxConnectionsPerSubchannel"))
        .filter(it -> it.integer() != 0) // as if it were not there
        .ifPresent(it -> it.checked(at -> config.maxConnectionsPerSubchannel(at.integer())));
    whole.field("methodConfig").ifPresent(all -> all.list().forEach(it -> addMethods(config, it)));
    return config.build();
  }

  private static RetryThrottling throttling(JsonField field) {
    return RetryThrottling.of(
        field.required("maxTokens").integer(), field.required("tokenRatio").decimal());
  }

  private static void addMethods(ServiceConfig.Builder config, JsonField field) {
    MethodConfig method = field.checked(ServiceConfigs::method);
    Optional<JsonField> names = field.field("name");
    if (names.isPresent()) {
      for (JsonField name : names.get().list()) {
        name.checked(it -> add(config, it, method));
      }
    }
  }

  private static ServiceConfig.Builder add(
      ServiceConfig.Builder config, JsonField name, MethodConfig method) {
    String service = name.field("service").map(JsonField::text).orElse("");
    String bare = name.field("method").map(JsonField::text).orElse("");
    if (service.isEmpty() && !bare.isEmpty()) {
      throw name.fault("has a method and no service");
    }
    if (service.isEmpty()) {
      return config.forAllMethods(method);
    }
    return bare.isEmpty()
        ? config.forService(service, method)
        : config.forMethod(service + "/" + bare, method);
  }

  private static MethodConfig method(JsonField field) {
    MethodConfig.Builder method = MethodConfig.builder();
    field.field("timeout").ifPresent(it -> it.checked(at -> method.timeout(at.duration())));
    field.field("waitForReady").ifPresent(it -> method.waitForReady(it.bool()));
    field
        .field("maxRequestMessageBytes")
        .ifPresent(it -> it.checked(at -> method.maxRequestMessageBytes(at.integer())));
    field
        .field("maxResponseMessageBytes")
        .ifPresent(it -> it.checked(at -> method.maxResponseMessageBytes(at.integer())));
    Optional<JsonField> retry = field.field("retryPolicy");
    Optional<JsonField> hedging = field.field("hedgingPolicy");
    if (retry.isPresent() && hedging.isPresent()) {
      throw field.fault("can have a retryPolicy or a hedgingPolicy, not both");
    }
    retry.ifPresent(it -> method.retryPolicy(it.checked(ServiceConfigs::retry)));
    hedging.ifPresent(it -> method.hedgingPolicy(it.checked(ServiceConfigs::hedging)));
    return method.build();
  }

  private static RetryPolicy retry(JsonField field) {
    RetryPolicy policy =
        RetryPolicy.of(
                field.required("maxAttempts").integer(),
                field.required("retryableStatusCodes").list().stream()
                    .map(JsonField::code)
                    .toList())
            .withInitialBackoff(field.required("initialBackoff").duration())
            .withMaxBackoff(field.required("maxBackoff").duration())
            .withBackoffMultiplier(field.required("backoffMultiplier").decimal());
    Optional<JsonField> timeout = field.field("perAttemptRecvTimeout");
    return timeout.isPresent()
        ? policy.withPerAttemptReceiveTimeout(timeout.get().duration())
        : policy;
  }

  private static HedgingPolicy hedging(JsonField field) {
    HedgingPolicy policy = HedgingPolicy.of(field.required("maxAttempts").integer());
    Optional<JsonField> delay = field.field("hedgingDelay");
    if (delay.isPresent()) {
      policy = policy.withHedgingDelay(delay.get().duration());
    }
    Optional<JsonField> codes = field.field("nonFatalStatusCodes");
    return codes.isPresent()
        ? policy.withNonFatalStatusCodes(codes.get().list().stream().map(JsonField::code).toList())
        : policy;
  }
}
