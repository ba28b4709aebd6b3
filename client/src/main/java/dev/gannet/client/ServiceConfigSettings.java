package dev.gannet.client;

import dev.gannet.client.config.ServiceConfig;
import java.util.Optional;

/**
 * The sources of a channel's service config.
 *
 * @param byDefault the config that is used if the resolver provides none
 */
record ServiceConfigSettings(
    Optional<ServiceConfig> byDefault, LookUp lookUp, RetrySettings retries) {
  /** Whether configs of a resolver are used. */
  enum LookUp {
    ENABLED,
    DISABLED
  }

  /** Only a resolver's config is used. */
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
