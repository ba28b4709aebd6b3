package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.transport.Scheduler;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to connect to one address, from the socket to the server's first SETTINGS. Its {@link
 * SubchannelConnection} tells it how the opening goes; what follows does not concern it.
 *
 * <pre>
 *   OPEN ──SETTINGS──► READY
 *     ├──refused, lost, time limit──► FAILED
 *     └──cancel──► CANCELLED
 * </pre>
 *
 * <p>The first of these ends decides: it is written by compare-and-set.
 */
final class ConnectAttempt {
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
    void onReady(ConnectAttempt attempt, SubchannelConnection connection);

    void onFailed(ConnectAttempt attempt, Status why);
  }

  /** The subchannel: receives the events of the connection, and the end of its opening. */
  interface Owner extends SubchannelConnection.Owner {
    /** The connection is open and reported, or will not be opened. Called once, on any thread. */
    void onOpeningEnded();

    /**
     * The attempt was cancelled, but its connection is open: it has to be shut down. Called in a
     * task.
     */
    void onOpenInVain(SubchannelConnection connection);
  }

  private final ChannelSettings settings;
  private final SocketAddress address;
  private final SubchannelConnection connection;
  private final Owner owner;
  private final Outcome outcome;
  private long backoffNanos;
  private final long timeoutNanos;
  private long startedNanos;
  private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
  private final AtomicBoolean opening = new AtomicBoolean(true);
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
    this.connection = new SubchannelConnection(settings, endpoint, health, owner, this);
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
      connecting =
          settings
              .connections()
              .connector()
              .connect(address, connection.transportSettings(), connection);
    } catch (RuntimeException | Error e) {
      stopOpening();
      fail(Status.UNAVAILABLE.withDescription(ThrowableText.of(e)).withCause(e));
      return;
    }
    // write-then-check with onTimeout and cancel: connecting first, then the decision
    if (isDecided()) {
      takeBack();
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

  /** The connection is open; its subchannel knows it already. */
  void onOpened() {
    // only now that it is known as open: a channel that ends waits for all that open or are open
    stopOpening();
    // write-then-check with closeSlow and cancel: the connection first, then the decision
    if (isDecided()) {
      connection.shutdown();
    }
  }

  void onNotOpened(String why) {
    stopOpening();
    fail(Status.UNAVAILABLE.withDescription(why));
  }

  /** Reporting the failure may fail itself, and may be reported by the caller. */
  private void stopOpening() {
    if (opening.compareAndSet(true, false)) {
      owner.onOpeningEnded();
    }
  }

  /** The server's SETTINGS have arrived on the open connection. */
  void onReady() {
    if (ends(State.READY)) {
      stopTimeout();
      outcome.onReady(this, connection);
    }
  }

  /**
   * The connection carries no new calls: if it is not ready yet, it will not become so. It may take
   * a while to close, for which nobody waits.
   */
  void onGoingAway(Status why) {
    failBecauseOf(why);
  }

  /** There is no connection any more. */
  void onTerminated(Status why) {
    failBecauseOf(why);
  }

  private void failBecauseOf(Status why) {
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
   * Write-then-check with {@link #onOpened}: the decision first, then the connection. One that
   * opens after this check finds the decision.
   */
  private void closeSlow() {
    if (connection.isOpen()) {
      connection.shutdownNow(
          Status.UNAVAILABLE.withDescription("no HTTP/2 SETTINGS within " + timeoutText()));
    }
  }

  private String timeoutText() {
    return TimeUnit.NANOSECONDS.toSeconds(timeoutNanos) + " s";
  }

  /**
   * The connection is no longer needed, and its result is ignored. In a task.
   *
   * <p>Looks at it only after the decision, as {@link #closeSlow} does.
   */
  void cancel() {
    if (ends(State.CANCELLED)) {
      stopTimeout();
      takeBack();
      if (connection.isOpen()) {
        owner.onOpenInVain(connection);
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
