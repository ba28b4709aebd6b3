package dev.gannet.client;

import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.TaskTimer;
import dev.gannet.transport.Scheduler;
import java.time.Duration;

/**
 * Answers a policy that asks for addresses while the resolver may not be asked: it gets the last
 * failure again. What the policy asks while it gets the answer is not answered: it knows. Between
 * answers are 100 ms, so that a policy that asks a moment later does not keep the channel busy.
 *
 * <pre>
 *   READY ──ask──► ANSWERING ──the policy has the answer──► PAUSING ──ask──► ASKED
 *     ▲                ▲                                       │               │
 *     └────────────────┼───────────────100 ms──────────────────┘               │
 *                      └───────────────────────────100 ms──────────────────────┘
 * </pre>
 *
 * <p>Only used in the channel's {@link SerialTasks}.
 */
final class RepeatedFailure {
  /** Gives the policy its answer. */
  interface Owner {
    /** Gives the policy the last failure, if it may still not ask the resolver. */
    void repeatFailure();
  }

  private enum State {
    READY,
    ANSWERING,
    PAUSING,
    ASKED
  }

  private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

  private final Scheduler scheduler;
  private final SerialTasks tasks;
  private final Owner owner;
  private State state = State.READY;

  /**
   * Nothing was asked.
   *
   * @param owner knows the failure
   */
  RepeatedFailure(Scheduler scheduler, SerialTasks tasks, Owner owner) {
    this.scheduler = scheduler;
    this.tasks = tasks;
    this.owner = owner;
  }

  /** The policy asks for addresses. */
  void ask() {
    if (state == State.READY) {
      answer();
    } else if (state == State.PAUSING) {
      state = State.ASKED;
    }
  }

  private void answer() {
    state = State.ANSWERING;
    owner.repeatFailure();
    tasks.run(this::pause); // after the requests that the answer has caused
  }

  private void pause() {
    state = State.PAUSING;
    try {
      new TaskTimer(this::onPauseOver).start(scheduler, tasks, PAUSE_NANOS);
    } catch (RuntimeException | Error e) { // a loop that ends may throw an Error
      state = State.READY;
    }
  }

  private void onPauseOver() {
    if (state == State.ASKED) {
      answer();
    } else {
      state = State.READY;
    }
  }
}
