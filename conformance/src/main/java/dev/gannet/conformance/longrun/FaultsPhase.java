package dev.gannet.conformance.longrun;

import dev.gannet.api.Status;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** The calls that started during a fault and after it, and how they ended. Thread-safe. */
final class FaultsPhase {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The end of a call. */
  record End(long beganNanos, long deadlineNanos, long endedNanos, Status.Code code) {}

  private final AtomicInteger open = new AtomicInteger();
  private final Queue<End> ends = new ConcurrentLinkedQueue<>();

  void onBegin() {
    open.incrementAndGet();
  }

  void onEnd(End end) {
    ends.add(end);
    open.decrementAndGet();
  }

  /** How many calls have not ended. */
  int open() {
    return open.get();
  }

  int ended() {
    return ends.size();
  }

  /** How many calls ended with each code. */
  Map<Status.Code, Long> codes() {
    return ends.stream()
        .collect(Collectors.groupingBy(End::code, TreeMap::new, Collectors.counting()));
  }

  /** How many calls ended with another code than these. */
  long endedOtherwise(Collection<Status.Code> codes) {
    return ends.stream().filter(it -> !codes.contains(it.code())).count();
  }

  /** How long after its deadline the latest call ended; negative if all ended before theirs. */
  long latestEndMillis() {
    return TimeUnit.NANOSECONDS.toMillis(
        ends.stream()
            .mapToLong(it -> it.endedNanos() - it.deadlineNanos())
            .max()
            .orElse(0)); // there is no call
  }

  /** How long after this time the last failed call started; empty if none failed. */
  OptionalLong lastFailureMillis(long momentNanos) {
    return ends.stream()
        .filter(it -> it.code() != Status.Code.OK)
        .max(Comparator.comparingLong(it -> it.beganNanos() - momentNanos))
        .map(it -> OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(it.beganNanos() - momentNanos)))
        .orElse(OptionalLong.empty());
  }

  /** How many calls per second succeeded, of those that started between these times. */
  double goodRate(long fromNanos, long toNanos) {
    List<End> good =
        ends.stream()
            .filter(it -> it.code() == Status.Code.OK)
            .filter(it -> it.beganNanos() - fromNanos >= 0 && it.beganNanos() - toNanos < 0)
            .toList();
    return good.size() * NANOS_PER_SECOND / (toNanos - fromNanos);
  }
}
