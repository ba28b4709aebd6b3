package dev.gannet.client.call;

import dev.gannet.client.retry.RequestBuffer;
import java.util.List;

/** What the thread that gives a call the next entry of its request does with it. */
sealed interface Feeding<Q, R> {
  /** Sends this entry, and those that follow meanwhile, to the attempt. */
  record Send<Q, R>(CountedAttempt<Q, R> attempt, RequestBuffer.Entry<Q> first)
      implements Feeding<Q, R> {}

  /** Sends each of these attempts what it lacks; nothing if there is none. The entry is kept. */
  record SendRest<Q, R>(List<CountedAttempt<Q, R>> attempts) implements Feeding<Q, R> {}

  /**
   * The entry is too large to be kept: commits the call to the attempt that has got most of the
   * request, and gives the entry again.
   */
  record Commit<Q, R>(CountedAttempt<Q, R> farthest) implements Feeding<Q, R> {}

  /** Ends the call: the entry is too large, and there is no attempt. */
  record NoRoom<Q, R>() implements Feeding<Q, R> {}
}
