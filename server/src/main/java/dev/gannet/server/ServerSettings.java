package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallLimit;
import dev.gannet.api.Dispatch;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.CallBounds;
import dev.gannet.transport.settings.TransportSettings;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The settings of a server, by subject. */
record ServerSettings(
    Services services,
    Interception interception,
    Formats formats,
    Connections connections,
    Lifecycle lifecycle) {
  /**
   * What is served, and how calls run.
   *
   * @param added the services that were added to the builder, with interceptors around them
   * @param fallback find methods that were not added to the builder
   * @param dispatch where a handler runs unless its method has a dispatch of its own
   * @param limits the limits of calls, unless their method has limits of its own
   * @param limitsByMethod the limits of methods that have their own
   * @param loadShedding how calls are refused under load; empty if they are not
   */
  record Services(
      List<ServerServiceDefinition> added,
      HandlerRegistries fallback,
      Dispatch dispatch,
      CallBounds limits,
      LimitsByMethod limitsByMethod,
      Optional<LoadShedding> loadShedding) {
    /** These, with this dispatch and the default limits, and nothing else. */
    static Services of(List<ServerServiceDefinition> added, Dispatch dispatch) {
      return new Services(
          added,
          HandlerRegistries.NONE,
          dispatch,
          CallBounds.DEFAULT,
          LimitsByMethod.NONE,
          Optional.empty());
    }

    Services withFallback(HandlerRegistry registry) {
      HandlerRegistries only = HandlerRegistries.of(registry);
      return new Services(added, only, dispatch, limits, limitsByMethod, loadShedding);
    }

    Services withLimits(CallBounds others) {
      return new Services(added, fallback, dispatch, others, limitsByMethod, loadShedding);
    }

    Services with(LoadShedding shedding) {
      return new Services(added, fallback, dispatch, limits, limitsByMethod, Optional.of(shedding));
    }
  }

  /**
   * Users' code that sees connections and calls.
   *
   * @param ofFallback for the methods that the fallback registry finds
   * @param headersInterceptors see the headers of the calls of all methods, before their requests
   *     are read and before the headers interceptors of the method
   * @param callLimits decide which handlers may start
   * @param tracers the factories of tracers for all requests
   * @param filters see connections
   * @param counting whether calls are counted
   */
  record Interception(
      FallbackOptions ofFallback,
      List<AsyncHeadersInterceptor> headersInterceptors,
      List<CallLimit> callLimits,
      List<ServerStreamTracer.Factory> tracers,
      List<ServerTransportFilter> filters,
      Counting counting) {
    static final Interception NONE =
        new Interception(
            FallbackOptions.NONE, List.of(), List.of(), List.of(), List.of(), Counting.OFF);
  }

  /** Whether a server counts its calls. */
  enum Counting {
    ON,
    OFF
  }

  /**
   * How requests and responses look on the wire.
   *
   * @param encodings the encodings for messages
   * @param protocols the protocols of requests that are accepted besides gRPC
   */
  record Formats(MessageEncodings encodings, List<RequestProtocol> protocols) {
    static final Formats DEFAULT = new Formats(MessageEncodings.DEFAULT, List.of());
  }

  /**
   * Where and how connections are accepted.
   *
   * @param addresses at least one, to listen on
   * @param settings of each connection
   * @param caps how many connections there may be
   */
  record Connections(
      List<SocketAddress> addresses,
      ServerCredentials credentials,
      TransportSettings settings,
      ConnectionCaps caps,
      TransportProvider transport) {}

  /**
   * How the server starts and ends.
   *
   * @param observers are notified of its start and end
   * @param shutdownDelay how long it continues to serve after its shutdown has begun
   * @param closeGrace how long {@link Server#close} waits for calls
   */
  record Lifecycle(List<ServerObserver> observers, Duration shutdownDelay, Duration closeGrace) {
    static final Duration CLOSE_GRACE = Duration.ofSeconds(5);
  }
}
