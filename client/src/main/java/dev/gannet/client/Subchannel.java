package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.KeepAlive;
import dev.gannet.transport.PeerFaults;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The channel's connection to its server, and the calls that wait for one.
 *
 * <pre>
 *   IDLE ──call──► CONNECTING ──SETTINGS──► READY ──going away, lost──► IDLE
 *                   ▲      └──all addresses failed──► TRANSIENT_FAILURE
 *                   └──────────backoff over─────────────────┘           any ──► SHUTDOWN
 * </pre>
 *
 * <p>While CONNECTING calls wait; in TRANSIENT_FAILURE they fail at once, unless they wait for
 * ready. One lock guards all changes; a call on a READY connection does not take it.
 */
final class Subchannel {
  private static final Logger LOG = System.getLogger(Subchannel.class.getName());

  /** Where the connection stands. */
  private sealed interface State {
    record Idle() implements State {}

    record Connecting(ConnectAttempt attempt) implements State {}

    record Ready(ClientTransport transport) implements State {}

    record TransientFailure(Status why) implements State {}

    record Shutdown(Status why) implements State {}
  }

  private final ChannelSettings settings;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<OutgoingCall<?, ?>> waiting = new LinkedHashSet<>();
  private final UnsentCalls unsent;
  private final Set<ClientTransport> transports = new LinkedHashSet<>();
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
      } else if (state instanceof State.Shutdown(Status why)) {
        failure = why;
      } else if (state instanceof State.TransientFailure(Status why) && !call.waitsForReady()) {
        failure = why;
      } else {
        waiting.add(call);
        begun = state instanceof State.Idle ? connect() : null;
      }
    } finally {
      lock.unlock();
    }
    if (begun != null) {
      begun.start();
    } else if (ready != null) {
      call.startOn(ready);
    } else if (failure != null) {
      call.failBeforeStart(failure);
    }
  }

  /** Calls that have a connection and nothing to send over it yet. */
  UnsentCalls unsent() {
    return unsent;
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
  private ConnectAttempt connect() {
    ConnectAttempt attempt = new ConnectAttempt(settings, this);
    state = new State.Connecting(attempt);
    return attempt;
  }

  /** The attempt has opened a connection; whether it is of use shows when it is ready. */
  void onOpened(ClientTransport transport) {
    lock.lock();
    try {
      transports.add(transport);
      if (state instanceof State.Shutdown) {
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
    starting.forEach(call -> call.startOn(transport));
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
    failing.forEach(call -> call.failBeforeStart(why));
  }

  /**
   * Has connecting begin again later; false if nobody can be asked to, so that the next call must.
   */
  private boolean backOff() {
    try {
      settings
          .pipes()
          .schedule(this::connectAgain, backoff.nextDelayNanos(settings.pipes().random()));
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /** Without a call that waits, the next call connects; with one, connecting goes on. */
  private void connectAgain() {
    @Nullable ConnectAttempt begun = null;
    lock.lock();
    try {
      if (state instanceof State.TransientFailure) {
        state = new State.Idle();
        begun = waiting.isEmpty() ? null : connect();
      }
    } finally {
      lock.unlock();
    }
    if (begun != null) {
      begun.start();
    }
  }

  private boolean isCurrent(ConnectAttempt attempt) {
    return state instanceof State.Connecting(ConnectAttempt current) && current == attempt;
  }

  void shutdown() {
    stop(Status.UNAVAILABLE.withDescription("the channel is shut down"))
        .forEach(ClientTransport::shutdown);
  }

  void shutdownNow() {
    Status why = Status.UNAVAILABLE.withDescription("the channel was shut down at once");
    stop(why).forEach(transport -> transport.shutdownNow(why));
  }

  private List<ClientTransport> stop(Status why) {
    List<OutgoingCall<?, ?>> failing = new ArrayList<>();
    List<ClientTransport> stopping = new ArrayList<>();
    lock.lock();
    try {
      if (state instanceof State.Connecting(ConnectAttempt attempt)) {
        attempt.cancel();
      }
      state = new State.Shutdown(why);
      failing.addAll(waiting);
      waiting.clear();
      stopping.addAll(transports);
      countDownIfDone();
    } finally {
      lock.unlock();
    }
    failing.forEach(call -> call.failBeforeStart(why));
    return stopping;
  }

  private void countDownIfDone() {
    if (state instanceof State.Shutdown && transports.isEmpty()) {
      terminated.countDown();
    }
  }

  boolean isShutdown() {
    return state instanceof State.Shutdown;
  }

  boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  boolean awaitTermination(Duration timeout) throws InterruptedException {
    return terminated.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }
}
