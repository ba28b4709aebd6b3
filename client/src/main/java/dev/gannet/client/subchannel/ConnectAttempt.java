package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.settings.TransportSettings;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect to one address, from the socket to the server's first SETTINGS; afterwards
 * it reports the events of the connection to its subchannel.
 *
 * <pre>
 *   OPEN ──SETTINGS──► READY
 *     ├──refused, lost, time limit──► FAILED
 *     └──cancel──► CANCELLED
 * </pre>
 *
 * <p>The first of these ends decides: it is written by compare-and-set.
 */
final class ConnectAttempt implements TransportProvider.Opening {
  private enum State {
    OPEN,
    READY,
    FAILED,
    CANCELLED
  }

  /**
   * The time until the server's SETTINGS must have arrived (gRPC's MIN_CONNECT_TIMEOUT), unless the
   * next attempt begins later anyway.
   */
  private static final long MIN_TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

  /** The shortest time between a failure and the next attempt, unless the backoff is shorter. */
  private static final long MIN_PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

  /** Receives the result of the attempt, on any thread; called once. */
  interface Outcome {
    void onReady(ConnectAttempt attempt, ClientTransport transport);

    void onFailed(ConnectAttempt attempt, Status why);
  }

  /** Receives the events of the connection, on any thread. */
  interface Owner {
    void onOpened(ConnectAttempt attempt, ClientTransport transport);

    /** A connection is open and reported, or the attempt will have none. Called once. */
    void onOpeningEnded();

    /**
     * The attempt was cancelled, but its connection is open: it has to be shut down. Called in a
     * task.
     */
    void onOpenInVain(ClientTransport transport);

    /** The server has changed its limit of concurrent calls. */
    void onStreamLimit();

    void onGoingAway(ClientTransport transport);

    void onTerminated(ClientTransport transport);
  }

  private final ChannelSettings settings;
  private final SocketAddress address;
  private final String authority;
  private final ConnectionHealth health;
  private final TransportSettings connections;
  private final Owner owner;
  private final Outcome outcome;
  private long backoffNanos;
  private final long timeoutNanos;
  private long startedNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private final AtomicBoolean opening = new AtomicBoolean(true);
  private volatile @Nullable ClientTransport connection;
  private volatile long maxConcurrentStreams = Long.MAX_VALUE;
  private volatile Scheduler.@Nullable Cancellable timeout;
  private volatile Scheduler.@Nullable Cancellable connecting;

  /**
   * An attempt that has not started.
   *
   * @param endpoint has one address
   * @param health provides the settings of the connection, and gets the faults of its server
   * @param backoffNanos the time between its start and that of the next attempt, if it fails
   */
  ConnectAttempt(
      ChannelSettings settings,
      Endpoint endpoint,
      ConnectionHealth health,
      Owner owner,
      Outcome outcome,
      long backoffNanos) {
    this.settings = settings;
    this.address = endpoint.onlyAddress();
    this.authority = endpoint.authority().orElse(settings.naming().authority());
    this.health = health;
    this.connections = health.connections();
    this.owner = owner;
    this.outcome = outcome;
    this.backoffNanos = backoffNanos;
    this.timeoutNanos = Math.max(MIN_TIMEOUT_NANOS, backoffNanos);
  }

  /** Starts the attempt, once. If it throws, the attempt has failed. */
  void start() {
    startedNanos = settings.scheduler().nanoTime();
    try {
      timeout = settings.scheduler().schedule(this::onTimeout, timeoutNanos);
      connecting = settings.connections().connector().connect(address, connections, this);
    } catch (RuntimeException | Error e) {
      stopOpening();
      fail(Status.UNAVAILABLE.withDescription(ThrowableText.of(e)).withCause(e));
      return;
    }
    if (isDecided()) {
      takeBack(); // the deciding thread may not have found it
    }
  }

  /**
   * How long the next attempt has to wait, if this one has failed now. In a task.
   *
   * <p>gRPC would begin it at once after a long attempt. Here calls that come in the meantime fail
   * at once, and show that another attempt is wanted.
   */
  long untilNextNanos() {
    long passedNanos = settings.scheduler().nanoTime() - startedNanos;
    return Math.max(Math.min(backoffNanos, MIN_PAUSE_NANOS), backoffNanos - passedNanos);
  }

  /** The next attempt may begin after this time, if that is earlier. In a task. */
  void limitBackoff(long nanos) {
    backoffNanos = Math.min(backoffNanos, nanos);
  }

  private boolean isDecided() {
    return state.get() != State.OPEN;
  }

  /** Returns whether this end is the first. */
  private boolean ends(State end) {
    return state.compareAndSet(State.OPEN, end);
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public String serverName() {
    return settings.security().serverName(authority);
  }

  @Override
  public MessageEncodings encodings() {
    return settings.calls().messages().encodings();
  }

  @Override
  public String applicationUserAgent() {
    return settings.connections().userAgent();
  }

  @Override
  public void onOpened(ClientTransport transport) {
    connection = transport;
    owner.onOpened(this, transport);
    // afterwards, because a channel that ends waits for connections that are opening or open
    stopOpening();
    if (isDecided()) {
      transport.shutdown();
    }
  }

  @Override
  public void onNotOpened(String why) {
    stopOpening();
    fail(Status.UNAVAILABLE.withDescription(why));
  }

  /** Reporting the failure may fail itself, and may be reported by the caller. */
  private void stopOpening() {
    if (opening.compareAndSet(true, false)) {
      owner.onOpeningEnded();
    }
  }

  /** The server's limit of concurrent calls on the connection. */
  long maxConcurrentStreams() {
    return maxConcurrentStreams;
  }

  @Override
  public void onMaxConcurrentStreams(long streams) {
    maxConcurrentStreams = streams;
    owner.onStreamLimit();
  }

  @Override
  public void onReady() {
    ClientTransport ready = connection;
    if (ready != null && ends(State.READY)) {
      stopTimeout();
      outcome.onReady(this, ready);
    }
  }

  @Override
  public void onGoingAway(Status why) {
    ClientTransport leaving = connection;
    if (leaving != null) {
      owner.onGoingAway(leaving);
    }
  }

  @Override
  public void onTooManyPings() {
    health.onTooManyPings(connections.keepalive());
  }

  @Override
  public void onFault(SocketAddress server, PeerFault fault, String rule) {
    health.faults().report(fault, server, rule);
  }

  @Override
  public void onAbuse(SocketAddress server, Offence offence, String rule) {
    health.faults().reportAbuse(offence, server, rule);
  }

  @Override
  public void onShed(SocketAddress server, String why) {
    health.faults().report(PeerFault.MEMORY_EXHAUSTED, server, MemoryLimiter.SHED, why);
  }

  @Override
  public void onStreamFault(SocketAddress server, PeerFault fault, String rule) {
    health.faults().reportOfStream(fault, server, rule);
  }

  @Override
  public void onTerminated(Status why) {
    ClientTransport gone = connection;
    if (gone != null) {
      owner.onTerminated(gone);
    }
    String text = why.description().orElse("the connection was closed");
    fail(Status.UNAVAILABLE.withDescription(text + " (" + address + ")"));
  }

  private void onTimeout() {
    if (ends(State.FAILED)) {
      try {
        takeBack();
        closeSlow();
      } finally {
        outcome.onFailed(
            this,
            Status.UNAVAILABLE.withDescription(
                "no answer from " + address + " within " + timeoutText()));
      }
    }
  }

  /**
   * Looks for a connection only after the decision: a connection that opens after this check finds
   * the decision.
   */
  private void closeSlow() {
    ClientTransport slow = connection;
    if (slow != null) {
      slow.shutdownNow(
          Status.UNAVAILABLE.withDescription("no HTTP/2 SETTINGS within " + timeoutText()));
    }
  }

  private String timeoutText() {
    return TimeUnit.NANOSECONDS.toSeconds(timeoutNanos) + " s";
  }

  /**
   * The connection is no longer needed, and its result is ignored. In a task.
   *
   * <p>Looks for a connection only after the decision, as {@link #closeSlow} does.
   */
  void cancel() {
    if (ends(State.CANCELLED)) {
      stopTimeout();
      takeBack();
      ClientTransport unneeded = connection;
      if (unneeded != null) {
        owner.onOpenInVain(unneeded);
      }
    }
  }

  /** Prevents the connection from being opened, if it is not open yet. */
  private void takeBack() {
    Scheduler.Cancellable begun = connecting;
    if (begun != null) {
      begun.cancel();
    }
  }

  private void fail(Status why) {
    if (ends(State.FAILED)) {
      stopTimeout();
      outcome.onFailed(this, why);
    }
  }

  private void stopTimeout() {
    Scheduler.Cancellable started = timeout;
    if (started != null) {
      started.cancel();
    }
  }
}
