package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.credentials.ControlPlaneStatus;
import dev.gannet.client.tasks.LoopTurn;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Sends each attempt of a call where the channel's picker says, or lets it wait among the {@link
 * PendingCalls} for the next picker. Safe for all threads.
 *
 * <p>On a ready connection this is one read of the picker and one of the subchannel's connection,
 * without a lock. An attempt that has to wait is added to the pending ones and picked once more
 * afterwards. A thread that publishes a picker, or makes a connection ready, picks for all pending
 * ones afterwards. So at least one of the two sees the other, and no attempt is forgotten.
 */
public final class CallPicker {
  /** Whether other threads may decide about an attempt, too. */
  private enum Claim {
    /** No other thread knows it yet. */
    OWN,
    /** The attempt is among the pending ones: the thread that removes it decides. */
    SHARED
  }

  private static final Logger LOG = System.getLogger(CallPicker.class.getName());
  private static final LogAllowance FAILURES = new LogAllowance(System::nanoTime);

  private static final String POLICY = "the load-balancing policy";

  private final SerialTasks tasks;
  private final LongSupplier nanoTime;
  private final Runnable exitIdle;
  private final PendingCalls pending = new PendingCalls();

  private volatile ConnectivityState state = ConnectivityState.IDLE;
  private volatile Picker picker = Picker.queueing();

  /** What has published the picker, for statuses. */
  private volatile String publisher = POLICY;

  /** Whether new calls have failed since {@link #countFailures} was last called. */
  private volatile boolean failed;

  /** How often they had. Used in tasks only. */
  private long failures;

  private final LongAdder delayedPicks = new LongAdder();
  private final LongAdder failedPicks = new LongAdder();

  /**
   * Initially IDLE, without a connection.
   *
   * @param exitIdle called when a call waits while the channel is IDLE; on any thread
   */
  public CallPicker(SerialTasks tasks, LongSupplier nanoTime, Runnable exitIdle) {
    this.tasks = tasks;
    this.nanoTime = nanoTime;
    this.exitIdle = exitIdle;
  }

  /** Gives the attempt a connection, now or when there is one, or fails it. */
  public void pick(PendingAttempt attempt) {
    if (!settle(attempt, Claim.OWN)) {
      queue(attempt);
    }
  }

  private void queue(PendingAttempt attempt) {
    delayedPicks.increment();
    pending.add(attempt, nanoTime.getAsLong());
    // write-then-check with Attempt.end and OutgoingCall.endLate: added first, then the end;
    // and with publish: added first, then the picker
    if (attempt.hasEnded()) {
      pending.remove(attempt);
    } else if (!settle(attempt, Claim.SHARED) && state == ConnectivityState.IDLE) {
      exitIdle.run();
    }
  }

  /** Returns false if the attempt has to wait. */
  private boolean settle(PendingAttempt attempt, Claim claim) {
    Picker used;
    do {
      used = picker; // before the config: the first config is set before a picker with endpoints
      if (!attempt.bindToConfig()) {
        return attempt.hasEnded();
      }
    } while (isReplaced(used)); // by that of a later config, or its publisher has left it to us
    Pick pick = pickFor(attempt, used);
    if (settle(attempt, claim, pick)) {
      return true;
    }
    if (claim == Claim.SHARED) {
      pending.keep(attempt, pick);
    }
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // a user's picker may be equal to its successor
  private boolean isReplaced(Picker used) {
    return picker != used;
  }

  private boolean settle(PendingAttempt attempt, Claim claim, Pick pick) {
    if (pick instanceof Pick.Use use) {
      return start(attempt, claim, use);
    }
    if (pick instanceof Pick.Fail fail) {
      if (attempt.waitsForReady()) {
        return false;
      }
      if (claim == Claim.OWN) { // attempts that have waited already see the result of connecting
        failed = true;
      }
      fail(attempt, claim, ControlPlaneStatus.of(fail.why(), POLICY));
      return true;
    }
    if (pick instanceof Pick.Drop drop) {
      if (tryClaim(attempt, claim)) {
        attempt.failForGood(ControlPlaneStatus.of(drop.why(), POLICY));
      }
      return true;
    }
    if (!(pick instanceof Pick.Queue)) { // no switch: its set-up would delay the first call
      throw new IllegalStateException("a pick of an unknown kind: " + pick);
    }
    return false;
  }

  private boolean start(PendingAttempt attempt, Claim claim, Pick.Use use) {
    if (!(use.subchannel() instanceof ManagedSubchannel subchannel)
        || !subchannel.isOfChannelOf(pending)) {
      String why = "the load-balancing policy picked a subchannel that the channel did not create";
      fail(attempt, claim, Status.INTERNAL.withDescription(why));
      return true;
    }
    ReadyConnections ready = subchannel.ready();
    return claim == Claim.OWN ? ready.start(attempt, use) : ready.startPending(attempt, use);
  }

  private void fail(PendingAttempt attempt, Claim claim, Status why) {
    if (tryClaim(attempt, claim)) {
      failedPicks.increment();
      attempt.failBeforeStart(why);
    }
  }

  /** Takes the attempt from those that wait; returns false if another thread has done so. */
  private boolean tryClaim(PendingAttempt attempt, Claim claim) {
    return claim == Claim.OWN || pending.remove(attempt);
  }

  private Pick pickFor(PickArgs args, Picker used) {
    try {
      Pick pick = used.pick(args);
      return pick == null ? broken("it returned null") : pick;
    } catch (Throwable e) { // a picker may be a user's
      Status why = broken(ThrowableText.of(e)).why();
      FAILURES.write("failures of pickers", rest -> GuardedLog.warn(LOG, why + rest, e));
      return Pick.drop(why.withCause(e));
    }
  }

  private Pick.Drop broken(String why) {
    return Pick.drop(
        Status.INTERNAL.withDescription("the picker of " + publisher + " failed: " + why));
  }

  /**
   * Sets the picker for calls, and picks for waiting ones first. Called in a task.
   *
   * @param policy the name of the policy that publishes it; empty if it is the channel's own
   */
  public void publish(ConnectivityState state, Picker picker, String policy) {
    String by = policy.isEmpty() ? POLICY : POLICY + " " + policy;
    boolean entersIdle = state == ConnectivityState.IDLE && this.state != state;
    this.state = state;
    this.publisher = by;
    this.picker = picker; // write-then-check with queue: the picker first, then the pending ones
    tasks.afterwards(entersIdle ? this::pickPendingInIdle : this::pickPending);
  }

  /**
   * Picks for all waiting calls, because something has changed that they may have missed. Not
   * called in a task. On an event loop, another thread may do a part of it ({@link LoopTurn}).
   */
  public void pickPending() {
    pickAll(pending.all());
  }

  private void pickAll(List<PendingAttempt> waiting) {
    LoopTurn turn = LoopTurn.begin(nanoTime);
    for (int i = 0; i < waiting.size(); i++) {
      settle(waiting.get(i), Claim.SHARED);
      List<PendingAttempt> rest = waiting.subList(i + 1, waiting.size());
      if (!rest.isEmpty() && turn.tryPassOn(() -> pickAll(rest))) {
        return;
      }
    }
  }

  /** Calls that still wait need a connection, which is only made on request. */
  private void pickPendingInIdle() {
    pickPending();
    if (pending.count() > 0 && state == ConnectivityState.IDLE) {
      exitIdle.run();
    }
  }

  /** The channel has its first service config, which limits calls that wait already. In a task. */
  public void onFirstConfig() {
    tasks.afterwards(this::pickPending);
  }

  public ConnectivityState state() {
    return state;
  }

  /** The status with which calls fail, if the picker has the same one for all. */
  public Optional<Status> failure() {
    return Picker.failureOf(picker);
  }

  /** What lets this attempt wait although the channel is READY: its policy, or nothing. */
  public Optional<String> holder(PendingAttempt attempt) {
    return state == ConnectivityState.READY
            && pending.lastPick(attempt).filter(Pick.Queue.class::isInstance).isPresent()
        ? Optional.of(publisher)
        : Optional.empty();
  }

  /** Why this attempt would have failed if it did not wait for ready. */
  public Optional<Status> failure(PendingAttempt attempt) {
    return pending
        .lastPick(attempt)
        .flatMap(it -> it instanceof Pick.Fail fail ? Optional.of(fail.why()) : Optional.empty());
  }

  /**
   * Counts it as one if new calls have failed since it was last called. In a task.
   *
   * @return the count
   */
  public long countFailures() {
    if (failed) {
      failed = false;
      failures++;
    }
    return failures;
  }

  /** The attempt no longer waits for a pick. */
  public void forget(PendingAttempt attempt) {
    pending.remove(attempt);
  }

  /** Fails all that wait, whether they wait for ready or not. In a task. */
  public void failPending(Status why) {
    failed = false;
    Status end = ControlPlaneStatus.withoutDetails(why);
    for (PendingAttempt attempt : pending.takeAll()) {
      tasks.afterwards(() -> attempt.failBeforeStart(end));
    }
  }

  /** How often an attempt had to wait. */
  public long delayedPicks() {
    return delayedPicks.sum();
  }

  /** How often an attempt was failed by its pick. */
  public long failedPicks() {
    return failedPicks.sum();
  }

  /** The waiting calls, for diagnostics. */
  public PendingCalls pending() {
    return pending;
  }
}
