package dev.gannet.client.call;

import dev.gannet.client.retry.RequestBuffer.Entry;

/**
 * How far a {@link RetryingCall} has got. As long as its first attempt may answer it alone, this is
 * all that is kept of it: no lock, no buffer, one object. As soon as anything else happens, such as
 * a failure or a cancellation, a {@link RetryState} is made that is what it would be if it had been
 * kept from the start, and everything after that is its work.
 *
 * <pre>
 *   none ──begins──► Begun ──its single request is sent──► Sent
 *     │                │ │                                  │ │
 *     │                │ └────its response begins───────────┼─┴────► Answered
 *     └────────────────┴──────────anything else─────────────┴─────────┴──► RetryState
 * </pre>
 *
 * <p>Calls with a stream of requests, with call credentials, with a policy that needs time before
 * an attempt has failed, or without known settings have a RetryState from their begin; a request
 * that is not free by the {@link dev.gannet.client.retry.ReplayLimits} makes one.
 */
sealed interface Course<Q, R> permits Course.Begun, Course.Sent, Course.Answered, RetryState {
  /** The first attempt has begun. */
  record Begun<Q, R>() implements Course<Q, R> {
    private static final Begun<?, ?> INSTANCE = new Begun<>();
  }

  /**
   * The first attempt was given the whole request, which is kept for others.
   *
   * @param sizeBytes of the message before compression; asked once, because the application may
   *     change the message afterwards
   */
  record Sent<Q, R>(Q message, boolean compressed, int sizeBytes) implements Course<Q, R> {
    Entry<Q> entry() {
      return Entry.whole(message, compressed);
    }
  }

  /** The call is committed to the first attempt; nothing is kept. */
  record Answered<Q, R>() implements Course<Q, R> {
    private static final Answered<?, ?> INSTANCE = new Answered<>();
  }

  @SuppressWarnings("unchecked") // it has nothing of any type
  static <Q, R> Course<Q, R> begun() {
    return (Course<Q, R>) Begun.INSTANCE;
  }

  @SuppressWarnings("unchecked") // it has nothing of any type
  static <Q, R> Course<Q, R> answered() {
    return (Course<Q, R>) Answered.INSTANCE;
  }
}
