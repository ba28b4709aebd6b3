package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.KeepAlive;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.pipe.PipeProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The channel's connection to its server, and the calls that wait for one.
 *
 * <pre>
 *   IDLE ──call──► CONNECTING ──SETTINGS──► READY ──going away, lost──► IDLE
 *                   ▲      └──all addresses failed──► TRANSIENT_FAILURE ──backoff over──► IDLE
 *                   └──────backoff over, and calls came meanwhile──┘
 *
 *   any ──shut down, and the last call has ended; or shut down at once──► CLOSED
 * </pre>
 *
 * <p>While CONNECTING calls wait; in TRANSIENT_FAILURE they fail at once, unless they wait for
 * ready, and so they do while CONNECTING again after that (gRFC A62). A shutdown in peace changes
 * none of this for calls that the {@link CallGate} let in before. One lock guards all changes; a
 * call on a READY connection does not take it.
 */
final class Subchannel {
  private static final Logger LOG = System.getLogger(Subchannel.class.getName());
  private static final Status SHUT_DOWN =
      Status.UNAVAILABLE.withDescription("the channel is shut down");
  private static final Status SHUT_DOWN_AT_ONCE =
      Status.UNAVAILABLE.withDescription("the channel was shut down at once");

  /** Where the connection stands. */
  private sealed interface State {
    record Idle() implements State {}

    /**
     * A connection is being made.
     *
     * @param failure of the attempt before this, if calls have been told of it already
     */
    record Connecting(ConnectAttempt attempt, Optional<Status> failure) implements State {}

    record Ready(ClientTransport transport) implements State {}

    record TransientFailure(Status why) implements State {}

    record Closed(Status why) implements State {}
  }

  private final ChannelSettings settings;
  private final CallGate gate = new CallGate();
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<OutgoingCall<?, ?>> waiting = new LinkedHashSet<>();
  private final UnsentCalls unsent;
  private final Set<ClientTransport> transports = new LinkedHashSet<>();
  private PipeProvider.@Nullable Cancellable nextAttempt;
  private int opening;

  /** Whether calls have failed since the last attempt began: then there is to be another. */
  private boolean wanted;

  private final PeerFaults faults;
  private final Backoff backoff = new Backoff();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private volatile State state = new State.Idle();
  private volatile ConnectionLimits limits;

  Subchannel(ChannelSettings settings) {
    this.settings = settings;
    this.limits = settings.limits();
    this.unsent = new UnsentCalls(settings.pipes());
    this.faults = new PeerFaults(settings.pipes()::nanoTime);
  }

  /** Counts a call in, until {@link #onCallEnded}; or says why none begins any more. */
  Optional<Status> admit() {
    Optional<Status> refusal = gate.enter();
    if (refusal.isPresent()) {
      closeIfEmpty(); // it was counted for a moment, and hid that there was no call
    }
    return refusal;
  }

  /** A call that was admitted has ended. */
  void onCallEnded() {
    gate.leave();
    closeIfEmpty();
  }

  /** Gives the call a connection, now or when there is one, or tells it that there is none. */
  void pick(OutgoingCall<?, ?> call) {
    if (state instanceof State.Ready(ClientTransport transport)) {
      call.startOn(transport);
    } else {
      pickWaiting(call);
    }
  }

  private void pickWaiting(OutgoingCall<?, ?> call) {
    @Nullable Status failure = null;
    @Nullable ClientTransport ready = null;
    @Nullable ConnectAttempt begun = null;
    lock.lock();
    try {
      if (state instanceof State.Ready(ClientTransport transport)) {
        ready = transport;
      } else if (state instanceof State.Closed(Status why)) {
        failure = why;
      } else if (!call.waitsForReady() && unreachable().isPresent()) {
        failure = unreachable().get();
        wanted = true;
      } else {
        waiting.add(call);
        begun = state instanceof State.Idle ? connect(Optional.empty()) : null;
      }
    } finally {
      lock.unlock();
    }
    if (call.hasEnded()) {
      forget(call); // who ended it may not have found it here
    }
    if (begun != null) {
      begun.start();
    } else if (ready != null) {
      call.startOn(ready);
    } else if (failure != null) {
      call.failBeforeStart(failure);
    }
  }

  /** Why the server cannot be reached, as far as is known. */
  private Optional<Status> unreachable() {
    State now = state;
    if (now instanceof State.TransientFailure(Status why)) {
      return Optional.of(why);
    }
    if (now instanceof State.Closed(Status why)) {
      return Optional.of(why);
    }
    return now instanceof State.Connecting connecting ? connecting.failure() : Optional.empty();
  }

  /** Where calls wait for a connection to, and what is known of why they do. */
  String story() {
    String why = unreachable().flatMap(Status::description).map(it -> ": " + it).orElse("");
    return " to " + settings.target() + why;
  }

  /** Calls that have begun, and have nothing to send yet. */
  UnsentCalls unsent() {
    return unsent;
  }

  /** The call has begun, and may have nothing to send for long. */
  void addUnsent(OutgoingCall<?, ?> call) {
    unsent.add(call);
    endIfClosed(call);
  }

  /** Who closed may not have found the call. */
  void endIfClosed(OutgoingCall<?, ?> call) {
    if (state instanceof State.Closed(Status why)) {
      call.cancelWith(why);
    }
  }

  /** The call does not wait any more. */
  void forget(OutgoingCall<?, ?> call) {
    lock.lock();
    try {
      waiting.remove(call);
    } finally {
      lock.unlock();
    }
  }

  /** An attempt that is to be started once the lock is released. */
  private ConnectAttempt connect(Optional<Status> failure) {
    ConnectAttempt attempt = new ConnectAttempt(settings, this);
    state = new State.Connecting(attempt, failure);
    wanted = false;
    return attempt;
  }

  /**
   * Whether a connection may be opened now; {@link #onOpeningEnded} is to tell when it is open, or
   * never will be.
   */
  boolean mayOpen() {
    lock.lock();
    try {
      if (isClosed()) {
        return false;
      }
      opening++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** A connection is open and told of, or none will come of it. */
  void onOpeningEnded() {
    lock.lock();
    try {
      opening--;
      countDownIfDone();
    } finally {
      lock.unlock();
    }
  }

  /** The attempt has opened a connection; whether it is of use shows when it is ready. */
  void onOpened(ClientTransport transport) {
    lock.lock();
    try {
      transports.add(transport);
      if (isClosed()) {
        transport.shutdown();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The attempt's connection carries calls. */
  void onReady(ConnectAttempt attempt, ClientTransport transport) {
    List<OutgoingCall<?, ?>> starting = new ArrayList<>();
    lock.lock();
    try {
      if (isCurrent(attempt)) {
        backoff.reset();
        state = new State.Ready(transport);
        starting.addAll(waiting);
        waiting.clear();
      }
    } finally {
      lock.unlock();
    }
    forAll(starting, call -> call.startOn(transport));
  }

  /** The connection takes no new calls; the next call makes another. */
  void onGoingAway(ClientTransport transport) {
    lock.lock();
    try {
      if (state instanceof State.Ready(ClientTransport ready) && ready.equals(transport)) {
        state = new State.Idle();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What servers did wrong on its connections. */
  PeerFaults faults() {
    return faults;
  }

  /** What the next connection is made with. */
  ConnectionLimits limits() {
    return limits;
  }

  /**
   * The server finds that it was asked too often on a connection with that keepalive: the next ones
   * ask half as often (gRFC A8).
   */
  void onTooManyPings(KeepAlive tooFast) {
    if (slowDown(tooFast)) {
      logTooManyPings();
    }
  }

  /** Whether that made a difference; a server may say the same again and again. */
  private boolean slowDown(KeepAlive tooFast) {
    KeepAlive slower = tooFast.doubled();
    lock.lock();
    try {
      if (slower.equals(tooFast) || !limits.keepAlive().equals(tooFast)) {
        return false;
      }
      limits = limits.with(slower);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void logTooManyPings() {
    LOG.log(
        Level.WARNING,
        () ->
            "the server of "
                + settings.target()
                + " complains of too many pings; keepAliveTime is doubled");
  }

  void onTerminated(ClientTransport transport) {
    lock.lock();
    try {
      transports.remove(transport);
      countDownIfDone();
    } finally {
      lock.unlock();
    }
  }

  /** No address could be connected to. Calls fail now; the next attempt follows after a while. */
  void onFailed(ConnectAttempt attempt, Status why) {
    List<OutgoingCall<?, ?>> failing = new ArrayList<>();
    lock.lock();
    try {
      if (isCurrent(attempt)) {
        boolean backsOff = backOff();
        state = backsOff ? new State.TransientFailure(why) : new State.Idle();
        waiting.stream().filter(call -> !call.waitsForReady() || !backsOff).forEach(failing::add);
        failing.forEach(waiting::remove);
      }
    } finally {
      lock.unlock();
    }
    forAll(failing, call -> call.failBeforeStart(why));
  }

  /**
   * Has connecting begin again later; false if nobody can be asked to, so that the next call must.
   */
  private boolean backOff() {
    try {
      nextAttempt =
          settings
              .pipes()
              .schedule(this::connectAgain, backoff.nextDelayNanos(settings.pipes().random()));
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  /** Where no call has come meanwhile, the next call connects; else connecting goes on. */
  private void connectAgain() {
    @Nullable ConnectAttempt begun = null;
    lock.lock();
    try {
      if (state instanceof State.TransientFailure(Status why)) {
        boolean goesOn = wanted || !waiting.isEmpty();
        begun = goesOn ? connect(Optional.of(why)) : null;
        if (!goesOn) {
          state = new State.Idle();
        }
      }
    } finally {
      lock.unlock();
    }
    if (begun != null) {
      begun.start();
    }
  }

  private boolean isCurrent(ConnectAttempt attempt) {
    return state instanceof State.Connecting connecting && connecting.attempt() == attempt;
  }

  /** Begins no more calls, and closes when the last of those that began has ended. */
  void shutdown() {
    gate.shut(SHUT_DOWN);
    if (gate.isEmptyForGood()) {
      close(SHUT_DOWN).forEach(ClientTransport::shutdown);
    }
  }

  private void closeIfEmpty() {
    if (!isClosed() && gate.isEmptyForGood()) {
      forAll(close(SHUT_DOWN), ClientTransport::shutdown);
    }
  }

  /** Ends all calls, and closes. */
  void shutdownNow() {
    gate.shut(SHUT_DOWN_AT_ONCE);
    List<ClientTransport> closing = close(SHUT_DOWN_AT_ONCE);
    forAll(takeWaiting(), call -> call.failBeforeStart(SHUT_DOWN_AT_ONCE));
    forAll(unsent.takeAll(), call -> call.cancelWith(SHUT_DOWN_AT_ONCE));
    closing.forEach(transport -> transport.shutdownNow(SHUT_DOWN_AT_ONCE));
  }

  /** Makes no more connections; those that there are, are the caller's to close. */
  private List<ClientTransport> close(Status why) {
    lock.lock();
    try {
      if (state instanceof State.Connecting connecting) {
        connecting.attempt().cancel();
      } else if (state instanceof State.TransientFailure && nextAttempt != null) {
        nextAttempt.cancel();
      }
      state = new State.Closed(why);
      countDownIfDone();
      return List.copyOf(transports);
    } finally {
      lock.unlock();
    }
  }

  private List<OutgoingCall<?, ?>> takeWaiting() {
    lock.lock();
    try {
      List<OutgoingCall<?, ?>> taken = List.copyOf(waiting);
      waiting.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** What one of them throws is no reason to leave out the others. */
  private static <T> void forAll(List<T> all, Consumer<T> action) {
    for (T one : all) {
      try {
        action.accept(one);
      } catch (Throwable e) {
        LOG.log(Level.WARNING, "a call or connection failed at what its channel told it", e);
      }
    }
  }

  private void countDownIfDone() {
    if (isClosed() && transports.isEmpty() && opening == 0) {
      terminated.countDown();
    }
  }

  /** Whether no connection is made any more, and no call is left but those that are being ended. */
  boolean isClosed() {
    return state instanceof State.Closed;
  }

  boolean isShutdown() {
    return gate.isShut();
  }

  boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  boolean awaitTermination(Duration timeout) throws InterruptedException {
    return terminated.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
  }
}
