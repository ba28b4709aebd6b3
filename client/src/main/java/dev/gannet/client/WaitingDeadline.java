package dev.gannet.client;

import dev.gannet.api.Deadline;
import dev.gannet.transport.pipe.PipeProvider;

/**
 * Watches the deadline of a call while no connection does: before there is one, and when the
 * server's end of the call waits for its reader.
 */
final class WaitingDeadline {
  private final PipeProvider.Cancellable timer;

  private WaitingDeadline(PipeProvider.Cancellable timer) {
    this.timer = timer;
  }

  static WaitingDeadline watch(PipeProvider pipes, Deadline deadline, Runnable onPassed) {
    return new WaitingDeadline(pipes.schedule(onPassed, Math.max(0, deadline.remainingNanos())));
  }

  void cancel() {
    timer.cancel();
  }
}
