package dev.gannet.services;

import dev.gannet.services.health.v1.HealthCheckResponse;
import dev.gannet.services.health.v1.HealthCheckResponse.ServingStatus;

/** Whether a service can be called now. */
public enum HealthStatus {
  UNKNOWN(ServingStatus.UNKNOWN),
  SERVING(ServingStatus.SERVING),
  NOT_SERVING(ServingStatus.NOT_SERVING);

  private final HealthCheckResponse response;

  HealthStatus(ServingStatus status) {
    this.response = HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  HealthCheckResponse response() {
    return response;
  }
}
