package dev.gannet.transport.inprocess;

import dev.gannet.api.Deadline;
import dev.gannet.api.Status;
import dev.gannet.transport.ExceededDeadline;
import dev.gannet.transport.Scheduler.Cancellable;
import dev.gannet.transport.settings.CallBounds;
import dev.gannet.transport.settings.ServerDeadline;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A timer that ends a call when its deadline passes. The call has at most one at a time, cancels it
 * when it ends, and starts it for:
 *
 * <pre>
 *   while the call                          the timer runs until
 *   waits for a permit                      the client's deadline
 *   is served                               that, or the server's limit if this is earlier
 *   has ended by the server's limit,
 *     and its end waits behind messages     the end of the grace
 * </pre>
 *
 * <p>The client's deadline ends the call at once, the server's limit behind the unread messages,
 * and the end of the grace in place of them. A timer that expires after the call has ended does
 * nothing, so it may be cancelled late.
 */
final class CallTimer implements Runnable {
  private final InProcessClientStream<?, ?> call;
  private final ServerDeadline deadline;

  /** Set before other threads see the timer. */
  private @Nullable Cancellable scheduled;

  private CallTimer(InProcessClientStream<?, ?> call, ServerDeadline deadline) {
    this.call = call;
    this.deadline = deadline;
  }

  /** Starts a timer for a deadline that is set. */
  static CallTimer start(InProcessClientStream<?, ?> call, ServerDeadline deadline) {
    CallTimer timer = new CallTimer(call, deadline);
    long nanos = Math.max(0, deadline.remainingNanos());
    timer.scheduled = call.inProcess().scheduler().schedule(timer, nanos);
    return timer;
  }

  /** Until when a server with these limits serves the call, if it begins now. */
  static ServerDeadline deadline(InProcessClientStream<?, ?> call, CallBounds limits) {
    return limits.deadline(clientsNanos(call), call.inProcess().clock());
  }

  private static OptionalLong clientsNanos(InProcessClientStream<?, ?> call) {
    Optional<Deadline> deadline = call.start().deadline();
    return deadline.isPresent()
        ? OptionalLong.of(deadline.get().remainingNanos())
        : OptionalLong.empty();
  }

  void cancel() {
    Cancellable started = scheduled;
    if (started != null) {
      started.cancel();
    }
  }

  /** The time is over. */
  @Override
  public void run() {
    Status late = deadline.lateStatus();
    if (deadline.isClients()) {
      call.endBoth(ExceededDeadline.of(call.start().deadline(), where()), late);
    } else if (deadline.endsAtOnce()) {
      call.execute(() -> call.onGraceOver(late));
    } else {
      call.execute(() -> call.onServersLimit(deadline));
    }
  }

  private String where() {
    SocketAddress server = call.connection().remoteAddress();
    return call.isWaiting()
        ? "waiting for a free stream to "
            + server
            + ", which accepts no more calls on a connection (maxConcurrentCallsPerConnection of"
            + " its ServerBuilder)"
        : "waiting for the response of " + server;
  }
}
