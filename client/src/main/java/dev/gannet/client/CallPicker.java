package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.transport.ClientTransport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Sends each attempt of a call where the channel's picker says, or has it wait among the {@link
 * PendingCalls} for the next picker. Safe for all threads.
 *
 * <p>On a ready connection that is one read of the picker and one of the subchannel's connection,
 * without a lock. An attempt that has to wait is put among the pending ones and picked once more
 * after that; whoever publishes a picker, or makes a connection ready, picks for all pending ones
 * after that: so one of the two sees the other, and none is left behind.
 */
final class CallPicker {
  /** Whether others may decide about an attempt, too. */
  private enum Claim {
    /** Nobody knows of it yet. */
    OWN,
    /** It is among the pending ones: who takes it out decides. */
    SHARED
  }

  private final SerialTasks tasks;
  private final LongSupplier nanoTime;
  private final Runnable exitIdle;
  private final PendingCalls pending = new PendingCalls();

  /** Attempts that wait for their call credentials, and what is to be run if they end so. */
  private final Map<Attempt<?, ?>, Runnable> unauthorized = new ConcurrentHashMap<>();

  private volatile ConnectivityState state = ConnectivityState.IDLE;
  private volatile Picker picker = Picker.waiting();

  /** Whether new calls have failed since somebody asked for it. */
  private volatile boolean failed;

  private final LongAdder queued = new LongAdder();
  private final LongAdder failedPicks = new LongAdder();

  /**
   * With no connection, and IDLE.
   *
   * @param exitIdle told when a call waits while the channel is IDLE; on any thread
   */
  CallPicker(SerialTasks tasks, LongSupplier nanoTime, Runnable exitIdle) {
    this.tasks = tasks;
    this.nanoTime = nanoTime;
    this.exitIdle = exitIdle;
  }

  /** Gives the attempt a connection, now or when there is one, or fails it. */
  void pick(Attempt<?, ?> attempt) {
    if (!settle(attempt, Claim.OWN)) {
      queue(attempt);
    }
  }

  private void queue(Attempt<?, ?> attempt) {
    queued.increment();
    pending.add(attempt, nanoTime.getAsLong());
    if (attempt.hasEnded()) {
      pending.remove(attempt); // who ended it may not have found it here
    } else if (!settle(attempt, Claim.SHARED) && state == ConnectivityState.IDLE) {
      exitIdle.run();
    }
  }

  /** False if the attempt has to wait. */
  private boolean settle(Attempt<?, ?> attempt, Claim claim) {
    Pick pick = pickFor(attempt);
    if (pick instanceof Pick.Use use) {
      return start(attempt, claim, use);
    }
    if (pick instanceof Pick.Fail fail && !attempt.call().waitsForReady()) {
      if (claim == Claim.OWN) { // those that have waited are told what came of that
        failed = true;
      }
      fail(attempt, claim, fail.why());
      return true;
    }
    if (pick instanceof Pick.Drop drop) {
      if (isMine(attempt, claim)) {
        attempt.drop(drop.why());
      }
      return true;
    }
    return false;
  }

  private boolean start(Attempt<?, ?> attempt, Claim claim, Pick.Use use) {
    if (!(use.subchannel() instanceof ManagedSubchannel subchannel)) {
      String why = "the load-balancing policy picked a subchannel that the channel did not create";
      fail(attempt, claim, Status.INTERNAL.withDescription(why));
      return true;
    }
    ConnectionPool pool = subchannel.pool();
    if (pool != null) {
      return startIn(pool, attempt, claim);
    }
    ClientTransport transport = subchannel.transport();
    if (transport == null) {
      return false;
    }
    if (isMine(attempt, claim)) {
      attempt.startOn(transport, subchannel.tracker());
    }
    return true;
  }

  /** Among several connections: where all are full, the attempt waits for a stream. */
  private static boolean startIn(ConnectionPool pool, Attempt<?, ?> attempt, Claim claim) {
    if (claim == Claim.SHARED) {
      return pool.offer(attempt);
    }
    ConnectionPool.Member member = pool.take();
    if (member == null) {
      return false;
    }
    attempt.startOn(member.transport(), member);
    return true;
  }

  private void fail(Attempt<?, ?> attempt, Claim claim, Status why) {
    if (isMine(attempt, claim)) {
      failedPicks.increment();
      attempt.failBeforeStart(why);
    }
  }

  private boolean isMine(Attempt<?, ?> attempt, Claim claim) {
    return claim == Claim.OWN || pending.remove(attempt);
  }

  private Pick pickFor(PickArgs args) {
    try {
      Pick pick = picker.pick(args);
      return pick == null ? broken("it returned null") : pick;
    } catch (Throwable e) { // a picker may be a user's
      return Pick.drop(broken(ConnectAttempt.textOf(e)).why().withCause(e));
    }
  }

  private static Pick.Drop broken(String why) {
    return Pick.drop(
        Status.INTERNAL.withDescription("the load-balancing policy's picker failed: " + why));
  }

  /** Has calls picked like that from now on, those that wait first of all. In a task. */
  void publish(ConnectivityState state, Picker picker) {
    boolean entersIdle = state == ConnectivityState.IDLE && this.state != state;
    this.state = state;
    this.picker = picker;
    tasks.afterwards(entersIdle ? this::pickPendingInIdle : this::pickPending);
  }

  /** Picks for all that wait: something has changed that they may have missed. In no task. */
  void pickPending() {
    for (Attempt<?, ?> attempt : pending.all()) {
      settle(attempt, Claim.SHARED);
    }
  }

  /** Whoever waits on does so for a connection that nobody makes unless asked to. */
  private void pickPendingInIdle() {
    pickPending();
    if (pending.count() > 0 && state == ConnectivityState.IDLE) {
      exitIdle.run();
    }
  }

  ConnectivityState state() {
    return state;
  }

  /** Why calls fail by now, if they do. */
  Optional<Status> failure(PickArgs args) {
    return pickFor(args) instanceof Pick.Fail fail ? Optional.of(fail.why()) : Optional.empty();
  }

  /** Whether calls wait, or new ones have failed since this was asked last. */
  boolean isWanted() {
    boolean wanted = failed || pending.count() > 0;
    failed = false;
    return wanted;
  }

  /** Nobody waits for a pick or the credentials of this one any more. */
  void forget(Attempt<?, ?> attempt) {
    pending.remove(attempt);
    Runnable unsent = unauthorized.remove(attempt);
    if (unsent != null) {
      unsent.run();
    }
  }

  /**
   * The attempt waits for its credentials, until it is taken or forgotten.
   *
   * @param unsent run if it is forgotten
   */
  void addUnauthorized(Attempt<?, ?> attempt, Runnable unsent) {
    unauthorized.put(attempt, unsent);
    if (attempt.hasEnded() || attempt.isSettled()) {
      forget(attempt); // who ended it may not have found it here
    }
  }

  /** Its credentials have come; false if it was forgotten. */
  boolean takeUnauthorized(Attempt<?, ?> attempt) {
    return unauthorized.remove(attempt) != null;
  }

  boolean isUnauthorized(Attempt<?, ?> attempt) {
    return unauthorized.containsKey(attempt);
  }

  /** Fails all that wait for their credentials. In a task. */
  void failUnauthorized(Status why) {
    for (Attempt<?, ?> attempt : List.copyOf(unauthorized.keySet())) {
      tasks.afterwards(() -> {
        attempt.failBeforeStart(why);
        forget(attempt);
      });
    }
  }

  /** Fails all that wait, whether they wait for ready or not. In a task. */
  void failPending(Status why) {
    failed = false;
    for (Attempt<?, ?> attempt : pending.takeAll()) {
      tasks.afterwards(() -> attempt.failBeforeStart(why));
    }
  }

  /** How often an attempt had to wait. */
  long queued() {
    return queued.sum();
  }

  /** How often an attempt was failed by its pick. */
  long failedPicks() {
    return failedPicks.sum();
  }

  /** What waits, for those who look on. */
  PendingCalls pending() {
    return pending;
  }
}
