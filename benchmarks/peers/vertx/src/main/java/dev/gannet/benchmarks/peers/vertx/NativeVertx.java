package dev.gannet.benchmarks.peers.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;

/**
 * Vert.x with the native transport; it fails without it, because the comparison would be unfair.
 */
final class NativeVertx {
  private NativeVertx() {}

  static Vertx start() {
    Vertx vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true));
    if (!vertx.isNativeTransportEnabled()) {
      throw new IllegalStateException(
          "no native transport", vertx.unavailableNativeTransportCause());
    }
    return vertx;
  }
}
