package dev.gannet.client;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.HttpProxy;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.api.transport.Transport;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.api.transport.WorkBudget;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.credentials.CredentialHeaders;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.FixedEndpoints;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.settings.MessageSettings;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.client.settings.ServiceConfigSettings;
import dev.gannet.client.subchannel.ConnectionPool;
import dev.gannet.client.subchannel.ProxyConnector;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.KeepaliveOptions;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Configures and creates a channel. Not safe for concurrent use.
 *
 * <table class="striped">
 *   <caption>By subject</caption>
 *   <tr><th scope="row">where calls go</th><td>{@link #addNameResolver}, {@link #addresses}, {@link #endpoints}, {@link #loadBalancer}, {@link #roundRobin}, {@link #maxConnectionsPerSubchannel}, {@link #proxy}, {@link #noProxy}, {@link #overrideAuthority}</td></tr>
 *   <tr><th scope="row">security</th><td>{@link #credentials}, {@link #plaintext}</td></tr>
 *   <tr><th scope="row">what calls have in common</th><td>{@link #intercept}, {@link #add}, {@link #executor}, {@link #directExecutor}, {@link #userAgent}, {@link #compressorRegistry}, {@link #decompressorRegistry}</td></tr>
 *   <tr><th scope="row">observing</th><td>{@link #addTracer}, {@link #observe}</td></tr>
 *   <tr><th scope="row">service config and retries</th><td>{@link #defaultServiceConfig}, {@link #disableServiceConfigLookUp}, {@link #enableRetry}, {@link #disableRetry}, {@link #maxRetryAttempts}, {@link #maxHedgedAttempts}, {@link #retryBufferBytes}, {@link #retryBufferBytesPerCall}</td></tr>
 *   <tr><th scope="row">limits</th><td>{@link #maxInboundMessageBytes}, {@link #maxOutboundMessageBytes}, {@link #maxInboundMetadataBytes}, {@link #transportLimits}, {@link #memoryBudget}, {@link #workBudget}</td></tr>
 *   <tr><th scope="row">life of connections and of the channel</th><td>{@link #keepAliveTime}, {@link #keepAliveTimeout}, {@link #keepAliveWithoutCalls}, {@link #idleTimeout}, {@link #closeGrace}</td></tr>
 *   <tr><th scope="row">transport</th><td>{@link #transport}, {@link #eventLoops}, {@link #socketOptions}</td></tr>
 * </table>
 */
public final class ManagedChannelBuilder {
  private static final Duration MIN_KEEP_ALIVE_TIME = Duration.ofSeconds(10);
  private static final Duration MIN_IDLE = Duration.ofSeconds(1);

  /** Longer timeouts mean never, because nanoseconds overflow. */
  private static final Duration MAX_IDLE = Duration.ofDays(36_500);

  private static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("gannet-callback").start(task);

  private final Optional<HostPort> hostPort;
  private final Optional<SocketAddress> address;
  private final String targetText;
  private final List<NameResolverProvider> resolvers = new ArrayList<>();
  private final List<ClientInterceptor> interceptors = new ArrayList<>();
  private final List<ClientCallTracer.Factory> tracers = new ArrayList<>();
  private final List<ChannelObserver> observers = new ArrayList<>();
  private CompressorRegistry compressors = CompressorRegistry.DEFAULT;
  private DecompressorRegistry decompressors = DecompressorRegistry.DEFAULT;
  private String userAgent = "";
  private Optional<String> authority = Optional.empty();
  private Optional<ChannelCredentials> credentials = Optional.empty();
  private Executor executor = VIRTUAL_THREADS;
  private TransportSettings connections = TransportSettings.OF_CLIENTS;
  private OptionalInt maxInboundMessageBytes = OptionalInt.empty();
  private int maxOutboundMessageBytes = Integer.MAX_VALUE;
  private Optional<TransportProvider> transport = Optional.empty();
  private Optional<EventLoops> eventLoops = Optional.empty();
  private LoadBalancerProvider policy = LoadBalancerProvider.pickFirst();

  /** Finds the proxy for a host name and port. */
  private Function<HostPort, Optional<HttpProxy>> proxies = JvmProxy::to;

  /** The proxy for all connections of the channel. */
  private Optional<HttpProxy> proxy = Optional.empty();

  private ChannelSettings.Lifetime lifetime = ChannelSettings.Lifetime.DEFAULT;
  private int maxConnectionsPerSubchannel = 1;
  private ServiceConfigSettings serviceConfigs = ServiceConfigSettings.DEFAULT;

  /** Empty if a resolver provides them. */
  private List<Endpoint> endpoints = List.of();

  ManagedChannelBuilder(String target) {
    if (!Target.hasScheme(target)) {
      HostPort.parse(target, 0); // throws for an invalid target
    }
    this.hostPort = Optional.empty();
    this.address = Optional.empty();
    this.targetText = target;
  }

  ManagedChannelBuilder(SocketAddress target) {
    this.hostPort = Optional.empty();
    this.address = Optional.of(target);
    this.targetText = target.toString();
  }

  ManagedChannelBuilder(HostPort target) {
    this.hostPort = Optional.of(target);
    this.address = Optional.empty();
    this.targetText = target.toString();
  }

  /**
   * Adds a resolver for targets of the provider's scheme, instead of one that {@code ServiceLoader}
   * finds or that is built in. If several are added for a scheme, the last one is used. A proxy
   * that the JVM's settings name is used only if the provider {@linkplain
   * NameResolverProvider#leavesNamesToProxy leaves names to it}.
   *
   * @throws IllegalArgumentException if the provider's scheme is not one, or not in lower case
   */
  public ManagedChannelBuilder addNameResolver(NameResolverProvider provider) {
    Plugins.schemeOf(Objects.requireNonNull(provider, "provider"));
    resolvers.addFirst(provider);
    return this;
  }

  /**
   * Connects to these addresses, each a separate endpoint, instead of using a resolver. The target
   * is still the name of the servers: for {@code :authority}, and for their certificates. Replaces
   * {@link #endpoints}.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ManagedChannelBuilder addresses(List<? extends SocketAddress> addresses) {
    if (Objects.requireNonNull(addresses, "addresses").isEmpty()) {
      throw new IllegalArgumentException("a channel needs at least one address");
    }
    endpoints = addresses.stream().map(Endpoint::of).toList();
    return this;
  }

  /**
   * Like {@link #addresses}, for endpoints with several addresses, an authority of their own, or
   * attributes for the load-balancing policy, such as a zone. Replaces {@link #addresses}.
   *
   * @param endpoints copied
   * @throws IllegalArgumentException if there is none
   */
  public ManagedChannelBuilder endpoints(List<Endpoint> endpoints) {
    if (Objects.requireNonNull(endpoints, "endpoints").isEmpty()) {
      throw new IllegalArgumentException("a channel needs at least one endpoint");
    }
    this.endpoints = List.copyOf(endpoints);
    return this;
  }

  /**
   * Sets the load-balancing policy; {@code pick_first} by default. The policy of a service config
   * has priority.
   *
   * @throws IllegalArgumentException if it {@linkplain LoadBalancerProvider#needsConfig needs
   *     settings}, or cannot say its {@linkplain LoadBalancerProvider#policyName name}
   */
  public ManagedChannelBuilder loadBalancer(LoadBalancerProvider provider) {
    policy = Plugins.usable(Objects.requireNonNull(provider, "provider"));
    return this;
  }

  /**
   * Like {@link #loadBalancer(LoadBalancerProvider)}, for a policy that is only known by its name,
   * as from a configuration file: {@code pick_first}, {@code round_robin}, another built-in one, or
   * one that {@code ServiceLoader} finds.
   *
   * @throws IllegalArgumentException if there is none, or if it needs settings, as {@code
   *     outlier_detection_experimental} needs a child
   */
  public ManagedChannelBuilder loadBalancer(String policyName) {
    policy = Plugins.policy(Objects.requireNonNull(policyName, "policyName"));
    return this;
  }

  /**
   * Distributes calls over all endpoints of the target in turn; short for {@code
   * loadBalancer(LoadBalancerProvider.roundRobin())}.
   */
  public ManagedChannelBuilder roundRobin() {
    return loadBalancer(LoadBalancerProvider.roundRobin());
  }

  /** The encodings with which requests can be compressed; {@code gzip} by default. */
  public ManagedChannelBuilder compressorRegistry(CompressorRegistry registry) {
    compressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * The encodings of responses that can be read, which are offered to servers; {@code gzip} by
   * default.
   */
  public ManagedChannelBuilder decompressorRegistry(DecompressorRegistry registry) {
    decompressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * Connects through an HTTP proxy, for any target. If the target is {@code host:port} or {@code
   * dns:///host:port}, the proxy resolves the name, and this side does not, unless a {@linkplain
   * #addNameResolver resolver} of the application's own does not {@linkplain
   * NameResolverProvider#leavesNamesToProxy leave names to it}. So {@code dns} brings no service
   * config then. A target that names a DNS server is resolved by that one.
   *
   * <p>By default, channels to such targets use the proxy that the JVM is configured to use for
   * HTTPS when they are built: {@code https.proxyHost}, {@code https.proxyPort} and {@code
   * http.nonProxyHosts}, or the result of {@link java.net.ProxySelector#getDefault()}, with name
   * and password from {@link java.net.Authenticator#getDefault()}.
   */
  public ManagedChannelBuilder proxy(HttpProxy proxy) {
    this.proxy = Optional.of(Objects.requireNonNull(proxy, "proxy"));
    return this;
  }

  /** Connects without a proxy, and ignores the JVM's configuration. */
  public ManagedChannelBuilder noProxy() {
    proxy = Optional.empty();
    proxies = target -> Optional.empty();
    return this;
  }

  /** No TLS: for networks on which traffic cannot be intercepted. */
  public ManagedChannelBuilder plaintext() {
    return credentials(ChannelCredentials.insecure());
  }

  /**
   * How the server is authenticated; TLS with the JVM's trust store by default, except for
   * in-process servers, which use no TLS.
   */
  public ManagedChannelBuilder credentials(ChannelCredentials credentials) {
    this.credentials = Optional.of(Objects.requireNonNull(credentials, "credentials"));
    return this;
  }

  /**
   * Sets an {@code :authority} other than the target's; the server's certificate must contain it.
   *
   * @throws IllegalArgumentException if it is not {@code host} or {@code host:port}
   */
  public ManagedChannelBuilder overrideAuthority(String authority) {
    this.authority = CallOptions.DEFAULT.withAuthority(authority).authority();
    return this;
  }

  /**
   * Adds an interceptor for all calls; the first one added is the outermost and sees calls first.
   */
  public ManagedChannelBuilder intercept(ClientInterceptor interceptor) {
    interceptors.add(Objects.requireNonNull(interceptor, "interceptor"));
    return this;
  }

  /**
   * Adds the name of the application to {@code user-agent}, before the library's own name: {@code
   * app/1.0 grpc-java-gannet/...}. Nothing by default.
   *
   * @param products names with optional versions, and comments in parentheses, separated by spaces
   *     (RFC 9110 §10.1.5): {@code app/1.0 (batch) lib/2}
   * @throws IllegalArgumentException if it is something else, or empty
   */
  public ManagedChannelBuilder userAgent(String products) {
    userAgent = UserAgent.checked(Objects.requireNonNull(products, "products"));
    return this;
  }

  /**
   * Adds a tracer factory: each call that starts on the channel gets a tracer, which sees its final
   * status and each of its attempts. Several factories may be added; each sees all calls.
   */
  public ManagedChannelBuilder addTracer(ClientCallTracer.Factory tracers) {
    this.tracers.add(Objects.requireNonNull(tracers, "tracers"));
    return this;
  }

  /**
   * Adds an observer for the beginning and the end of the channel; observers are notified in the
   * order in which they were added.
   */
  public ManagedChannelBuilder observe(ChannelObserver observer) {
    observers.add(Objects.requireNonNull(observer, "observer"));
    return this;
  }

  /** Adds what an extension consists of, such as interceptors, tracers and observers. */
  public ManagedChannelBuilder add(ChannelExtension extension) {
    Objects.requireNonNull(extension, "extension").addTo(this);
    return this;
  }

  /**
   * The executor that runs listeners of calls without their own executor; virtual threads by
   * default. Blocking clients do not use it: their events run on the waiting thread.
   */
  public ManagedChannelBuilder executor(Executor executor) {
    this.executor = Objects.requireNonNull(executor, "executor");
    return this;
  }

  /** Runs listeners on the event loop: without a thread change, but they must never block. */
  public ManagedChannelBuilder directExecutor() {
    return executor(Runnable::run);
  }

  /**
   * The maximum size of a response message, in bytes after decompression; 4 MiB by default. A
   * service config may set a smaller one, and a larger one if neither this nor the call sets any.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder maxInboundMessageBytes(int bytes) {
    maxInboundMessageBytes = OptionalInt.of(checkNotNegative("maxInboundMessageBytes", bytes));
    return this;
  }

  /**
   * The longest request message sent, in bytes before compression; a longer one ends its call with
   * {@code RESOURCE_EXHAUSTED}. {@link CallOptions#withMaxOutboundMessageBytes} overrides it for a
   * call. No limit by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder maxOutboundMessageBytes(int bytes) {
    maxOutboundMessageBytes = checkNotNegative("maxOutboundMessageBytes", bytes);
    return this;
  }

  private static int checkNotNegative(String name, int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(name + " cannot be negative: " + bytes);
    }
    return bytes;
  }

  /**
   * The maximum size of a response header list, in bytes counted as HTTP/2 does; 8 KiB by default.
   *
   * @throws IllegalArgumentException if it is not positive, or over 16 MiB
   */
  public ManagedChannelBuilder maxInboundMetadataBytes(int bytes) {
    return transportLimits(limits -> limits.withMaxInboundMetadataBytes(bytes));
  }

  /**
   * Changes limits of connections, also those without an option in this builder: {@code
   * transportLimits(limits -> limits.withMaxFrameBytes(1 << 20))}.
   *
   * @throws IllegalArgumentException if a limit is outside its range
   */
  public ManagedChannelBuilder transportLimits(UnaryOperator<TransportLimits> change) {
    Objects.requireNonNull(change, "change");
    connections = connections.withLimits(change);
    return this;
  }

  /** Changes the options of sockets: {@code socketOptions(it -> it.withBacklog(128))}. */
  public ManagedChannelBuilder socketOptions(UnaryOperator<SocketOptions> change) {
    Objects.requireNonNull(change, "change");
    connections = connections.withSockets(change);
    return this;
  }

  /** The threads that serve connections; the process's event loops by default. */
  public ManagedChannelBuilder eventLoops(EventLoops loops) {
    eventLoops = Optional.of(Objects.requireNonNull(loops, "loops"));
    return this;
  }

  /**
   * The budget for processor time that the connections cause beyond what is normal for their bytes,
   * shared by all builders that get the same object; one for the whole process by default.
   */
  public ManagedChannelBuilder workBudget(WorkBudget budget) {
    connections = connections.with(Objects.requireNonNull(budget, "budget"));
    return this;
  }

  /**
   * The memory that the connections of this channel may use, shared by all builders that get the
   * same object; one for the whole process by default.
   */
  public ManagedChannelBuilder memoryBudget(MemoryBudget budget) {
    connections = connections.with(Objects.requireNonNull(budget, "budget"));
    return this;
  }

  /**
   * The time without received data, on a connection with calls, after which a PING is sent to the
   * server. Off by default; at least 10 s, shorter times are raised to 10 s. Most servers allow a
   * PING every five minutes and close connections with more; then this time is doubled for later
   * connections. On Linux, keepalive also sets TCP_USER_TIMEOUT to {@link #keepAliveTimeout}.
   * {@code ChronoUnit.FOREVER.getDuration()} disables it.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder keepAliveTime(Duration time) {
    connections = connections.with(connections.keepalive().withTime(time, MIN_KEEP_ALIVE_TIME));
    return this;
  }

  /**
   * The time after such a PING within which something must arrive; otherwise the connection is
   * closed and its calls end with {@code UNAVAILABLE}. 20 s by default; at least 10 ms.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder keepAliveTimeout(Duration timeout) {
    connections = connections.with(connections.keepalive().withTimeout(timeout));
    return this;
  }

  /**
   * Whether PINGs are also sent on connections without calls; not by default. Servers must permit
   * it: many only accept such PINGs every two hours.
   */
  public ManagedChannelBuilder keepAliveWithoutCalls(boolean enabled) {
    KeepaliveOptions.Idle idle =
        enabled ? KeepaliveOptions.Idle.ASKED : KeepaliveOptions.Idle.LEFT_ALONE;
    connections = connections.with(connections.keepalive().withIdle(idle));
    return this;
  }

  /**
   * The time without calls after which the channel closes its connections, plus up to 10%; the next
   * call connects again. 30 minutes by default; less than a second is raised to a second. {@code
   * ChronoUnit.FOREVER.getDuration()} disables it.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder idleTimeout(Duration timeout) {
    if (!Objects.requireNonNull(timeout, "timeout").isPositive()) {
      throw new IllegalArgumentException("idleTimeout must be positive: " + timeout);
    }
    Duration rounded = timeout.compareTo(MIN_IDLE) < 0 ? MIN_IDLE : timeout;
    lifetime = lifetime.withIdleTimeout(rounded.compareTo(MAX_IDLE) > 0 ? Duration.ZERO : rounded);
    return this;
  }

  /**
   * How long {@link ManagedChannel#close} waits for calls; the remaining ones are cancelled then. 5
   * s by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder closeGrace(Duration grace) {
    if (Objects.requireNonNull(grace, "grace").isNegative()) {
      throw new IllegalArgumentException("closeGrace cannot be negative: " + grace);
    }
    lifetime = lifetime.withCloseGrace(grace);
    return this;
  }

  /**
   * The maximum number of connections to one address (gRFC A105). Another one is made when calls
   * wait because all connections have reached the server's limit (SETTINGS_MAX_CONCURRENT_STREAMS;
   * in process, its {@code maxConcurrentCallsPerConnection} if that is set); it stays open like the
   * others. 1 by default: then calls wait for a free stream. More than 10 is reduced to 10. The
   * number of a service config overrides it.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder maxConnectionsPerSubchannel(int connections) {
    if (connections <= 0) {
      throw new IllegalArgumentException(
          "maxConnectionsPerSubchannel must be positive: " + connections);
    }
    maxConnectionsPerSubchannel = Math.min(connections, ConnectionPool.MAX_CONNECTIONS);
    return this;
  }

  /**
   * The service config that is used if the resolver provides none: timeouts, limits, retries and
   * load balancing by method. None by default.
   */
  public ManagedChannelBuilder defaultServiceConfig(ServiceConfig config) {
    serviceConfigs = serviceConfigs.withDefault(Objects.requireNonNull(config, "config"));
    return this;
  }

  /** Ignores service configs of the resolver. */
  public ManagedChannelBuilder disableServiceConfigLookUp() {
    serviceConfigs = serviceConfigs.withoutLookUp();
    return this;
  }

  /**
   * Enables retries and hedging as defined in the service config; the default. Calls of methods
   * without a policy there have one attempt, plus transparent retries (gRFC A6).
   */
  public ManagedChannelBuilder enableRetry() {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().with(RetrySettings.Mode.ENABLED));
    return this;
  }

  /** Disables retries and hedging of the service config. Transparent retries are still made. */
  public ManagedChannelBuilder disableRetry() {
    serviceConfigs =
        serviceConfigs.with(serviceConfigs.retries().with(RetrySettings.Mode.DISABLED));
    return this;
  }

  /**
   * The maximum number of attempts of a call, including the first one, if a retry policy allows
   * more; 5 by default.
   *
   * @throws IllegalArgumentException if it is not 2 to 100
   */
  public ManagedChannelBuilder maxRetryAttempts(int attempts) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withMaxAttempts(attempts));
    return this;
  }

  /**
   * The maximum number of attempts of a hedged call; 5 by default.
   *
   * @throws IllegalArgumentException if it is not 2 to 100
   */
  public ManagedChannelBuilder maxHedgedAttempts(int attempts) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withMaxHedgedAttempts(attempts));
    return this;
  }

  /**
   * The maximum size of the requests that all calls with a retry or hedging policy keep together,
   * in bytes before compression, plus 64 for each message; 16 MiB by default. The first KiB of each
   * call is not counted here, as it is less than the call itself takes. A call whose request does
   * not fit continues with its current attempt, and is not retried. If no attempt is running,
   * because the next one waits for its backoff, that one is the last, and the call fails with
   * {@code RESOURCE_EXHAUSTED} if more than one message and more than 64 KiB beyond the limit are
   * sent although it is not ready.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder retryBufferBytes(long bytes) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withChannelBytes(bytes));
    return this;
  }

  /**
   * The maximum size of the requests that one call with a retry or hedging policy keeps, counted as
   * for {@link #retryBufferBytes}; 1 MiB by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder retryBufferBytesPerCall(long bytes) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withCallBytes(bytes));
    return this;
  }

  /**
   * The transport for the channel's connections; by default the one that {@code ServiceLoader}
   * finds.
   *
   * @throws IllegalArgumentException if it does not come from a transport module of this version
   */
  public ManagedChannelBuilder transport(Transport transport) {
    Objects.requireNonNull(transport, "transport");
    if (!(transport instanceof TransportProvider provider)) {
      throw new IllegalArgumentException(
          "the transport does not belong to a Gannet module of the same version as gannet-client;"
              + " use equal versions (gannet-bom): "
              + transport);
    }
    this.transport = Optional.of(provider);
    return this;
  }

  /**
   * Creates the channel. It connects when the first call is made.
   *
   * @throws IllegalStateException if no transport is on the class path, or the event loops are
   *     closed
   * @throws IllegalArgumentException if the target is invalid, the credentials cannot be used, the
   *     authority has no host that a certificate could contain, the proxy that the JVM is
   *     configured to use is invalid, or call credentials would be sent over plaintext
   * @throws RuntimeException if an observer throws it
   */
  public ManagedChannel build() { // without lambdas, which would delay the first call
    TransportProvider found = transport.isPresent() ? transport.get() : findTransport();
    TransportProvider provider = eventLoops.isPresent() ? found.on(eventLoops.get()) : found;
    ChannelCredentials given =
        credentials.isPresent() ? credentials.get() : provider.defaultCredentials();
    Optional<CallCredentials> ofCalls = callCredentials(given);
    ChannelCredentials chosen = withoutCalls(given);
    SecurityLevel level = provider.securityLevel(chosen);
    if (ofCalls.isPresent()) {
      checkSecurity(ofCalls.get(), level);
    }
    Plugins.ResolvedTarget target = target();
    String named = authority.isPresent() ? authority.get() : target.authority();
    Optional<HttpProxy> via = proxyTo(target);
    ChannelSettings.Security security = security(ofCalls, level, chosen);
    security.serverName(named); // throws if no certificate could contain it
    TransportProvider.Connector direct = provider.connector(chosen);
    ChannelSettings settings =
        new ChannelSettings(
            ChannelSettings.Naming.of(target.target(), named, resolvers(target, via)),
            new ChannelSettings.Calls(executor, messages(), List.copyOf(tracers)),
            security,
            new ChannelSettings.Connections(
                via.isPresent()
                    ? new ProxyConnector(via.get(), direct, provider.scheduler())
                    : direct,
                connections,
                userAgent,
                provider.scheduler()),
            new ChannelSettings.Policies(policy, maxConnectionsPerSubchannel, serviceConfigs),
            lifetime);
    return new ManagedChannel(settings, interceptors, new ChannelObservers(observers));
  }

  private TransportProvider findTransport() {
    return address.isPresent() ? TransportProvider.find(address.get()) : TransportProvider.find();
  }

  private MessageSettings messages() {
    return new MessageSettings(
        maxInboundMessageBytes,
        maxOutboundMessageBytes,
        MessageEncodings.of(compressors, decompressors));
  }

  /** The host and port in the target, if it has any and a proxy may look them up. */
  private Optional<HostPort> named(Plugins.ResolvedTarget target) {
    return address.isEmpty()
            && target.target().scheme().equals(Target.DNS)
            && target.target().authority().isEmpty() // otherwise that server knows the name
            && target.resolvers().leavesNamesToProxy()
        ? Optional.of(HostPort.parse(target.target().endpoint(), Target.DEFAULT_PORT))
        : Optional.empty();
  }

  private Optional<HttpProxy> proxyTo(Plugins.ResolvedTarget target) {
    return proxy.isPresent() || !endpoints.isEmpty() ? proxy : named(target).flatMap(proxies);
  }

  /** With a proxy, names are not resolved here. */
  private NameResolverProvider resolvers(Plugins.ResolvedTarget target, Optional<HttpProxy> via) {
    if (!endpoints.isEmpty()) {
      return FixedEndpoints.of(endpoints, target.resolvers());
    }
    Optional<HostPort> named = via.isPresent() ? named(target) : Optional.empty();
    if (named.isEmpty()) {
      return target.resolvers();
    }
    InetSocketAddress unresolved =
        InetSocketAddress.createUnresolved(named.get().host(), named.get().port());
    return FixedEndpoints.of(List.of(Endpoint.of(unresolved)), target.resolvers());
  }

  private static Optional<CallCredentials> callCredentials(ChannelCredentials given) {
    return given instanceof ChannelCredentials.Composite both
        ? Optional.of(both.callCredentials())
        : Optional.empty();
  }

  private static ChannelCredentials withoutCalls(ChannelCredentials given) {
    return given instanceof ChannelCredentials.Composite both ? both.channelCredentials() : given;
  }

  /** Every call would fail, so the channel does. */
  private static void checkSecurity(CallCredentials ofCalls, SecurityLevel level) {
    if (level.compareTo(ofCalls.requiredSecurity()) < 0) {
      throw new IllegalArgumentException(
          "the channel's call credentials ("
              + CredentialHeaders.nameOf(ofCalls)
              + ") are not sent over plaintext: use TLS, or CallCredentials.overPlaintext()");
    }
  }

  private Plugins.ResolvedTarget target() {
    if (address.isPresent()) {
      return Plugins.targetOf(address.get());
    }
    return hostPort.isPresent()
        ? Plugins.targetOf(hostPort.get(), resolvers)
        : Plugins.targetOf(targetText, resolvers);
  }

  private static ChannelSettings.Security security(
      Optional<CallCredentials> ofCalls, SecurityLevel level, ChannelCredentials chosen) {
    boolean namesProved =
        !(chosen instanceof ChannelCredentials.Insecure) && level != SecurityLevel.NONE;
    return new ChannelSettings.Security(ofCalls, level, namesProved);
  }
}
