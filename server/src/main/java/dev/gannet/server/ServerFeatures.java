package dev.gannet.server;

import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocol;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a server other than services, connections and limits.
 *
 * @param observers are notified of its start and end
 * @param fallback where methods are found that the server was not built with
 * @param interceptors around the methods that are found there
 * @param headersInterceptors see the headers of calls before their requests are read
 * @param tracers the factories of tracers for its requests
 * @param filters see its connections
 * @param furtherAddresses additional addresses to listen on
 * @param limits of methods that differ from those of the server
 * @param encodings the encodings for messages
 * @param protocols the protocols of requests that it accepts besides gRPC
 * @param loadShedding how it refuses calls under load; empty if it does not
 * @param counting whether calls are counted
 * @param shutdownDelay how long it continues to serve after it was told to shut down
 * @param closeGrace how long {@link Server#close} waits for calls
 */
record ServerFeatures(
    List<ServerObserver> observers,
    Optional<HandlerRegistry> fallback,
    List<ServerInterceptor> interceptors,
    List<HeadersInterceptor> headersInterceptors,
    List<ServerStreamTracer.Factory> tracers,
    List<ServerTransportFilter> filters,
    List<SocketAddress> furtherAddresses,
    LimitsByMethod limits,
    MessageEncodings encodings,
    List<RequestProtocol> protocols,
    Optional<LoadShedding> loadShedding,
    Counting counting,
    Duration shutdownDelay,
    Duration closeGrace) {
  /** Whether a server counts its calls. */
  enum Counting {
    ON,
    OFF
  }

  static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

  static final ServerFeatures NONE =
      new ServerFeatures(
          List.of(),
          Optional.empty(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          LimitsByMethod.NONE,
          MessageEncodings.DEFAULT,
          List.of(),
          Optional.empty(),
          Counting.OFF,
          Duration.ZERO,
          CLOSE_GRACE);
}
