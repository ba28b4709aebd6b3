package dev.gannet.client.retry;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The attempts of one call by the policy of its method (gRFC A6): which of them run, whether and
 * when another one begins, and which one the call is committed to.
 *
 * <pre>
 *   NEW ──begin──► TRYING ──commit──► COMMITTED (the events of one attempt are the call's)
 *    │              │ ▲ │ ▲
 *    │              │ │ └─┴─join (hedging: one more in parallel)
 *    │              │ │
 *    │   drop, and  │ │ join
 *    │   none runs  ▼ │
 *    │           BACKING_OFF
 *    │              │ cancel; onTime if the channel is throttled; onNoTime
 *    └──cancel──────┴──────────► OVER (the call ends without an attempt)
 * </pre>
 *
 * <p>The contract: each input is a method, which changes the state and returns what its caller has
 * to do. Nothing is done here: there is no lock, no clock, no timer and no stream. The caller calls
 * one method at a time, which it ensures by a lock of its own; only {@link #running} and {@link
 * #committed} may be read without it. An attempt is any object that stands for one; transparent
 * retries of an attempt belong to it.
 *
 * <pre>
 *   input         NEW        TRYING                BACKING_OFF           COMMITTED    OVER
 *   begin         TRYING     -                     -                     -            -
 *   fail          IGNORE     the policy decides    IGNORE                COMMIT (1)   IGNORE
 *   drop          -          BACKING_OFF (2)       -                     -            -
 *   onTime        IGNORE     Begin, IGNORE (3)     Begin, OVER: END (3)  IGNORE       IGNORE
 *   onNoTime      IGNORE     IGNORE                OVER: END (4)         IGNORE       IGNORE
 *   join          NOT_NEEDED joins                 joins: TRYING         NOT_NEEDED   NOT_NEEDED
 *   commit        no         COMMITTED             no                    no           no
 *   cancel        OVER: END  COMMIT                OVER: END             COMMIT       IGNORE
 *   endUnbegun    OVER       no                    no                    no           no
 *
 *   (1) if it is the attempt that the call is committed to; in all states, the failure of an
 *       attempt that does not run is ignored, and the attempt can be neither dropped nor committed
 *   (2) if no other attempt runs; TRYING otherwise
 *   (3) if the policy hedges and the channel is throttled; but (4)
 *   (4) IGNORE if another attempt is about to begin
 *
 *   the policy says                no other runs or begins    others do
 *   Finish                         COMMIT                     COMMIT
 *   NoMore                         COMMIT                     CONTINUE
 *   Another, after a delay         BackOff                    BackOff
 *   Another, without a delay       Begin                      Begin
 *
 *   After NoMore, or a hedge whose time came while the channel was throttled, Another is NoMore.
 *   From BackOff until the next Begin, the policy's delay begins no attempt: also not after an
 *   attempt that joins in between.
 * </pre>
 */
public final class CallAttempts<A> {
  /** Where the call is. */
  public enum State {
    /** No attempt has begun. */
    NEW,
    /** Attempts run, and none is chosen. */
    TRYING,
    /** None runs, and another one follows. */
    BACKING_OFF,
    /** One attempt is chosen: the call ends with it. */
    COMMITTED,
    /** The call ends, or has ended, without an attempt. */
    OVER
  }

  /** What the caller does next. */
  public sealed interface Decision {}

  /** A decision that needs no more words. */
  public enum Verdict implements Decision {
    /** Nothing: the input came too late. */
    IGNORE,
    /** Commits the call to the attempt that has failed; or to the newest, if it is cancelled. */
    COMMIT,
    /** Drops the failed attempt and stops the timer: the other attempts decide. */
    CONTINUE,
    /** Ends the call without an attempt. */
    END
  }

  /**
   * Drops the failed attempt, if one has failed, stops the timer, makes another attempt, and has it
   * join.
   *
   * @param previousAttempts the number of attempts before it
   */
  public record Begin(int previousAttempts) implements Decision {}

  /**
   * Drops the failed attempt, and sets the timer for the next one in place of any other timer. If
   * none can be set, the caller reports that by {@link #stop} and {@link #onNoTime}.
   */
  public record BackOff(long delayNanos) implements Decision {}

  /** What becomes of an attempt that joins. */
  public enum Joining {
    /** The attempt must not start: the call is committed, or over. */
    NOT_NEEDED,
    /** The attempt runs. */
    RUNS,
    /** The attempt runs, and is the only and last one: to be committed at once. */
    RUNS_LAST
  }

  /** What makes another attempt begin while others run. */
  private enum Further {
    /** The time at which it is due, or the failure of another one. */
    ON_TIME_OR_FAILURE,
    /** The time that a failure has set, by a pushback or a backoff; or the failure of another. */
    AFTER_BACKOFF,
    /** The failure of another one: a timer is missing. */
    ON_FAILURE,
    /** Nothing: the server forbids it by a pushback, or the channel is throttled. */
    NEVER
  }

  private State state = State.NEW;

  /** The number of attempts that have begun or are about to. */
  private int begun;

  /** The number of those when the server last sent a pushback. */
  private int begunAtPushback;

  /** The number of attempts that are about to join. */
  private int beginning;

  private Further further = Further.ON_TIME_OR_FAILURE;

  /** The attempt whose failure the policy was last told of, until it is dropped. */
  private @Nullable A counted;

  /** The request is not kept any more, so that the next attempt is the last. */
  private boolean overflowed;

  // Read by any thread.

  /** Null if none has begun: a volatile write costs a fence. */
  private volatile @Nullable List<A> running;

  private volatile @Nullable A committed;

  public State state() {
    return state;
  }

  /** The attempts that run, in the order in which they joined. Any thread. */
  public List<A> running() {
    List<A> now = running;
    return now == null ? List.of() : now;
  }

  /** The attempt that the call is committed to; null before that. Any thread. */
  public @Nullable A committed() {
    return committed;
  }

  /** The number of attempts that have begun or are about to. */
  public int begun() {
    return begun;
  }

  // How attempts begin.

  /** The first attempt begins, unless the call is over. */
  public void begin(A first) {
    if (state == State.NEW) {
      state = State.TRYING;
      begun = 1;
      running = List.of(first);
    }
  }

  /**
   * Whether another attempt begins after the policy's delay, although none has failed. Not while
   * one is due at the time that a failure has set, because a server may have asked for that.
   */
  public boolean hedges(AttemptPolicy policy) {
    return state == State.TRYING && further == Further.ON_TIME_OR_FAILURE && policy.mayHedge(begun);
  }

  /** A timer is missing: no attempt begins without a failure. */
  public void stop() {
    if (further != Further.NEVER) {
      further = Further.ON_FAILURE;
    }
  }

  /** The timer for the next attempt has fired. */
  public Decision onTime(AttemptPolicy policy) {
    if (state != State.TRYING && state != State.BACKING_OFF) {
      return Verdict.IGNORE;
    }
    if (policy.mayBeginOnTime()) {
      return another();
    }
    further = Further.NEVER;
    return endIfNoneFollows();
  }

  /** The timer for the next attempt cannot be set. */
  public Decision onNoTime() {
    return endIfNoneFollows();
  }

  private Verdict endIfNoneFollows() {
    if (state != State.BACKING_OFF || beginning > 0) {
      return Verdict.IGNORE;
    }
    state = State.OVER;
    return Verdict.END;
  }

  /** The next attempt begins, so that the one after it may follow by the policy's delay. */
  private Begin another() {
    if (further == Further.AFTER_BACKOFF) {
      further = Further.ON_TIME_OR_FAILURE;
    }
    beginning++;
    return new Begin(begun++);
  }

  /** The attempt that follows a {@link Begin} is ready. */
  public Joining join(A next, AttemptPolicy policy) {
    beginning--;
    if (state != State.TRYING && state != State.BACKING_OFF) {
      return Joining.NOT_NEEDED;
    }
    state = State.TRYING;
    List<A> all = new ArrayList<>(running());
    all.add(next);
    running = List.copyOf(all);
    return overflowed || policy.isLast(begun) ? Joining.RUNS_LAST : Joining.RUNS;
  }

  /** The request is too large to be kept: the next attempt that joins is the last. */
  public void onOverflow() {
    overflowed = true;
  }

  // How they end.

  /**
   * An attempt has failed: usually before the call was committed. After another decision than
   * IGNORE, it is committed or dropped. The policy is told once, even if it fails again.
   */
  public Decision fail(
      A attempt, AttemptPolicy policy, AttemptPolicy.Failure failure, RandomGenerator random) {
    boolean chosen = attempt.equals(committed);
    if (!chosen && !isUndecided(attempt)) {
      return Verdict.IGNORE;
    }
    if (isCounted(attempt)) { // it was late, and ends because of that
      return Verdict.COMMIT;
    }
    counted = attempt;
    if (chosen) {
      policy.countFailure(failure);
      return Verdict.COMMIT;
    }
    int backoffs = begun - 1 - begunAtPushback;
    if (failure.pushback() instanceof Pushback.After) {
      begunAtPushback = begun;
    }
    AttemptPolicy.History history = new AttemptPolicy.History(begun, backoffs);
    return switch (policy.afterFailure(failure, history, random)) {
      case AttemptPolicy.Next.Finish() -> Verdict.COMMIT;
      case AttemptPolicy.Next.NoMore() -> noMore();
      case AttemptPolicy.Next.Another(long delayNanos) -> {
        if (further == Further.NEVER) {
          yield noMore();
        }
        yield delayNanos > 0 ? backOff(delayNanos) : another();
      }
    };
  }

  private BackOff backOff(long delayNanos) {
    if (further == Further.ON_TIME_OR_FAILURE) {
      further = Further.AFTER_BACKOFF;
    }
    return new BackOff(delayNanos);
  }

  /** Whether the policy was told of the failure of this attempt. */
  public boolean isCounted(A attempt) {
    return attempt.equals(counted);
  }

  private Verdict noMore() {
    further = Further.NEVER;
    return running().size() == 1 && beginning == 0 ? Verdict.COMMIT : Verdict.CONTINUE;
  }

  /** The failed attempt does not run any more. */
  public void drop(A failed) {
    if (isUndecided(failed)) {
      counted = null;
      List<A> left = running().stream().filter(it -> !it.equals(failed)).toList();
      running = left;
      state = left.isEmpty() ? State.BACKING_OFF : State.TRYING;
    }
  }

  /** Whether the call can be committed to the attempt: it runs, and none is chosen. */
  public boolean isUndecided(A attempt) {
    return state == State.TRYING && running().contains(attempt);
  }

  /** The call is committed to the attempt, if it can be; the others do not run any more. */
  public void commit(A attempt) {
    if (isUndecided(attempt)) {
      state = State.COMMITTED;
      if (running().size() > 1) {
        running = List.of(attempt);
      }
      committed = attempt;
    }
  }

  /** The call is cancelled, or its deadline has passed. */
  public Decision cancel() {
    return switch (state) {
      case NEW, BACKING_OFF -> {
        state = State.OVER;
        yield Verdict.END;
      }
      case TRYING, COMMITTED -> Verdict.COMMIT;
      case OVER -> Verdict.IGNORE;
    };
  }

  /**
   * An attempt that does not run has ended. Returns whether that ends the call, because none has
   * begun.
   */
  public boolean endUnbegun() {
    if (state != State.NEW) {
      return false;
    }
    state = State.OVER;
    return true;
  }
}
