package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.api.engine.Backoff;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.TaskTimer;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Makes another connection of a subchannel whose connections are all full (gRFC A105), one at a
 * time. Its states are not reported: the subchannel is READY meanwhile.
 *
 * <pre>
 *   IDLE ──ask──► ASKED ──the subchannel is READY──► CONNECTING ──SETTINGS──► IDLE
 *    ▲              │not READY any more                  │ │failed
 *    ├──────────────┴──no more connections allowed───────┘ ▼
 *    ├──backoff is over, or no timer can be set──── BACKING OFF
 *    └──stop, from any state
 * </pre>
 *
 * <p>Any thread may ask; everything else happens in the channel's {@link SerialTasks}.
 */
final class AdditionalConnection implements ConnectAttempt.Outcome {
  /** The subchannel; its methods are called in tasks. */
  interface Owner {
    /** Whether there is a connection, and another one is allowed. */
    boolean mayAdd();

    /** A new attempt, with this outcome. */
    ConnectAttempt newAttempt(ConnectAttempt.Outcome outcome);

    void start(ConnectAttempt attempt);

    /** There is another connection. */
    void onAdditional(SubchannelConnection connection);

    void onAdditionalFailed(Status why);

    /** Calls that still wait may ask again. */
    void onMayAsk();
  }

  private sealed interface State {
    record Idle() implements State {}

    record Asked() implements State {}

    record Connecting(ConnectAttempt attempt) implements State {
      @Override
      public void stop() {
        attempt.cancel();
      }
    }

    record BackingOff(TaskTimer timer) implements State {
      @Override
      public void stop() {
        timer.cancel();
      }
    }

    /** Ends the activity of the state. */
    default void stop() {}
  }

  private static final State IDLE = new State.Idle();

  private final ChannelSettings settings;
  private final SerialTasks tasks;
  private final Owner owner;
  private final Backoff backoff;
  private final AtomicReference<State> state = new AtomicReference<>(IDLE);

  /**
   * Initially IDLE.
   *
   * @param backoff the backoff of the address
   */
  AdditionalConnection(ChannelSettings settings, SerialTasks tasks, Backoff backoff, Owner owner) {
    this.settings = settings;
    this.tasks = tasks;
    this.backoff = backoff;
    this.owner = owner;
  }

  /** Calls wait for a stream: makes another connection, unless that is happening. Any thread. */
  void ask() {
    if (state.compareAndSet(IDLE, new State.Asked())) {
      tasks.run(this::connect);
    }
  }

  private void connect() {
    if (!(state.get() instanceof State.Asked)) {
      return; // stopped meanwhile
    }
    if (!owner.mayAdd()) {
      state.set(IDLE);
      return;
    }
    ConnectAttempt attempt = owner.newAttempt(this);
    state.set(new State.Connecting(attempt));
    owner.start(attempt);
  }

  @Override
  public void onReady(ConnectAttempt attempt, SubchannelConnection connection) {
    tasks.run(() -> {
      if (isConnecting(attempt)) {
        backoff.reset();
        owner.onAdditional(connection);
        end();
      } else { // stopped meanwhile
        tasks.afterwards(connection::shutdown);
      }
    });
  }

  @Override
  public void onFailed(ConnectAttempt attempt, Status why) {
    tasks.run(() -> {
      if (isConnecting(attempt)) {
        owner.onAdditionalFailed(why);
        backOff(attempt);
      }
    });
  }

  private boolean isConnecting(ConnectAttempt attempt) {
    return state.get() instanceof State.Connecting connecting && connecting.attempt() == attempt;
  }

  private void backOff(ConnectAttempt failed) {
    TaskTimer timer = new TaskTimer(this::end);
    state.set(new State.BackingOff(timer));
    backoff.onFailure();
    try {
      timer.start(settings.scheduler(), tasks, failed.untilNextNanos());
    } catch (RuntimeException | Error e) {
      state.set(IDLE); // the next call that has to wait asks again
    }
  }

  private void end() {
    state.set(IDLE);
    owner.onMayAsk();
  }

  /** The next attempt may begin at once. */
  void endBackoff() {
    if (state.get() instanceof State.BackingOff backingOff) {
      backingOff.stop();
      end();
    } else if (state.get() instanceof State.Connecting connecting) {
      connecting.attempt().limitBackoff(backoff.delayNanos(settings.scheduler().random()));
    }
  }

  /** No more connections are allowed; a backoff goes on, because it belongs to the address. */
  void stopConnecting() {
    if (!(state.get() instanceof State.BackingOff)) {
      stop();
    }
  }

  /** The last connection is gone, and with it the reason for another one. */
  void stop() {
    state.getAndSet(IDLE).stop();
  }
}
