package dev.gannet.client.retry;

import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.LearntDelay;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How fast the methods of a channel are answered, for hedging delays that are learnt. Only methods
 * with such a delay are measured, and no more than {@value #MAX_METHODS}: names of methods may come
 * from outside. Safe for all threads.
 */
final class LearntDelays {
  static final int MAX_METHODS = 256;

  private final ConcurrentHashMap<String, ResponseTimes> methods = new ConcurrentHashMap<>();

  /** Where calls of the method are measured; empty if the policy's delay is not learnt. */
  Optional<ResponseTimes> of(String fullMethodName, HedgingPolicy policy) {
    if (policy.learntHedgingDelay().isEmpty()) {
      return Optional.empty();
    }
    ResponseTimes known = methods.get(fullMethodName);
    if (known != null) {
      return Optional.of(known);
    }
    return methods.size() < MAX_METHODS // or a few more, if threads add at once
        ? Optional.of(methods.computeIfAbsent(fullMethodName, name -> new ResponseTimes()))
        : Optional.empty();
  }

  /** How long a call waits for its first attempt before another begins. */
  static long delayNanos(HedgingPolicy policy, Optional<ResponseTimes> times) {
    long start = AttemptPolicy.nanos(policy.hedgingDelay());
    if (times.isEmpty() || policy.learntHedgingDelay().isEmpty()) {
      return start;
    }
    LearntDelay learnt = policy.learntHedgingDelay().get();
    OptionalLong found = times.get().percentileNanos(learnt.percentile(), learnt.minCalls());
    return found.isEmpty()
        ? start
        : Math.clamp(
            found.getAsLong(),
            AttemptPolicy.nanos(learnt.min()),
            AttemptPolicy.nanos(learnt.max()));
  }
}
