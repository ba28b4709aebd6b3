package dev.gannet.client;

import dev.gannet.client.config.ServiceConfig;
import java.util.Optional;

/**
 * Where a channel's service config comes from, and how far it goes by it.
 *
 * @param byDefault what counts as long as the resolver brings none
 */
record ServiceConfigSettings(
    Optional<ServiceConfig> byDefault, LookUp lookUp, RetrySettings retries) {
  /** Whether configs count that a resolver brings. */
  enum LookUp {
    ENABLED,
    DISABLED
  }

  /** No config but a resolver's. */
  static final ServiceConfigSettings DEFAULT =
      new ServiceConfigSettings(Optional.empty(), LookUp.ENABLED, RetrySettings.DEFAULT);

  ServiceConfigSettings withDefault(ServiceConfig config) {
    return new ServiceConfigSettings(Optional.of(config), lookUp, retries);
  }

  ServiceConfigSettings withoutLookUp() {
    return new ServiceConfigSettings(byDefault, LookUp.DISABLED, retries);
  }

  ServiceConfigSettings with(RetrySettings retries) {
    return new ServiceConfigSettings(byDefault, lookUp, retries);
  }
}
