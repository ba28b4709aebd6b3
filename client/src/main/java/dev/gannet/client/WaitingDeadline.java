package dev.gannet.client;

import dev.gannet.api.Deadline;
import dev.gannet.transport.pipe.PipeProvider;

/**
 * Ends a call whose deadline passes before there is a connection; connections watch the deadlines
 * of their own calls.
 */
final class WaitingDeadline {
  private final PipeProvider.Cancellable timer;

  private WaitingDeadline(PipeProvider.Cancellable timer) {
    this.timer = timer;
  }

  static WaitingDeadline watch(PipeProvider pipes, Deadline deadline, OutgoingCall<?, ?> call) {
    return new WaitingDeadline(
        pipes.schedule(call::onWaitingDeadline, Math.max(0, deadline.remainingNanos())));
  }

  void cancel() {
    timer.cancel();
  }
}
