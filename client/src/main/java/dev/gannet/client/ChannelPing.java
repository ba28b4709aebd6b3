package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A PING on a connection of a channel, and the future of its answer.
 *
 * <pre>
 *   SENT ──answer, connection lost, keepAliveTimeout──► DONE
 * </pre>
 */
final class ChannelPing implements ClientTransport.Ping {
  private final Executor executor;
  private final CompletableFuture<Duration> answer = new CompletableFuture<>();
  private volatile Scheduler.@Nullable Cancellable timer;

  ChannelPing(Executor executor) {
    this.executor = executor;
  }

  /** Sends it, with a timeout for the answer. */
  CompletableFuture<Duration> send(
      ClientTransport transport, Scheduler scheduler, long timeoutNanos) {
    Status late =
        Status.DEADLINE_EXCEEDED.withDescription(
            "no answer to a PING from "
                + transport.connection().remoteAddress()
                + " in "
                + Duration.ofNanos(timeoutNanos).toMillis()
                + " ms (keepAliveTimeout)");
    try {
      timer = scheduler.schedule(() -> onFailed(late), timeoutNanos);
    } catch (RuntimeException | Error e) {
      return failed(Status.UNAVAILABLE.withDescription("the PING cannot be timed").withCause(e));
    }
    transport.ping(this);
    return answer;
  }

  static CompletableFuture<Duration> failed(Status why) {
    return CompletableFuture.failedFuture(why.asException());
  }

  @Override
  public void onAnswer(long roundTripNanos) {
    end(() -> answer.complete(Duration.ofNanos(roundTripNanos)));
  }

  @Override
  public void onFailed(Status why) {
    end(() -> answer.completeExceptionally(why.asException()));
  }

  @Override
  public boolean isOver() {
    return answer.isDone();
  }

  /** Code that depends on the future belongs to users and must not block an event loop. */
  private void end(Runnable completion) {
    Scheduler.Cancellable started = timer;
    if (started != null) {
      started.cancel();
    }
    try {
      executor.execute(completion);
    } catch (RuntimeException | Error e) { // rejected, or a user's executor is broken
      completion.run();
    }
  }
}
