package dev.gannet.client.call;

import dev.gannet.transport.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Attempts of calls that have their connection, and wait for their call credentials. Safe for all
 * threads.
 *
 * <p>Write-then-check: a thread adds an attempt, then checks whether it has ended; the thread that
 * ends an attempt forgets it here afterwards. The thread that removes an attempt decides how it
 * continues; the call records how long it has waited.
 */
final class UnauthorizedCalls {
  /** Since when an attempt waits, and what is run if it ends before. */
  private record Waiting(long sinceNanos, Runnable onUnsent) {}

  private final Scheduler scheduler;
  private final Map<Attempt<?, ?>, Waiting> attempts = new ConcurrentHashMap<>();

  UnauthorizedCalls(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * The attempt waits for its credentials, until it is taken or forgotten.
   *
   * @param unsent run if it is forgotten
   */
  void add(Attempt<?, ?> attempt, Runnable unsent) {
    attempts.put(attempt, new Waiting(scheduler.nanoTime(), unsent));
    // write-then-check with Attempt.end and OutgoingCall.endLate: added first, then the end
    if (attempt.hasEnded()) {
      forget(attempt);
    }
  }

  /** The attempt's credentials have arrived, or never will; false if it was forgotten. */
  boolean take(Attempt<?, ?> attempt) {
    return remove(attempt) != null;
  }

  /** The attempt has ended. */
  void forget(Attempt<?, ?> attempt) {
    Waiting removed = remove(attempt);
    if (removed != null) {
      removed.onUnsent().run();
    }
  }

  private @Nullable Waiting remove(Attempt<?, ?> attempt) {
    Waiting removed = attempts.remove(attempt);
    if (removed != null) {
      attempt.onWaitedForCredentials(removed.sinceNanos());
    }
    return removed;
  }

  /** Since when the attempt waits; empty if it does not. */
  OptionalLong sinceNanos(Attempt<?, ?> attempt) {
    Waiting waiting = attempts.get(attempt);
    return waiting == null ? OptionalLong.empty() : OptionalLong.of(waiting.sinceNanos());
  }

  boolean contains(Attempt<?, ?> attempt) {
    return attempts.containsKey(attempt);
  }

  /** The current ones; they are not removed. */
  List<Attempt<?, ?>> all() {
    return List.copyOf(attempts.keySet());
  }
}
