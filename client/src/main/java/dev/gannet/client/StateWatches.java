package dev.gannet.client;

import dev.gannet.api.Registration;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.tasks.SerialTasks;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/**
 * The listeners for a channel's states: each is notified in order, one event at a time, and outside
 * the channel's {@link SerialTasks}. Safe for all threads.
 */
final class StateWatches {
  private final SerialTasks tasks;
  private final String target;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();

  /**
   * Nobody listens yet.
   *
   * @param target the channel's target, for the log
   */
  StateWatches(SerialTasks tasks, String target) {
    this.tasks = tasks;
    this.target = target;
  }

  /**
   * Adds a listener, and reports the current state to it; unless it was closed while it waited for
   * this task. Called in a task.
   */
  void add(Watch watch, ConnectivityState state) {
    watches.add(watch);
    if (watch.closed) { // afterwards: who closes it now removes it
      watches.remove(watch);
    } else {
      watch.report(state);
    }
  }

  /** Reports a state to all listeners. Called in a task. */
  void onState(ConnectivityState state) {
    watches.forEach(it -> it.report(state));
  }

  Watch newWatch(Consumer<ConnectivityState> listener) {
    return new Watch(listener);
  }

  /** One listener, and the states that were not reported to it yet. */
  final class Watch implements Registration {
    private final Consumer<ConnectivityState> listener;
    private final Queue<ConnectivityState> unreported = new ConcurrentLinkedQueue<>();
    private final SerialTasks reports = new SerialTasks(target);
    private volatile boolean closed;

    private Watch(Consumer<ConnectivityState> listener) {
      this.listener = listener;
    }

    private void report(ConnectivityState state) {
      unreported.add(state);
      tasks.afterwards(() -> reports.run(this::reportNext));
    }

    private void reportNext() {
      ConnectivityState next = unreported.poll();
      if (next != null && !closed) {
        listener.accept(next);
      }
    }

    @Override
    public void close() {
      closed = true;
      watches.remove(this);
    }
  }
}
