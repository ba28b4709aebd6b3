package dev.gannet.client.call;

import java.util.function.LongBinaryOperator;

/**
 * How long a call has waited so far. Attempts may wait in parallel, so what they have in common
 * counts once. Immutable.
 *
 * @param resolverNanos how long for addresses
 * @param queueNanos for a connection or a stream in addition to that
 * @param fromNanos when the last counted wait began, together with the waits that overlap it
 * @param untilNanos when it ended
 */
record WaitedTime(long resolverNanos, long queueNanos, long fromNanos, long untilNanos) {
  /** After a first wait. */
  static WaitedTime first(long sinceNanos, long nowNanos, LongBinaryOperator ofResolver) {
    return new WaitedTime(0, 0, sinceNanos, sinceNanos).until(nowNanos, ofResolver);
  }

  /**
   * After another wait, which ends now.
   *
   * @param ofResolver how much of the time between two instants was spent on finding addresses
   */
  WaitedTime and(long sinceNanos, long nowNanos, LongBinaryOperator ofResolver) {
    if (sinceNanos - untilNanos > 0) {
      return new WaitedTime(resolverNanos, queueNanos, sinceNanos, sinceNanos)
          .until(nowNanos, ofResolver);
    }
    WaitedTime longer = until(nowNanos, ofResolver);
    return fromNanos - sinceNanos > 0
        ? longer.plus(sinceNanos, fromNanos, ofResolver).reaching(sinceNanos, longer.untilNanos)
        : longer;
  }

  private WaitedTime until(long nowNanos, LongBinaryOperator ofResolver) {
    return nowNanos - untilNanos > 0
        ? plus(untilNanos, nowNanos, ofResolver).reaching(fromNanos, nowNanos)
        : this;
  }

  private WaitedTime reaching(long from, long until) {
    return new WaitedTime(resolverNanos, queueNanos, from, until);
  }

  private WaitedTime plus(long from, long to, LongBinaryOperator ofResolver) {
    long resolver = ofResolver.applyAsLong(from, to);
    return new WaitedTime(
        resolverNanos + resolver, queueNanos + (to - from) - resolver, fromNanos, untilNanos);
  }
}
