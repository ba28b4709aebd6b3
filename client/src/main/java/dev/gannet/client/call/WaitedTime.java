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

  /** For what an attempt waits. No lambdas: the first call of a process waits for a connection. */
  sealed interface Purpose {
    /** As what the time between two instants counts. */
    Times between(long fromNanos, long toNanos);

    /**
     * A connection, and before that the addresses.
     *
     * @param ofResolver how much of the time between two instants was spent on finding addresses
     */
    record Connection(LongBinaryOperator ofResolver) implements Purpose {
      @Override
      public Times between(long fromNanos, long toNanos) {
        long resolver = ofResolver.applyAsLong(fromNanos, toNanos);
        return new Times(resolver, toNanos - fromNanos - resolver, 0);
      }
    }

    /** A stream of its connection. */
    record Stream() implements Purpose {
      @Override
      public Times between(long fromNanos, long toNanos) {
        return new Times(0, toNanos - fromNanos, 0);
      }
    }

    /** The answer of its call credentials. */
    record Credentials() implements Purpose {
      @Override
      public Times between(long fromNanos, long toNanos) {
        return new Times(0, 0, toNanos - fromNanos);
      }
    }
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
