package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.resolver.HostPort;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A channel to one target that makes and keeps its own connections: made on the first call, made
 * anew when they are lost.
 *
 * <p>Costly to make and cheap to use: make one per target, share it among all threads, and close it
 * at the end:
 *
 * <pre>
 *   OPEN ──shutdown, close──► SHUT DOWN ──the last call has ended──► CLOSING ──► TERMINATED
 *     └───────────────────────────┴─────────shutdownNow────────────────▲
 * </pre>
 *
 * <p>Once SHUT DOWN, a channel refuses new calls: those whose {@code start} comes later end with
 * {@code UNAVAILABLE}. CLOSING, it has no calls, makes no connections, and closes those it has.
 */
public final class ManagedChannel implements Channel, AutoCloseable {
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

  private final ChannelSettings settings;
  private final ChannelCore core;
  private final Channel intercepted;

  ManagedChannel(ChannelSettings settings, List<ClientInterceptor> interceptors) {
    this.settings = settings;
    this.core = new ChannelCore(settings);
    ForgottenChannel.watch(this, core);
    this.intercepted = ClientInterceptor.intercept(new Bare(this), interceptors);
  }

  /**
   * A channel to a target: {@code host:port}, {@code dns:///host:port}, {@code [IPv6
   * address]:port}, {@code ipv4:192.0.2.1:5001,192.0.2.2:5002}, {@code ipv6:[::1]:5001}, or {@code
   * scheme:...} of a {@linkplain ManagedChannelBuilder#nameResolver resolver} that is plugged in.
   * The port is 443 where none is named. Encrypted unless the builder is told otherwise.
   *
   * @throws IllegalArgumentException if the target is none of these; where it begins with a scheme,
   *     {@link ManagedChannelBuilder#build} throws it
   */
  public static ManagedChannelBuilder builder(String target) {
    return new ManagedChannelBuilder(target);
  }

  /**
   * A channel to that port of that host.
   *
   * @throws IllegalArgumentException if the host is empty or the port is not 0 to 65535
   */
  public static ManagedChannelBuilder builder(String host, int port) {
    return new ManagedChannelBuilder(HostPort.of(host, port));
  }

  /**
   * A channel to that address, which nobody has to resolve: an {@link java.net.InetSocketAddress},
   * or one of another kind that a transport on the class path knows, such as that of a server in
   * this process.
   */
  public static ManagedChannelBuilder builder(SocketAddress address) {
    return new ManagedChannelBuilder(address);
  }

  @Override
  public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    return intercepted.newCall(method, options);
  }

  @Override
  public String authority() {
    return settings.authority();
  }

  /**
   * Begins no more calls; all that were started before go on to their end, as if nothing had
   * happened: those that wait for a connection get it, with backoffs between attempts if need be,
   * those that have sent nothing yet may do so, and those that their server has not seen move to
   * another connection. When the last has ended, at once if there is none, all connections are
   * closed. Returns at once.
   *
   * <p>A call that waits for ready and has no deadline may wait for ever, and its channel with it.
   */
  public ManagedChannel shutdown() {
    core.shutdown();
    return this;
  }

  /**
   * As {@link #shutdown}, and ends all calls with {@code UNAVAILABLE}, whatever they wait for.
   * Returns at once.
   */
  public ManagedChannel shutdownNow() {
    core.shutdownNow();
    return this;
  }

  /** Whether new calls are refused. */
  public boolean isShutdown() {
    return core.isShutdown();
  }

  /**
   * Whether it was shut down, its last call has ended and its last connection is closed; none opens
   * any more.
   */
  public boolean isTerminated() {
    return core.isTerminated();
  }

  /** Blocks until the channel has terminated, or so long; says whether it has. */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    return core.awaitTermination(timeout);
  }

  /**
   * Where the channel stands. It may be another by the time this returns; before the first call it
   * is IDLE.
   */
  public ConnectivityState state() {
    return core.picker().state();
  }

  /**
   * The same.
   *
   * @param requestConnection whether an IDLE channel is to connect, as if a call waited
   */
  public ConnectivityState state(boolean requestConnection) {
    ConnectivityState now = state();
    if (requestConnection) {
      core.connect();
    }
    return now;
  }

  /** Somebody is told of a channel's states. */
  public interface StateWatch extends AutoCloseable {
    /** No more, but for what is being told. */
    @Override
    void close();
  }

  /**
   * Tells the listener the channel's state, and then each change of it, in their order and one at a
   * time. It runs on the thread that finds the reason, which may be an event loop, so it must not
   * block; what it throws is logged.
   */
  public StateWatch watchState(Consumer<ConnectivityState> listener) {
    return core.watchState(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Lets all connections go as soon as their calls have ended, and forgets what the target was
   * resolved to; the next call begins anew. Calls that wait do so at once. Returns at once.
   */
  public void enterIdle() {
    core.enterIdle();
  }

  /**
   * Ends all backoffs, and has the next ones begin with a second again: for when the network is
   * known to be back. Connections for calls that wait are tried at once.
   */
  public void resetConnectBackoff() {
    core.resetConnectBackoff();
  }

  /** How many calls wait for a connection. */
  public int pendingCalls() {
    return core.picker().pending().count();
  }

  /** How long the call has waited that has waited longest for a connection; zero if none does. */
  public Duration longestPending() {
    long nowNanos = settings.transport().nanoTime();
    return Duration.ofNanos(core.picker().pending().longestNanos(nowNanos).orElse(0));
  }

  /**
   * How often servers lost a connection or a call's stream, and for what, by words of this side:
   * rules that they broke, and connections that memory was too short for.
   */
  public Map<String, Long> peerFaults() {
    return core.health().faults().counts();
  }

  /**
   * The channel, its subchannels and connections with their states, counts and last events, as they
   * are now. Costs calls nothing; for people who look for a fault, and for channelz (gRFC A14).
   */
  public ChannelSnapshot snapshot() {
    return core.snapshot();
  }

  /**
   * Asks a server for a sign of life, by PING on one of the channel's connections; the future has
   * the time until its answer came, and completes on the channel's executor. It never connects for
   * it: where there is no connection, or the channel is shut down, the future fails at once with a
   * {@link dev.gannet.api.StatusException} that says so; likewise where the connection is lost, or
   * no answer has come after {@link ManagedChannelBuilder#keepAliveTimeout}. Many servers close
   * connections whose clients ask more often than every five minutes.
   */
  public CompletableFuture<Duration> ping() {
    return core.ping();
  }

  /**
   * Shuts down in order: as {@link #shutdown}, waits for up to five seconds until the channel has
   * terminated, then as {@link #shutdownNow}, and waits for as long once more. On an event loop,
   * which must not wait, it returns at once, and {@link #shutdownNow} follows after five seconds.
   */
  @Override
  public void close() {
    shutdown();
    if (Thread.currentThread() instanceof EventLoopThread) {
      settings.transport().schedule(this::cancelRest, CLOSE_GRACE.toNanos());
      return;
    }
    try {
      if (!awaitTermination(CLOSE_GRACE)) {
        cancelRest();
        awaitTermination(CLOSE_GRACE);
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void cancelRest() {
    long calls = core.callsUnderWay();
    if (calls > 0) {
      System.getLogger(ManagedChannel.class.getName())
          .log(
              Level.WARNING,
              "closing the channel to {0} cancels calls that did not end within {2} s: {1}; read"
                  + " streams to their end, or close or cancel them, before closing the channel",
              settings.targetText(),
              calls,
              CLOSE_GRACE.toSeconds());
    }
    shutdownNow();
  }

  @Override
  public String toString() {
    return "ManagedChannel(" + settings.targetText() + ")";
  }

  /** The channel behind all interceptors. */
  private record Bare(ManagedChannel channel) implements Channel {
    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      return channel.core.newCall(method, options);
    }

    @Override
    public String authority() {
      return channel.authority();
    }
  }
}
