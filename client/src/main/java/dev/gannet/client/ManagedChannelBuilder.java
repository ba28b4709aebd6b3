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
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.FixedEndpoints;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Target;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.KeepAlive;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.TransportSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What a channel will be. Not for several threads at once. */
public final class ManagedChannelBuilder {
  private static final int DEFAULT_MAX_INBOUND_MESSAGE_BYTES = 4 << 20;
  private static final Duration SHORTEST_KEEP_ALIVE_TIME = Duration.ofSeconds(10);
  private static final Duration SHORTEST_IDLE = Duration.ofSeconds(1);

  /** What is longer is never: a clock of nanoseconds ends. */
  private static final Duration LONGEST_IDLE = Duration.ofDays(36_500);

  private static final Executor VIRTUAL_THREADS =
      task -> Thread.ofVirtual().name("gannet-callback").start(task);

  private final Optional<HostPort> hostPort;
  private final Optional<SocketAddress> address;
  private final String targetText;
  private final List<NameResolverProvider> resolvers = new ArrayList<>();
  private final List<ClientInterceptor> interceptors = new ArrayList<>();
  private final List<ClientCallTracer.Factory> tracers = new ArrayList<>();
  private CompressorRegistry compressors = CompressorRegistry.DEFAULT;
  private DecompressorRegistry decompressors = DecompressorRegistry.DEFAULT;
  private String userAgent = "";
  private Optional<String> authority = Optional.empty();
  private Optional<ChannelCredentials> credentials = Optional.empty();
  private Executor executor = VIRTUAL_THREADS;
  private TransportSettings connections = TransportSettings.OF_CLIENTS;
  private int maxInboundMessageBytes = DEFAULT_MAX_INBOUND_MESSAGE_BYTES;
  private Optional<TransportProvider> transport = Optional.empty();
  private Optional<EventLoops> eventLoops = Optional.empty();
  private LoadBalancerProvider policy = LoadBalancerProvider.pickFirst();

  /** How to find the proxy on the way to a port of a host that is named. */
  private Function<HostPort, Optional<HttpProxy>> proxies = JvmProxy::to;

  /** The proxy for whatever the channel connects to. */
  private Optional<HttpProxy> proxy = Optional.empty();

  private Duration idleTimeout = Duration.ofMinutes(30);
  private int maxConnectionsPerSubchannel = 1;
  private ServiceConfigSettings serviceConfigs = ServiceConfigSettings.DEFAULT;

  /** Empty if a resolver finds them. */
  private List<Endpoint> endpoints = List.of();

  ManagedChannelBuilder(String target) {
    if (!Target.hasScheme(target)) {
      HostPort.parse(target, 0); // throws what it can throw already
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
   * Resolves targets of that provider's scheme, instead of a resolver that {@code ServiceLoader}
   * finds or that is built in. The last one given for a scheme counts.
   */
  public ManagedChannelBuilder nameResolver(NameResolverProvider provider) {
    resolvers.addFirst(provider);
    return this;
  }

  /**
   * Connects to these addresses, each an endpoint of its own, instead of asking a resolver. The
   * target still names the servers: {@code :authority}, and what their certificates must say.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ManagedChannelBuilder addresses(List<? extends SocketAddress> addresses) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a channel needs one address at least");
    }
    endpoints = addresses.stream().map(Endpoint::of).toList();
    return this;
  }

  /** Which connection each call uses is decided by that policy; {@code pick_first} by default. */
  public ManagedChannelBuilder loadBalancer(LoadBalancerProvider provider) {
    policy = provider;
    return this;
  }

  /**
   * Which connection each call uses is decided by the policy of that name: {@code pick_first},
   * {@code round_robin}, another that is built in, or one that {@code ServiceLoader} finds. {@link
   * #loadBalancer} takes policies with settings.
   *
   * @throws IllegalArgumentException if there is none
   */
  public ManagedChannelBuilder defaultLoadBalancingPolicy(String policyName) {
    policy = Plugins.policy(policyName);
    return this;
  }

  /** What requests may be compressed with; {@code gzip} by default. */
  public ManagedChannelBuilder compressorRegistry(CompressorRegistry registry) {
    compressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /** Which compressed responses are read, and offered to servers; {@code gzip} by default. */
  public ManagedChannelBuilder decompressorRegistry(DecompressorRegistry registry) {
    decompressors = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /** Calls go to all endpoints of the target in turn. */
  public ManagedChannelBuilder roundRobin() {
    return loadBalancer(LoadBalancerProvider.roundRobin());
  }

  /**
   * Connects through that HTTP proxy, whatever the target is. Where it is {@code host:port} or
   * {@code dns:///host:port}, the proxy looks the name up, and this side does not.
   *
   * <p>By default, channels to such targets use the proxy that the JVM is told to use for HTTPS
   * when they are built: {@code https.proxyHost}, {@code https.proxyPort} and {@code
   * http.nonProxyHosts}, or what {@link java.net.ProxySelector#getDefault()} says, with name and
   * password of {@link java.net.Authenticator#getDefault()}.
   */
  public ManagedChannelBuilder proxy(HttpProxy proxy) {
    this.proxy = Optional.of(proxy);
    return this;
  }

  /** Connects without a proxy, whatever the JVM is told. */
  public ManagedChannelBuilder noProxy() {
    proxy = Optional.empty();
    proxies = target -> Optional.empty();
    return this;
  }

  /** No TLS: for networks where nobody listens in. */
  public ManagedChannelBuilder plaintext() {
    return credentials(ChannelCredentials.insecure());
  }

  /**
   * How to make sure of the server; TLS with the JVM's trust store by default, except for servers
   * within this process, which no TLS leads to.
   */
  public ManagedChannelBuilder credentials(ChannelCredentials credentials) {
    this.credentials = Optional.of(credentials);
    return this;
  }

  /**
   * Another {@code :authority} than the target's; the server's certificate must name it.
   *
   * @throws IllegalArgumentException if it is not {@code host} or {@code host:port}
   */
  public ManagedChannelBuilder overrideAuthority(String authority) {
    this.authority = CallOptions.DEFAULT.withAuthority(authority).authority();
    return this;
  }

  /**
   * Puts an interceptor around all calls; the one added first is the outermost and sees calls
   * first.
   */
  public ManagedChannelBuilder intercept(ClientInterceptor interceptor) {
    interceptors.add(interceptor);
    return this;
  }

  /**
   * What the application says of itself in {@code user-agent}; it stands before the library's own
   * name: {@code app/1.0 grpc-java-gannet/...}. Nothing by default.
   *
   * @param products names with or without versions, and comments in parentheses, with a space
   *     between them (RFC 9110 §10.1.5): {@code app/1.0 (batch) lib/2}
   * @throws IllegalArgumentException if it is something else, or empty
   */
  public ManagedChannelBuilder userAgent(String products) {
    userAgent = UserAgent.checked(products);
    return this;
  }

  /**
   * Has every call that starts on the channel seen by a tracer of that maker, with its final status
   * and each of its attempts. Several may be added; each sees all calls.
   */
  public ManagedChannelBuilder tracer(ClientCallTracer.Factory tracers) {
    this.tracers.add(Objects.requireNonNull(tracers, "tracers"));
    return this;
  }

  /**
   * Where listeners of calls run that name no executor themselves; virtual threads by default.
   * Blocking clients need none: their events run on the thread that waits.
   */
  public ManagedChannelBuilder executor(Executor executor) {
    this.executor = executor;
    return this;
  }

  /** Listeners run on the event loop: no hand-over, but they must never block. */
  public ManagedChannelBuilder directExecutor() {
    return executor(Runnable::run);
  }

  /**
   * The longest response message taken, in bytes after decompression; 4 MiB by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder maxInboundMessageBytes(int bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("maxInboundMessageBytes cannot be negative: " + bytes);
    }
    maxInboundMessageBytes = bytes;
    return this;
  }

  /**
   * The largest response header list taken, in bytes counted as HTTP/2 does; 8 KiB by default.
   *
   * @throws IllegalArgumentException if it is not positive, or over 16 MiB
   */
  public ManagedChannelBuilder maxInboundMetadataBytes(int bytes) {
    return transportLimits(limits -> limits.withMaxInboundMetadataBytes(bytes));
  }

  /**
   * Changes the limits of connections that have no option of their own here: {@code
   * transportLimits(limits -> limits.withMaxFrameBytes(1 << 20))}.
   *
   * @throws IllegalArgumentException if a limit lies outside its range
   */
  public ManagedChannelBuilder transportLimits(UnaryOperator<TransportLimits> change) {
    connections = connections.withLimits(change);
    return this;
  }

  /** Changes the options of sockets: {@code socketOptions(it -> it.withBacklog(128))}. */
  public ManagedChannelBuilder socketOptions(UnaryOperator<SocketOptions> change) {
    connections = connections.withSockets(change);
    return this;
  }

  /** The threads that serve connections; those of the process by default. */
  public ManagedChannelBuilder eventLoops(EventLoops loops) {
    eventLoops = Optional.of(loops);
    return this;
  }

  /**
   * How much work the connections may ask for together, with all others that are given the same
   * budget, beyond what the bytes that they send pay for; one for the whole process by default.
   */
  public ManagedChannelBuilder workBudget(WorkBudget budget) {
    connections = connections.with(budget);
    return this;
  }

  /**
   * What the connections of this channel may hold together, with all others that are given the same
   * budget; one for the whole process by default.
   */
  public ManagedChannelBuilder memoryBudget(MemoryBudget budget) {
    connections = connections.with(budget);
    return this;
  }

  /**
   * How much data may be under way on one call, and on one connection, in bytes; four times the
   * latter may wait for readers. These windows do not grow; by default both begin with 1 MiB and
   * grow to 8 MiB where the way is long and broad.
   *
   * @throws IllegalArgumentException if the first is not positive or the second is below 65,535
   */
  public ManagedChannelBuilder windows(int callBytes, int connectionBytes) {
    return transportLimits(limits -> limits.withWindows(callBytes, connectionBytes));
  }

  /**
   * How long nothing may arrive on a connection with calls before the server is asked for a sign of
   * life by PING. Off by default; at least 10 s, shorter times are taken as 10 s. Most servers
   * allow a PING every five minutes and cut off those who ask more often; then this time is doubled
   * for the connections that follow. On Linux, keepalive also sets TCP_USER_TIMEOUT to {@link
   * #keepAliveTimeout}. {@code ChronoUnit.FOREVER.getDuration()} turns it off again.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder keepAliveTime(Duration time) {
    connections =
        connections.with(connections.keepAlive().withTime(time, SHORTEST_KEEP_ALIVE_TIME));
    return this;
  }

  /**
   * How long after such a PING something must arrive; if nothing does, the connection is closed and
   * its calls end with {@code UNAVAILABLE}. 20 s by default; at least 10 ms.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder keepAliveTimeout(Duration timeout) {
    connections = connections.with(connections.keepAlive().withTimeout(timeout));
    return this;
  }

  /**
   * Whether to ask on connections without calls too; not by default. Servers must permit it: many
   * take such PINGs every two hours only.
   */
  public ManagedChannelBuilder keepAliveWithoutCalls(boolean enabled) {
    KeepAlive.Idle idle = enabled ? KeepAlive.Idle.ASKED : KeepAlive.Idle.LEFT_ALONE;
    connections = connections.with(connections.keepAlive().withIdle(idle));
    return this;
  }

  /**
   * After so long without calls the channel lets its connections go, and up to a tenth of it later;
   * the next call makes one. 30 minutes by default; times below a second are taken as a second.
   * {@code ChronoUnit.FOREVER.getDuration()} turns it off.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder idleTimeout(Duration timeout) {
    if (!timeout.isPositive()) {
      throw new IllegalArgumentException("idleTimeout must be positive: " + timeout);
    }
    Duration rounded = timeout.compareTo(SHORTEST_IDLE) < 0 ? SHORTEST_IDLE : timeout;
    idleTimeout = rounded.compareTo(LONGEST_IDLE) > 0 ? Duration.ZERO : rounded;
    return this;
  }

  /**
   * How many connections may carry calls to one address at a time (gRFC A105). Another one is made
   * when calls wait because all others carry as many as their server takes
   * (SETTINGS_MAX_CONCURRENT_STREAMS); it stays as long as the others. 1 by default: then calls
   * wait for a free stream of the only one. More than 10 are taken as 10. A service config that
   * names a number counts instead.
   *
   * @throws IllegalArgumentException if it is not positive
   */
  public ManagedChannelBuilder maxConnectionsPerSubchannel(int connections) {
    if (connections <= 0) {
      throw new IllegalArgumentException(
          "maxConnectionsPerSubchannel must be positive: " + connections);
    }
    maxConnectionsPerSubchannel = Math.min(connections, ConnectionPool.MOST_CONNECTIONS);
    return this;
  }

  /**
   * The service config that counts as long as the resolver brings none: timeouts, limits, retries
   * and load balancing by method. None by default.
   */
  public ManagedChannelBuilder defaultServiceConfig(ServiceConfig config) {
    serviceConfigs = serviceConfigs.withDefault(config);
    return this;
  }

  /** Ignores service configs that the resolver brings. */
  public ManagedChannelBuilder disableServiceConfigLookUp() {
    serviceConfigs = serviceConfigs.withoutLookUp();
    return this;
  }

  /**
   * Retries and hedges as the service config says; so by default. Calls of methods that have no
   * policy there have one attempt, and transparent retries (gRFC A6).
   */
  public ManagedChannelBuilder enableRetry() {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().with(RetrySettings.Mode.ENABLED));
    return this;
  }

  /** Neither retries nor hedges, whatever the service config says. Transparent retries go on. */
  public ManagedChannelBuilder disableRetry() {
    serviceConfigs =
        serviceConfigs.with(serviceConfigs.retries().with(RetrySettings.Mode.DISABLED));
    return this;
  }

  /**
   * How many attempts a call has at most, the first one included, where a policy allows more; 5 by
   * default.
   *
   * @throws IllegalArgumentException if it is not 2 to 100
   */
  public ManagedChannelBuilder maxRetryAttempts(int attempts) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withMaxAttempts(attempts));
    return this;
  }

  /**
   * Likewise for calls that are hedged; 5 by default.
   *
   * @throws IllegalArgumentException if it is not 2 to 100
   */
  public ManagedChannelBuilder maxHedgedAttempts(int attempts) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withMaxHedgedAttempts(attempts));
    return this;
  }

  /**
   * How much of their requests all calls with a retry or hedging policy keep together, in bytes
   * before compression and 64 more for each message; 16 MiB by default. A call whose request does
   * not fit goes on with the attempt that it has, and is not tried again.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder retryBufferSize(long bytes) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withChannelBytes(bytes));
    return this;
  }

  /**
   * Likewise of one call; 1 MiB by default.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public ManagedChannelBuilder perRpcBufferLimit(long bytes) {
    serviceConfigs = serviceConfigs.with(serviceConfigs.retries().withCallBytes(bytes));
    return this;
  }

  /**
   * Makes the channel's connections; what {@code ServiceLoader} finds by default.
   *
   * @throws IllegalArgumentException if it does not come from a transport module of this version
   */
  public ManagedChannelBuilder transport(Transport transport) {
    if (!(transport instanceof TransportProvider provider)) {
      throw new IllegalArgumentException("no transport that this version knows: " + transport);
    }
    this.transport = Optional.of(provider);
    return this;
  }

  /**
   * The channel. It connects when the first call is made.
   *
   * @throws IllegalStateException if no transport is on the class path, or the event loops are
   *     closed
   * @throws IllegalArgumentException if the target cannot be understood, the credentials cannot be
   *     used, the authority has no host that a certificate could name, or call credentials would be
   *     sent in the clear
   */
  public ManagedChannel build() {
    TransportProvider found =
        transport.orElseGet(
            () -> address.map(TransportProvider::find).orElseGet(TransportProvider::find));
    TransportProvider provider = eventLoops.map(found::on).orElse(found);
    ChannelCredentials given = credentials.orElseGet(provider::defaultCredentials);
    Optional<CallCredentials> ofCalls = callCredentials(given);
    ChannelCredentials chosen = withoutCalls(given);
    SecurityLevel level = provider.securityLevel(chosen);
    ofCalls.ifPresent(it -> checkSecurity(it, level));
    Plugins.ResolvedTarget target = target();
    String named = authority.orElseGet(target::authority);
    Optional<HttpProxy> via = proxyTo(target);
    TransportProvider.Connector direct = provider.connector(chosen, serverName(chosen, named));
    ChannelSettings settings =
        new ChannelSettings(
            target.target(),
            named,
            resolvers(target, via),
            policy,
            via.isPresent() ? new ProxyConnector(via.get(), direct, provider) : direct,
            executor,
            connections,
            maxInboundMessageBytes,
            provider,
            List.copyOf(tracers),
            userAgent,
            idleTimeout,
            ofCalls,
            level,
            maxConnectionsPerSubchannel,
            MessageEncodings.of(compressors, decompressors),
            serviceConfigs);
    return new ManagedChannel(settings, interceptors);
  }

  /** The host and port that the target names, where it names one. */
  private Optional<HostPort> named(Plugins.ResolvedTarget target) {
    return address.isEmpty() && target.target().scheme().equals(Target.DNS)
        ? Optional.of(HostPort.parse(target.target().endpoint(), Target.DEFAULT_PORT))
        : Optional.empty();
  }

  private Optional<HttpProxy> proxyTo(Plugins.ResolvedTarget target) {
    return proxy.isPresent() || !endpoints.isEmpty() ? proxy : named(target).flatMap(proxies);
  }

  /** A proxy resolves names itself. */
  private NameResolverProvider resolvers(Plugins.ResolvedTarget target, Optional<HttpProxy> via) {
    if (!endpoints.isEmpty()) {
      return new FixedEndpoints(endpoints, target.resolvers());
    }
    Optional<HostPort> named = via.flatMap(it -> named(target));
    if (named.isEmpty()) {
      return target.resolvers();
    }
    InetSocketAddress unresolved =
        InetSocketAddress.createUnresolved(named.get().host(), named.get().port());
    return new FixedEndpoints(List.of(Endpoint.of(unresolved)), target.resolvers());
  }

  private static Optional<CallCredentials> callCredentials(ChannelCredentials given) {
    return given instanceof ChannelCredentials.Composite both
        ? Optional.of(both.callCredentials())
        : Optional.empty();
  }

  private static ChannelCredentials withoutCalls(ChannelCredentials given) {
    return given instanceof ChannelCredentials.Composite both ? both.channelCredentials() : given;
  }

  /** Each call would fail; better the channel does. */
  private static void checkSecurity(CallCredentials ofCalls, SecurityLevel level) {
    if (level.compareTo(ofCalls.requiredSecurity()) < 0) {
      throw new IllegalArgumentException(
          "the channel's call credentials ("
              + CallAuthorization.nameOf(ofCalls)
              + ") are not sent in the clear: use TLS, or CallCredentials.overPlaintext()");
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

  /** The host of the authority, which TLS checks; in the clear nobody does. */
  private static String serverName(ChannelCredentials credentials, String authority) {
    if (credentials instanceof ChannelCredentials.Insecure) {
      return authority;
    }
    return HostPort.parse(authority.matches(".*:\\d+") ? authority : authority + ":0").host();
  }
}
