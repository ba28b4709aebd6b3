package dev.gannet.client.call;

import java.util.function.LongBinaryOperator;

/**
 * How long a call has waited so far, and for what. Attempts may wait in parallel, so what they have
 * in common counts once, as the wait that has ended first. Immutable.
 *
 * @param fromNanos when the last counted wait began, together with the waits that overlap it
 * @param untilNanos when it ended
 */
record WaitedTime(Times times, long fromNanos, long untilNanos) {
  /** For what an attempt waits. */
  interface Purpose {
    Purpose STREAM = (from, to) -> new Times(0, to - from, 0);

    Purpose CREDENTIALS = (from, to) -> new Times(0, 0, to - from);

    /**
     * A connection, and before that the addresses.
     *
     * @param ofResolver how much of the time between two instants was spent on finding addresses
     */
    static Purpose connection(LongBinaryOperator ofResolver) {
      return (from, to) -> {
        long resolver = ofResolver.applyAsLong(from, to);
        return new Times(resolver, to - from - resolver, 0);
      };
    }

    /** As what the time between two instants counts. */
    Times between(long fromNanos, long toNanos);
  }

  /**
   * The time that is counted.
   *
   * @param resolverNanos for addresses
   * @param queueNanos for a connection or a stream in addition to that
   * @param credentialsNanos for call credentials
   */
  record Times(long resolverNanos, long queueNanos, long credentialsNanos) {
    static final Times NONE = new Times(0, 0, 0);

    private Times plus(Times more) {
      return new Times(
          resolverNanos + more.resolverNanos,
          queueNanos + more.queueNanos,
          credentialsNanos + more.credentialsNanos);
    }

    /** All of it. */
    long sumNanos() {
      return resolverNanos + queueNanos + credentialsNanos;
    }
  }

  /** After a first wait. */
  static WaitedTime first(long sinceNanos, long nowNanos, Purpose purpose) {
    return new WaitedTime(Times.NONE, sinceNanos, sinceNanos).until(nowNanos, purpose);
  }

  /** After another wait, which ends now. */
  WaitedTime and(long sinceNanos, long nowNanos, Purpose purpose) {
    if (sinceNanos - untilNanos > 0) {
      return new WaitedTime(times, sinceNanos, sinceNanos).until(nowNanos, purpose);
    }
    WaitedTime longer = until(nowNanos, purpose);
    return fromNanos - sinceNanos > 0
        ? longer.plus(sinceNanos, fromNanos, purpose).reaching(sinceNanos, longer.untilNanos)
        : longer;
  }

  private WaitedTime until(long nowNanos, Purpose purpose) {
    return nowNanos - untilNanos > 0
        ? plus(untilNanos, nowNanos, purpose).reaching(fromNanos, nowNanos)
        : this;
  }

  private WaitedTime reaching(long from, long until) {
    return new WaitedTime(times, from, until);
  }

  private WaitedTime plus(long from, long to, Purpose purpose) {
    return new WaitedTime(times.plus(purpose.between(from, to)), fromNanos, untilNanos);
  }
}
