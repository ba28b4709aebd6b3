package dev.gannet.client.settings;

import dev.gannet.client.config.ServiceConfig;
import java.util.Optional;

/**
 * The sources of a channel's service config.
 *
 * @param byDefault the config that is used if the resolver provides none
 */
public record ServiceConfigSettings(
    Optional<ServiceConfig> byDefault, LookUp lookUp, RetrySettings retries) {
  /** Whether configs of a resolver are used. */
  enum LookUp {
    ENABLED,
    DISABLED
  }

  /** Only a resolver's config is used. */
  public static final ServiceConfigSettings DEFAULT =
      new ServiceConfigSettings(Optional.empty(), LookUp.ENABLED, RetrySettings.DEFAULT);

  public ServiceConfigSettings withDefault(ServiceConfig config) {
    return new ServiceConfigSettings(Optional.of(config), lookUp, retries);
  }

  public ServiceConfigSettings withoutLookUp() {
    return new ServiceConfigSettings(byDefault, LookUp.DISABLED, retries);
  }

  public ServiceConfigSettings with(RetrySettings retries) {
    return new ServiceConfigSettings(byDefault, lookUp, retries);
  }
}
