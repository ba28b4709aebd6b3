package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.BindableService;
import dev.gannet.api.CallLimit;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Preview;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.api.transport.Transport;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.protocol.RequestProtocols;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.CallBounds;
import dev.gannet.transport.settings.PingPermit;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Configures and starts servers. Not safe for concurrent use.
 *
 * <p>Each {@link #start} starts a server with the settings of that moment; later changes do not
 * affect it. Servers of one builder share the objects that were given to it, such as services,
 * interceptors and observers, but no limits and no counters.
 *
 * <table class="striped">
 *   <caption>By subject</caption>
 *   <tr><th scope="row">services</th><td>{@link #add}, {@link #addFallbackHandlerRegistry}, {@link #dispatch}, {@link #grpcOnly}</td></tr>
 *   <tr><th scope="row">addresses and security</th><td>{@link #alsoListen}, {@link #credentials}, {@link #plaintext}</td></tr>
 *   <tr><th scope="row">what calls have in common</th><td>{@link #intercept}, {@link #interceptHeaders}, {@link #interceptHeadersAsync}, {@link #compressorRegistry}, {@link #decompressorRegistry}</td></tr>
 *   <tr><th scope="row">observing</th><td>{@link #addTracer}, {@link #addTransportFilter}, {@link #observe}, {@link #countCalls}</td></tr>
 *   <tr><th scope="row">limits of calls</th><td>{@link #methodLimits}, {@link #maxInboundMessageBytes}, {@link #maxOutboundMessageBytes}, {@link #maxCallDuration}, {@link #defaultCallDuration}, {@link #limitCalls}, {@link #loadShedding}</td></tr>
 *   <tr><th scope="row">limits of clients</th><td>{@link #maxConnections}, {@link #maxConnectionsPerAddress}, {@link #maxConcurrentCallsPerConnection}, {@link #maxInboundMetadataBytes}, {@link #transportLimits}, {@link #memoryBudget}, {@link #workBudget}</td></tr>
 *   <tr><th scope="row">life of connections</th><td>{@link #keepAliveTime}, {@link #keepAliveTimeout}, {@link #permitKeepAliveTime}, {@link #permitKeepAliveWithoutCalls}, {@link #maxConnectionIdle}, {@link #maxConnectionAge}, {@link #maxConnectionAgeGrace}</td></tr>
 *   <tr><th scope="row">shutdown</th><td>{@link #shutdownDelay}, {@link #closeGrace}, {@link #closeOnSigterm}</td></tr>
 *   <tr><th scope="row">transport</th><td>{@link #transport}, {@link #eventLoops}, {@link #socketOptions}</td></tr>
 * </table>
 */
public final class ServerBuilder {
  private static final Duration MIN_KEEP_ALIVE_TIME = Duration.ofSeconds(1);

  private final SocketAddress address;
  private final List<ServerServiceDefinition> services = new ArrayList<>();
  private final List<ServerInterceptor> interceptors = new ArrayList<>();

  /** The options of the added services, for further methods of these that only a registry has. */
  private final FallbackOptions.Builder ofFallback = new FallbackOptions.Builder();

  private final List<AsyncHeadersInterceptor> headersInterceptors = new ArrayList<>();
  private final List<CallLimit> ownLimits = new ArrayList<>();

  /** The service options set by the extensions that are being added. */
  private ServiceOptions ofExtensions = ServiceOptions.DEFAULT;

  private final List<ServerStreamTracer.Factory> tracers = new ArrayList<>();
  private Optional<ServerCredentials> credentials = Optional.empty();
  private Dispatch dispatch = Dispatch.virtualThreads();
  private TransportSettings connections = TransportSettings.OF_SERVERS;
  private CallBounds callBounds = CallBounds.DEFAULT;
  private int maxConnections = ConnectionCaps.UNLIMITED;
  private CompressorRegistry compressors = CompressorRegistry.DEFAULT;
  private DecompressorRegistry decompressors = DecompressorRegistry.DEFAULT;
  private int maxConnectionsPerAddress = ConnectionCaps.UNLIMITED;
  private Optional<TransportProvider> transport = Optional.empty();
  private Supplier<List<RequestProtocol>> protocols = RequestProtocols::found;
  private Optional<EventLoops> eventLoops = Optional.empty();
  private Optional<LoadShedding> loadShedding = Optional.empty();
  private final List<ServerObserver> observers = new ArrayList<>();
  private final List<ServerTransportFilter> filters = new ArrayList<>();
  private final List<SocketAddress> furtherAddresses = new ArrayList<>();
  private final List<HandlerRegistries.Added> fallbacks = new ArrayList<>();
  private final Map<String, MethodLimits> limits = new HashMap<>();
  private ServerSettings.Counting counting = ServerSettings.Counting.OFF;
  private Duration shutdownDelay = Duration.ZERO;
  private Duration closeGrace = ServerSettings.Lifecycle.CLOSE_GRACE;

  ServerBuilder(SocketAddress address) {
    this.address = Objects.requireNonNull(address, "address");
  }

  /** Adds this object's service. */
  public ServerBuilder add(BindableService service) {
    return add(service, it -> it);
  }

  /**
   * Adds this object's service, with options of its own: {@code add(new MyGreeter(), it ->
   * it.withInterceptor(new Authentication(users)))}.
   */
  public ServerBuilder add(BindableService service, UnaryOperator<ServiceOptions> change) {
    ServerServiceDefinition added = Objects.requireNonNull(service, "service").bindService();
    ServiceOptions options = ofExtensions.changedBy(change);
    services.add(options.applyTo(added));
    ofFallback.add(added.serviceName(), options);
    return this;
  }

  /** Adds an extension, such as health checks or reflection. */
  public ServerBuilder add(ServerExtension extension) {
    return add(extension, it -> it);
  }

  /**
   * Adds an extension, with options for the services that it adds: {@code add(new
   * ChannelzService(), it -> it.withInterceptor(new Authentication(operators)))}. The interceptors
   * are outside those with which the extension itself adds its services. They also apply to the
   * methods of a {@linkplain #addFallbackHandlerRegistry registry} that the extension adds.
   */
  public ServerBuilder add(ServerExtension extension, UnaryOperator<ServiceOptions> change) {
    Objects.requireNonNull(extension, "extension");
    ServiceOptions before = ofExtensions;
    ofExtensions = before.changedBy(change);
    try {
      extension.addTo(this);
    } finally {
      ofExtensions = before;
    }
    return this;
  }

  /**
   * Adds a registry for methods that were not added to this builder; it is only asked for those.
   * None by default. If there are several, the first one added is asked first.
   */
  public ServerBuilder addFallbackHandlerRegistry(HandlerRegistry registry) {
    Objects.requireNonNull(registry, "registry");
    fallbacks.add(new HandlerRegistries.Added(registry, ofExtensions));
    return this;
  }

  /** Adds a filter that sees each connection; the first one added sees it first. */
  public ServerBuilder addTransportFilter(ServerTransportFilter filter) {
    filters.add(Objects.requireNonNull(filter, "filter"));
    return this;
  }

  /**
   * Listens on this address, too, with the same credentials, services and limits. The transport of
   * the first address must support it.
   */
  public ServerBuilder alsoListen(SocketAddress address) {
    furtherAddresses.add(Objects.requireNonNull(address, "address"));
    return this;
  }

  /** Counts calls and messages for {@link Server#snapshot}; off by default. */
  public ServerBuilder countCalls() {
    counting = ServerSettings.Counting.ON;
    return this;
  }

  /**
   * Adds an observer for the start and the end of the server; observers are notified in the order
   * in which they were added.
   */
  public ServerBuilder observe(ServerObserver observer) {
    observers.add(Objects.requireNonNull(observer, "observer"));
    return this;
  }

  /**
   * Adds an interceptor for all services; the first one added is the outermost and sees calls
   * first.
   */
  public ServerBuilder intercept(ServerInterceptor interceptor) {
    interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Adds an interceptor that sees each call of all services as soon as its headers have arrived,
   * before its request is read. The one added first runs first, and all of them run before the
   * {@linkplain #intercept other interceptors}. For one service, see {@link
   * ServiceOptions#withHeadersInterceptor}.
   */
  public ServerBuilder interceptHeaders(HeadersInterceptor interceptor) {
    Objects.requireNonNull(interceptor, "interceptor");
    return interceptHeadersAsync(AsyncHeadersInterceptor.of(interceptor));
  }

  /**
   * Adds an interceptor like those of {@link #interceptHeaders} that needs time, because it asks
   * another server: {@code interceptHeadersAsync((call, headers) -> tokens.check(headers))}. Those
   * of both kinds run one after the other, in the order in which they were added. For one service,
   * see {@link ServiceOptions#withAsyncHeadersInterceptor}.
   */
  public ServerBuilder interceptHeadersAsync(AsyncHeadersInterceptor interceptor) {
    headersInterceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Adds a tracer factory. Its tracers see every request with its final status, also those that no
   * interceptor sees, of unknown methods or with broken headers. Several may be added; each sees
   * all requests.
   */
  public ServerBuilder addTracer(ServerStreamTracer.Factory tracers) {
    this.tracers.add(Objects.requireNonNull(tracers, "tracers"));
    return this;
  }

  /** The encodings with which responses can be compressed; {@code gzip} by default. */
  public ServerBuilder compressorRegistry(CompressorRegistry registry) {
    compressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * The encodings of requests that can be read; {@code gzip} by default. Calls with others end with
   * {@code UNIMPLEMENTED}: {@code DecompressorRegistry.DEFAULT.without("gzip")} refuses all
   * compressed requests.
   */
  public ServerBuilder decompressorRegistry(DecompressorRegistry registry) {
    decompressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * How the server authenticates itself and its clients. Either this or {@link #plaintext} is
   * required if other machines can reach the server; {@link #start} throws otherwise. A server that
   * only its own machine can reach, on a loopback address, a Unix domain socket or in process, uses
   * no TLS by default.
   */
  public ServerBuilder credentials(ServerCredentials credentials) {
    this.credentials = Optional.of(Objects.requireNonNull(credentials, "credentials"));
    return this;
  }

  /** No TLS: for networks on which traffic cannot be intercepted. */
  public ServerBuilder plaintext() {
    return credentials(ServerCredentials.insecure());
  }

  /**
   * Where handlers run unless their method sets its own dispatch; on virtual threads by default.
   */
  public ServerBuilder dispatch(Dispatch dispatch) {
    this.dispatch = Objects.requireNonNull(dispatch, "dispatch");
    return this;
  }

  /**
   * The maximum size of a request message, in bytes after decompression; 4 MiB by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder maxInboundMessageBytes(int bytes) {
    MethodLimits.checkBytes("maxInboundMessageBytes", bytes);
    callBounds = callBounds.withMaxInboundMessageBytes(bytes);
    return this;
  }

  /**
   * The longest response message sent, in bytes before compression; a longer one ends its call with
   * {@code RESOURCE_EXHAUSTED}. No limit by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder maxOutboundMessageBytes(int bytes) {
    MethodLimits.checkBytes("maxOutboundMessageBytes", bytes);
    callBounds = callBounds.withMaxOutboundMessageBytes(bytes);
    return this;
  }

  /**
   * The maximum duration of a call, independent of the client's deadline. A longer call, also a
   * streaming one, ends with {@code DEADLINE_EXCEEDED}, and its handler sees the earlier of both
   * deadlines. The client gets the status after all queued messages. If some still wait for the
   * client 10 s later, they are dropped and the status is sent at once; if a message was sent in
   * part, the call is reset instead. No limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxCallDuration(Duration duration) {
    MethodLimits.checkDuration("maxCallDuration", duration);
    callBounds = callBounds.withMaxCallNanos(TimeUnit.NANOSECONDS.convert(duration));
    return this;
  }

  /**
   * The maximum duration of a call whose client has set no deadline; it ends in the same way as
   * with {@link #maxCallDuration}, which applies as well. No limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder defaultCallDuration(Duration duration) {
    MethodLimits.checkDuration("defaultCallDuration", duration);
    callBounds = callBounds.withDefaultCallNanos(TimeUnit.NANOSECONDS.convert(duration));
    return this;
  }

  /**
   * Sets limits of a method, or of all methods of a service, that replace those of the server:
   * {@code methodLimits("shop.Images/Upload", it -> it.withMaxInboundMessageBytes(64 << 20))}.
   * Limits of a method have priority over those of its service. Several calls for one name are
   * combined.
   *
   * @param name {@code package.Service/Method}, or {@code package.Service} for all of its methods.
   *     {@link #start} rejects names that the server does not have. With a {@linkplain
   *     #addFallbackHandlerRegistry registry} it accepts those of services that were not added to
   *     this builder, because the registry may have them later; and further methods of added
   *     services that the registry has then
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public ServerBuilder methodLimits(String name, UnaryOperator<MethodLimits> change) {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(change, "change");
    MethodLimits before = limits.getOrDefault(name, MethodLimits.OF_SERVER);
    limits.put(name, Objects.requireNonNull(change.apply(before), "the changed limits"));
    return this;
  }

  /**
   * Like {@link #methodLimits(String, UnaryOperator)}, for one method.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public ServerBuilder methodLimits(
      MethodDescriptor<?, ?> method, UnaryOperator<MethodLimits> change) {
    return methodLimits(Objects.requireNonNull(method, "method").fullMethodName(), change);
  }

  /**
   * The maximum number of concurrent calls of one connection; 256 by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConcurrentCallsPerConnection(int calls) {
    checkPositive("maxConcurrentCallsPerConnection", calls);
    return transportLimits(limits -> limits.withMaxConcurrentCallsPerConnection(calls));
  }

  /**
   * The maximum size of a request header list, in bytes counted as HTTP/2 does; 8 KiB by default.
   *
   * @throws IllegalArgumentException if it is not positive, or over 16 MiB
   */
  public ServerBuilder maxInboundMetadataBytes(int bytes) {
    return transportLimits(limits -> limits.withMaxInboundMetadataBytes(bytes));
  }

  /**
   * The maximum number of open connections, including those in their handshake; an additional one
   * is closed before TLS. No limit by default.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnections(int connections) {
    maxConnections = checkPositive("maxConnections", connections);
    return this;
  }

  /**
   * The maximum number of open connections per IP address; an additional one is closed before TLS.
   * No limit by default; behind a proxy all clients have the same address.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnectionsPerAddress(int connections) {
    maxConnectionsPerAddress = checkPositive("maxConnectionsPerAddress", connections);
    return this;
  }

  /**
   * The time without received data after which a PING is sent to the client, with or without calls.
   * 2 h by default; at least 1 s. On Linux, keepalive also sets TCP_USER_TIMEOUT to {@link
   * #keepAliveTimeout}. {@code ChronoUnit.FOREVER.getDuration()} disables it.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder keepAliveTime(Duration time) {
    connections = connections.with(connections.keepalive().withTime(time, MIN_KEEP_ALIVE_TIME));
    return this;
  }

  /**
   * The time after such a PING within which something must arrive; otherwise the connection is
   * closed and its calls are cancelled. 20 s by default; at least 10 ms.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder keepAliveTimeout(Duration timeout) {
    connections = connections.with(connections.keepalive().withTimeout(timeout));
    return this;
  }

  /**
   * The minimum interval between a client's PINGs; 5 min by default, 0 for no limit. Two early
   * PINGs are tolerated, the third closes the connection ({@code ENHANCE_YOUR_CALM}, {@code
   * too_many_pings}); headers or data from the server reset the count.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder permitKeepAliveTime(Duration time) {
    connections = connections.with(connections.pings().withTime(time));
    return this;
  }

  /**
   * Whether that interval also applies to clients without calls. Not by default: they may send a
   * PING every two hours.
   */
  public ServerBuilder permitKeepAliveWithoutCalls(boolean permitted) {
    PingPermit.Idle idle = permitted ? PingPermit.Idle.AS_WITH_CALLS : PingPermit.Idle.TWO_HOURS;
    connections = connections.with(connections.pings().withIdle(idle));
    return this;
  }

  /**
   * How long a connection may be without calls before it is closed gracefully. No limit by default;
   * at least 1 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnectionIdle(Duration time) {
    connections = connections.with(connections.age().withMaxIdle(time));
    return this;
  }

  /**
   * The maximum age of a connection, with 10% of jitter. After that its client is asked to
   * reconnect (GOAWAY), and running calls have {@link #maxConnectionAgeGrace} to end. No limit by
   * default; at least 1 s.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ServerBuilder maxConnectionAge(Duration time) {
    connections = connections.with(connections.age().withMaxAge(time));
    return this;
  }

  /**
   * How long calls may continue after their connection has reached its maximum age; then they end
   * with {@code UNAVAILABLE}. No limit by default; 0 ends them at once.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder maxConnectionAgeGrace(Duration time) {
    connections = connections.with(connections.age().withGrace(time));
    return this;
  }

  /**
   * How long the server continues to accept connections and calls after {@link Server#shutdown}:
   * time for load balancers to learn that its health is {@code NOT_SERVING}. None by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder shutdownDelay(Duration delay) {
    shutdownDelay = checkNotNegative("shutdownDelay", delay);
    return this;
  }

  /**
   * How long {@link Server#close} waits for calls, after the {@linkplain #shutdownDelay delay}; the
   * remaining ones are cancelled then. 5 s by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ServerBuilder closeGrace(Duration grace) {
    closeGrace = checkNotNegative("closeGrace", grace);
    return this;
  }

  /**
   * Closes the server ({@link Server#close}) when the process is asked to terminate, for example by
   * SIGTERM or Ctrl-C; the process ends when it is closed. Not by default.
   */
  public ServerBuilder closeOnSigterm() {
    return observe(new SigtermHook());
  }

  private static Duration checkNotNegative(String name, Duration duration) {
    if (Objects.requireNonNull(duration, name).isNegative()) {
      throw new IllegalArgumentException(name + " cannot be negative: " + duration);
    }
    return duration;
  }

  private static int checkPositive(String name, int value) {
    if (value <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + value);
    }
    return value;
  }

  /**
   * The memory that the connections of this server may use, shared by all builders that get the
   * same object; one for the whole process by default.
   */
  public ServerBuilder memoryBudget(MemoryBudget budget) {
    connections = connections.with(Objects.requireNonNull(budget, "budget"));
    return this;
  }

  /**
   * Changes limits of connections, also those without an option in this builder: {@code
   * transportLimits(limits -> limits.withMaxFrameBytes(1 << 20))}.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public ServerBuilder transportLimits(UnaryOperator<TransportLimits> change) {
    connections = connections.withLimits(Objects.requireNonNull(change, "change"));
    return this;
  }

  /** Changes the options of sockets: {@code socketOptions(it -> it.withBacklog(128))}. */
  public ServerBuilder socketOptions(UnaryOperator<SocketOptions> change) {
    connections = connections.withSockets(Objects.requireNonNull(change, "change"));
    return this;
  }

  /** The threads that serve connections; the process's event loops by default. */
  public ServerBuilder eventLoops(EventLoops loops) {
    eventLoops = Optional.of(Objects.requireNonNull(loops, "loops"));
    return this;
  }

  /**
   * The budget for processor time that the connections cause beyond what is normal for their bytes,
   * shared by all builders that get the same object; one for the whole process by default.
   */
  public ServerBuilder workBudget(WorkBudget budget) {
    connections = connections.with(Objects.requireNonNull(budget, "budget"));
    return this;
  }

  /**
   * Adds a limit of concurrent calls by a key of the application's own, such as the peer or the
   * tenant. It sees the calls of all services; the one added first is asked first. All of them are
   * asked before the limits of {@link #methodLimits} and {@link #loadShedding}, which do not count
   * the calls that they refuse.
   */
  @Preview(until = "0.3")
  public ServerBuilder limitCalls(CallLimit limit) {
    ownLimits.add(Objects.requireNonNull(limit, "limit"));
    return this;
  }

  /**
   * Enables load shedding, which refuses calls that cannot be served in time: {@code
   * loadShedding(LoadShedding.adaptive())}. Off by default: all calls are served, however late.
   */
  @Preview(until = "0.3")
  public ServerBuilder loadShedding(LoadShedding shedding) {
    loadShedding = Optional.of(Objects.requireNonNull(shedding, "shedding"));
    return this;
  }

  /**
   * The transport for the server's connections; by default the one that {@code ServiceLoader}
   * finds.
   *
   * @throws IllegalArgumentException if it does not come from a transport module of this version
   */
  public ServerBuilder transport(Transport transport) {
    Objects.requireNonNull(transport, "transport");
    if (!(transport instanceof TransportProvider provider)) {
      throw new IllegalArgumentException(
          "the transport does not belong to a Gannet module of the same version as gannet-server;"
              + " use equal versions (gannet-bom): "
              + transport);
    }
    this.transport = Optional.of(provider);
    return this;
  }

  /**
   * Accepts gRPC alone. By default the server also accepts the protocols of other modules that
   * {@code ServiceLoader} finds; this release has no such module.
   */
  public ServerBuilder grpcOnly() {
    protocols = List::of;
    return this;
  }

  /**
   * Starts the server.
   *
   * @throws IOException if it cannot listen on the address, for example because the port is in use
   * @throws IllegalArgumentException if a method is added twice, {@link #methodLimits} names an
   *     unknown one, or the credentials cannot be used
   * @throws IllegalStateException if neither {@link #credentials} nor {@link #plaintext} was called
   *     and other machines can reach one of the addresses, if no transport is on the class path, or
   *     the event loops are closed
   */
  public Server start() throws IOException {
    if (credentials.isEmpty()) {
      PlaintextCheck.check(addresses());
    }
    ServerSettings settings =
        new ServerSettings(
            servedServices(),
            new ServerSettings.Interception(
                ofFallback.build(interceptors),
                List.copyOf(headersInterceptors),
                List.copyOf(ownLimits),
                List.copyOf(tracers),
                List.copyOf(filters),
                counting),
            new ServerSettings.Formats(
                MessageEncodings.of(compressors, decompressors), protocols.get()),
            connections(),
            new ServerSettings.Lifecycle(List.copyOf(observers), shutdownDelay, closeGrace));
    return Server.start(settings);
  }

  private List<SocketAddress> addresses() {
    List<SocketAddress> addresses = new ArrayList<>(List.of(address));
    addresses.addAll(furtherAddresses);
    return List.copyOf(addresses);
  }

  private ServerSettings.Services servedServices() {
    LimitsByMethod byMethod = new LimitsByMethod(Map.copyOf(limits));
    HandlerRegistries fallback = new HandlerRegistries(fallbacks);
    byMethod.checkNames(services, fallback);
    List<ServerServiceDefinition> intercepted =
        services.stream()
            .map(service -> ServerInterceptor.intercept(service, interceptors))
            .toList();
    return new ServerSettings.Services(
        intercepted, fallback, dispatch, callBounds, byMethod, loadShedding);
  }

  private ServerSettings.Connections connections() {
    TransportProvider found = transport.orElseGet(() -> TransportProvider.find(address));
    return new ServerSettings.Connections(
        addresses(),
        credentials.orElseGet(ServerCredentials::insecure),
        connections,
        new ConnectionCaps(maxConnections, maxConnectionsPerAddress),
        eventLoops.map(found::on).orElse(found));
  }
}
