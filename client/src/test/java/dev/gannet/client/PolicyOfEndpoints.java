package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancer;

/** A policy that does something about endpoints alone, if a test does not say more. */
interface PolicyOfEndpoints extends LoadBalancer {
  @Override
  default void onResolutionFailed(Status why) {}

  @Override
  default void exitIdle() {}

  @Override
  default void shutdown() {}
}
