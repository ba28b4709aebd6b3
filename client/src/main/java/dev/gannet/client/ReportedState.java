package dev.gannet.client;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.subchannel.CallPicker;
import dev.gannet.client.tasks.SerialTasks;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The state of a channel as its users see it: that of the {@link CallPicker} until the channel is
 * shut down. Calls that were started before go on, and the picker with them; users need not wait
 * for that.
 *
 * <pre>
 *   as the picker ──the channel is shut down──► SHUTDOWN
 * </pre>
 *
 * <p>Changes are reported, to listeners and to the trace, in the channel's {@link SerialTasks}.
 */
final class ReportedState {
  private final SerialTasks tasks;
  private final CallPicker picker;
  private final CallGate gate;
  private final EventLog events;
  private final StateWatches watches;

  /** The state that was reported last. Used in tasks only. */
  private ConnectivityState reported = ConnectivityState.IDLE;

  /**
   * Initially that of the picker, IDLE; nobody listens yet.
   *
   * @param target the channel's target, for the log
   */
  ReportedState(
      SerialTasks tasks, String target, CallPicker picker, CallGate gate, EventLog events) {
    this.tasks = tasks;
    this.picker = picker;
    this.gate = gate;
    this.events = events;
    this.watches = new StateWatches(tasks, target);
  }

  /** The state now. Any thread. */
  ConnectivityState current() {
    return gate.isShutDown() ? ConnectivityState.SHUTDOWN : picker.state();
  }

  /** The picker has changed, or the channel is shut down. In a task. */
  void update() {
    ConnectivityState now = current();
    if (now != reported) {
      reported = now;
      trace(now);
      watches.onState(now);
    }
  }

  private void trace(ConnectivityState now) {
    String text = "channel is " + now;
    if (now != ConnectivityState.TRANSIENT_FAILURE) {
      events.add(EventLog.Severity.INFO, text);
      return;
    }
    Optional<Status> why = picker.failure();
    if (why.isPresent()) {
      events.add(EventLog.Severity.WARNING, text, why.get().toString());
    } else { // a policy's own picker knows why, call by call
      events.add(EventLog.Severity.WARNING, text);
    }
  }

  /** Reports all states to this listener, beginning with the current one. Any thread. */
  Registration watch(Consumer<ConnectivityState> listener) {
    StateWatches.Watch watch = watches.newWatch(listener);
    tasks.run(() -> {
      update(); // the task of a thread that shuts the channel down may come later
      watches.add(watch, reported);
    });
    return watch;
  }
}
