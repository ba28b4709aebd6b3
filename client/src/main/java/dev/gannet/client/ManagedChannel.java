package dev.gannet.client;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Preview;
import dev.gannet.api.Registration;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.resolver.HostPort;
import dev.gannet.client.settings.ChannelSettings;
import java.lang.System.Logger.Level;
import java.lang.ref.Cleaner;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A channel to one target that manages its own connections: they are made for the first call, and
 * again when they are lost.
 *
 * <p>Expensive to create and cheap to use: create one per target, share it among all threads, and
 * close it at the end:
 *
 * <pre>
 *   OPEN ──shutdown, close──► SHUT DOWN ──the last call has ended──► CLOSING ──► TERMINATED
 *     └───────────────────────────┴─────────shutdownNow────────────────▲
 * </pre>
 *
 * <p>After SHUT DOWN, a channel refuses new calls: they end with {@code UNAVAILABLE} when they are
 * started. In CLOSING, it has no calls, makes no connections, and closes existing ones.
 */
public final class ManagedChannel implements Channel, AutoCloseable {
  /** The time for cancelled calls to be written, after the grace period of {@link #close}. */
  private static final Duration LAST_GRACE = Duration.ofSeconds(5);

  private final ChannelSettings settings;
  private final ChannelCore core;
  private final Channel intercepted;
  private final Cleaner.Cleanable watch;

  ManagedChannel(
      ChannelSettings settings, List<ClientInterceptor> interceptors, ChannelObservers observers) {
    this.settings = settings;
    this.core = new ChannelCore(settings, observers);
    core.begin();
    this.watch = ForgottenChannel.watch(this, core);
    this.intercepted = ClientInterceptor.intercept(new Bare(this), interceptors);
  }

  /**
   * A channel to a target: {@code host:port}, {@code dns:///host:port}, {@code [IPv6
   * address]:port}, {@code ipv4:192.0.2.1:5001,192.0.2.2:5002}, {@code ipv6:[::1]:5001}, {@code
   * unix:relative/path} and {@code unix:///absolute/path} of a Unix domain socket, or {@code
   * scheme:...} of a registered {@linkplain ManagedChannelBuilder#addNameResolver resolver}. The
   * default port is 443. Encrypted unless the builder is configured otherwise.
   *
   * @throws IllegalArgumentException if the target is none of these; if it begins with a scheme,
   *     {@link ManagedChannelBuilder#build} throws it
   */
  public static ManagedChannelBuilder builder(String target) {
    return new ManagedChannelBuilder(target);
  }

  /**
   * A channel to this host and port.
   *
   * @throws IllegalArgumentException if the host is empty or the port is not 0 to 65535
   */
  public static ManagedChannelBuilder builder(String host, int port) {
    return new ManagedChannelBuilder(HostPort.of(host, port));
  }

  /**
   * A channel to an address that needs no resolver: an {@link java.net.InetSocketAddress}, or
   * another type that a transport on the class path supports, such as the address of a server in
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
    return settings.naming().authority();
  }

  /** {@link ManagedChannelBuilder#executor}. */
  @Override
  @Preview(until = "0.3")
  public Executor executor() {
    return settings.calls().executor();
  }

  /**
   * Starts no more calls; calls that were started before continue normally: waiting calls get a
   * connection, if necessary with backoffs between attempts, calls that have sent nothing yet may
   * do so, and calls that their server has not processed move to another connection. When the last
   * call has ended, or at once if there is none, all connections are closed. Returns at once.
   *
   * <p>A wait-for-ready call without a deadline may wait forever, and its channel with it.
   */
  public ManagedChannel shutdown() {
    core.shutdown();
    watch.clean();
    return this;
  }

  /** Like {@link #shutdown}, and also ends all calls with {@code UNAVAILABLE}. Returns at once. */
  public ManagedChannel shutdownNow() {
    core.shutdownNow();
    watch.clean();
    return this;
  }

  /** Whether new calls are refused. */
  public boolean isShutdown() {
    return core.lifecycle().isShutDown();
  }

  /** Whether it was shut down, its last call has ended and its last connection is closed. */
  public boolean isTerminated() {
    return core.lifecycle().isTerminated();
  }

  /**
   * Blocks until the channel has terminated; forever unless it is shut down.
   *
   * @throws IllegalStateException if it would block an event loop
   */
  public void awaitTermination() throws InterruptedException {
    if (!isTerminated()) {
      EventLoopThread.refuseToWait("ManagedChannel.awaitTermination");
    }
    core.lifecycle().awaitTermination();
  }

  /**
   * Blocks until the channel has terminated, with a timeout; returns whether it has.
   *
   * @throws IllegalStateException if it would block an event loop
   */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    if (timeout.isPositive() && !isTerminated()) {
      EventLoopThread.refuseToWait("ManagedChannel.awaitTermination");
    }
    return core.lifecycle().awaitTermination(timeout);
  }

  /**
   * The connectivity state of the channel. It may change at any time; before the first call it is
   * IDLE. From {@link #shutdown} on it is SHUTDOWN, also while earlier calls continue.
   */
  public ConnectivityState state() {
    return core.connectivity().reported().current();
  }

  /**
   * The connectivity state of the channel; for code that comes from grpc-java. {@link #state()} and
   * {@link #connect} do the same in two steps.
   *
   * @param requestConnection whether to {@link #connect} after the state was read
   */
  public ConnectivityState state(boolean requestConnection) {
    ConnectivityState now = state();
    if (requestConnection) {
      connect();
    }
    return now;
  }

  /**
   * Starts to connect if the channel is IDLE, and keeps trying, with backoffs, as for a call that
   * waits, until it is READY or the idle timeout has passed, which starts again. Returns at once:
   * {@link #awaitReady} waits, and {@link #watchState} reports when the channel is READY. Has no
   * effect after {@link #shutdown}.
   */
  public void connect() {
    core.connectivity().connect();
  }

  /**
   * {@linkplain #connect Connects}, and blocks until the channel is READY, with a timeout: to warm
   * up before the first call.
   *
   * @return whether it was READY in that time; false at once if it is shut down
   * @throws IllegalStateException on an event loop, which must not be blocked; {@link #watchState}
   *     does not block
   */
  public boolean awaitReady(Duration timeout) throws InterruptedException {
    EventLoopThread.refuseToWait("ManagedChannel.awaitReady");
    CompletableFuture<Boolean> ready = new CompletableFuture<>();
    Registration watch = watchState(now -> completeIfDecided(ready, now));
    try {
      connect();
      return ready.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it with an exception
    } finally {
      watch.close();
    }
  }

  private static void completeIfDecided(CompletableFuture<Boolean> ready, ConnectivityState now) {
    if (now == ConnectivityState.READY || now == ConnectivityState.SHUTDOWN) {
      ready.complete(now == ConnectivityState.READY);
    }
  }

  /**
   * Notifies the listener of the channel's current state, and then of each change, in order and one
   * at a time. It runs on the thread that causes the change, which may be an event loop, so it must
   * not block, and without a current call ({@code CallContext.current()}). Its exceptions are
   * logged.
   *
   * @return the registration; {@link Registration#close} removes the listener, and a notification
   *     that is running is completed
   */
  public Registration watchState(Consumer<ConnectivityState> listener) {
    return core.connectivity().reported().watch(Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Closes all connections when their calls have ended, and discards the resolved addresses; the
   * next call starts everything again. Waiting calls do so at once. Returns at once. Has no effect
   * after {@link #shutdown}.
   */
  public void enterIdle() {
    core.connectivity().enterIdle();
  }

  /**
   * Ends all backoffs, and lets the next ones start with one second again: use it when the network
   * is known to be available again. Connections for waiting calls are tried at once, and so are
   * health checks and load reports that a server has ended.
   */
  public void resetConnectBackoff() {
    core.connectivity().resetConnectBackoff();
  }

  /** The number of calls that wait for a connection. */
  public int pendingCalls() {
    return core.picker().pending().count();
  }

  /** The longest time that a call has been waiting for a connection; zero if none is waiting. */
  public Duration longestPending() {
    long nowNanos = settings.scheduler().nanoTime();
    return Duration.ofNanos(core.picker().pending().longestNanos(nowNanos).orElse(0));
  }

  /**
   * The number of times that servers lost a connection or the stream of a call, by reason; reasons
   * that did not occur are missing. The log has the details.
   */
  public Map<PeerFault, Long> peerFaults() {
    return core.connectivity().health().faults().counts();
  }

  /**
   * The number of times that servers lost a connection because they did something more often than
   * {@link dev.gannet.api.transport.TransportLimits#withOffenceRate} allows, by what they did;
   * offences that did not occur are missing. {@link #peerFaults} counts the same as {@link
   * PeerFault#ABUSE}.
   */
  public Map<Offence, Long> offences() {
    return core.connectivity().health().faults().offences();
  }

  /**
   * A snapshot of the channel, its subchannels and connections, with their states, counts and last
   * events. Costs calls nothing; for troubleshooting, and for channelz (gRFC A14).
   */
  public ChannelSnapshot snapshot() {
    return core.snapshot();
  }

  /**
   * Sends a PING on one of the channel's connections; the future returns the time until the answer
   * arrived, and completes on the channel's executor. It never connects: if there is no connection,
   * or the channel is shut down, the future fails at once with a {@link
   * dev.gannet.api.StatusException} that says so. It also fails if the connection is lost, or if no
   * answer arrives within {@link ManagedChannelBuilder#keepAliveTimeout}. Many servers close
   * connections whose clients send more than one PING per five minutes.
   */
  public CompletableFuture<Duration> ping() {
    return core.ping();
  }

  /**
   * Shuts down gracefully: like {@link #shutdown}, then waits for running calls as long as {@link
   * ManagedChannelBuilder#closeGrace}; after that like {@link #shutdownNow}, and waits up to five
   * more seconds. On an event loop, which must not wait, it returns at once, and {@link
   * #shutdownNow} follows after the grace period, or at once if no timer can be set.
   */
  @Override
  public void close() {
    shutdown();
    if (Thread.currentThread() instanceof EventLoopThread) {
      cancelRestLater();
      return;
    }
    try {
      if (!awaitTermination(settings.lifetime().closeGrace())) {
        cancelRest();
        awaitTermination(LAST_GRACE);
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private void cancelRestLater() {
    long graceNanos = TimeUnit.NANOSECONDS.convert(settings.lifetime().closeGrace());
    try {
      settings.scheduler().schedule(this::cancelRest, graceNanos);
    } catch (RuntimeException | Error e) {
      shutdownNow(); // nobody would do it later
    }
  }

  private void cancelRest() {
    long calls = core.callsUnderWay();
    if (calls > 0) {
      System.getLogger(ManagedChannel.class.getName())
          .log(
              Level.WARNING,
              "closing the channel to {0} cancels calls that did not end within {2} s (closeGrace): {1};"
                  + " read streams to their end, or close or cancel them, before closing the channel",
              settings.targetText(),
              calls,
              TimeUnit.MILLISECONDS.convert(settings.lifetime().closeGrace()) / 1000.0);
    }
    shutdownNow();
  }

  @Override
  public String toString() {
    return "ManagedChannel(" + settings.targetText() + ")";
  }

  /** The channel without interceptors. */
  private record Bare(ManagedChannel channel) implements Channel {
    @Override
    public <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
      return channel.core.newCall(method, options);
    }

    @Override
    public String authority() {
      return channel.authority();
    }

    @Override
    public Executor executor() {
      return channel.executor();
    }
  }
}
