package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.Scheduler;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of a channel that have started and have no stream, and do not wait for a connection
 * either: they wait for their credentials, for their request, or for the next attempt. No
 * connection ends them when the channel is closing, so they are ended here. Safe for all threads.
 *
 * <p>Write-then-check: a thread adds a call, then checks whether the channel is closing; a thread
 * lets the channel close, then ends the calls that it finds. At least one of the two sees the
 * other.
 */
public final class CallsWithoutStream {
  /** The state of the channel. Safe for all threads. */
  public interface Owner {
    /** Why calls end that no connection would end; empty unless the channel is closing. */
    Optional<Status> closingReason();
  }

  private final Owner channel;
  private final SerialTasks tasks;
  private final UnauthorizedCalls unauthorized;
  private final UnsentCalls unsent;

  /** Calls between two attempts. */
  private final Set<RetryingCall<?, ?>> backingOff = ConcurrentHashMap.newKeySet();

  public CallsWithoutStream(Owner channel, SerialTasks tasks, Scheduler scheduler) {
    this.channel = channel;
    this.tasks = tasks;
    this.unauthorized = new UnauthorizedCalls(scheduler);
    this.unsent = new UnsentCalls(scheduler);
  }

  /** Attempts that wait for their call credentials. */
  UnauthorizedCalls unauthorized() {
    return unauthorized;
  }

  /** Calls that have begun, and have nothing to send yet. */
  UnsentCalls unsent() {
    return unsent;
  }

  /**
   * The attempt waits for its credentials from now on.
   *
   * @param onUnsent run if it ends while it waits
   */
  void addUnauthorized(Attempt<?, ?> attempt, Runnable onUnsent) {
    unauthorized.add(attempt, onUnsent);
    endIfClosing(attempt.call());
  }

  /** The call has begun, and may have nothing to send for a long time. */
  void addUnsent(OutgoingCall<?, ?> call) {
    unsent.add(call);
    endIfClosing(call);
  }

  /** The call has no attempt for a while. */
  void addBackingOff(RetryingCall<?, ?> call) {
    backingOff.add(call);
    endIfClosing(call);
  }

  void removeBackingOff(RetryingCall<?, ?> call) {
    backingOff.remove(call);
  }

  /** Write-then-check with {@link #endAll}: the call is added first, then the phase is read. */
  void endIfClosing(OutgoingCall<?, ?> call) {
    channel.closingReason().ifPresent(call::cancelWith);
  }

  /**
   * Ends all calls. In a task.
   *
   * <p>Write-then-check with {@link #endIfClosing}: the channel has begun to close first, then the
   * calls are read.
   */
  public void endAll(Status why) {
    unauthorized
        .all()
        .forEach(it ->
            tasks.afterwards(() -> {
              it.failBeforeStart(why);
              unauthorized.forget(it);
            }));
    backingOff.forEach(it -> tasks.afterwards(() -> it.cancelWith(why)));
    unsent.takeAll().forEach(it -> tasks.afterwards(() -> it.cancelWith(why)));
  }
}
