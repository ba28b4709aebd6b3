package dev.gannet.client.call;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Attempts of calls that have their connection, and wait for their call credentials. Safe for all
 * threads.
 *
 * <p>Write-then-check: a thread adds an attempt, then checks whether it has ended; the thread that
 * ends an attempt forgets it here afterwards. The thread that removes an attempt decides how it
 * continues.
 */
final class UnauthorizedCalls {
  /** The attempts, and what is run if they end before. */
  private final Map<Attempt<?, ?>, Runnable> attempts = new ConcurrentHashMap<>();

  /**
   * The attempt waits for its credentials, until it is taken or forgotten.
   *
   * @param unsent run if it is forgotten
   */
  void add(Attempt<?, ?> attempt, Runnable unsent) {
    attempts.put(attempt, unsent);
    if (attempt.hasEnded()) {
      forget(attempt); // the thread that ended it may not have found it here
    }
  }

  /** Its credentials have arrived, or never will; returns false if it was forgotten. */
  boolean take(Attempt<?, ?> attempt) {
    return attempts.remove(attempt) != null;
  }

  /** The attempt has ended. */
  void forget(Attempt<?, ?> attempt) {
    Runnable unsent = attempts.remove(attempt);
    if (unsent != null) {
      unsent.run();
    }
  }

  boolean contains(Attempt<?, ?> attempt) {
    return attempts.containsKey(attempt);
  }

  /** The current ones; they are not removed. */
  List<Attempt<?, ?>> all() {
    return List.copyOf(attempts.keySet());
  }
}
