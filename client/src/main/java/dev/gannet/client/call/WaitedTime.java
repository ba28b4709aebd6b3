package dev.gannet.client.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;

/**
 * How long a call has waited so far, and for what. Attempts may wait in parallel, so what they have
 * in common counts once, as the wait that has ended first. Immutable.
 *
 * @param spans when it waited, in their order; no two of them overlap
 */
record WaitedTime(Times times, List<Span> spans) {
  WaitedTime {
    spans = List.copyOf(spans);
  }

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

    /** With the time between these two instants, if the second one is later. */
    private Times plus(long fromNanos, long toNanos, Purpose purpose) {
      if (toNanos - fromNanos <= 0) {
        return this;
      }
      Times more = purpose.between(fromNanos, toNanos);
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

  /** A wait, together with those that overlap it. */
  record Span(long fromNanos, long untilNanos) {
    boolean overlaps(long from, long until) {
      return untilNanos - from >= 0 && until - fromNanos >= 0;
    }
  }

  /** After a first wait. */
  static WaitedTime first(long sinceNanos, long nowNanos, Purpose purpose) {
    return new WaitedTime(Times.NONE, List.of()).and(sinceNanos, nowNanos, purpose);
  }

  /** After another wait, which ends now. */
  WaitedTime and(long sinceNanos, long nowNanos, Purpose purpose) {
    List<Span> all = new ArrayList<>(spans.size() + 1);
    Times sum = times;
    long from = sinceNanos;
    long uncounted = sinceNanos;
    for (Span each : spans) {
      if (!each.overlaps(sinceNanos, nowNanos)) {
        all.add(each);
        continue;
      }
      sum = sum.plus(uncounted, each.fromNanos, purpose);
      from = earlier(from, each.fromNanos);
      uncounted = later(uncounted, each.untilNanos);
    }
    all.add(new Span(from, later(uncounted, nowNanos)));
    return new WaitedTime(sum.plus(uncounted, nowNanos, purpose), all);
  }

  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  private static long later(long one, long other) {
    return one - other > 0 ? one : other;
  }
}
