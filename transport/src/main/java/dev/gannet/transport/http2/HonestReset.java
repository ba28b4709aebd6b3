package dev.gannet.transport.http2;

import dev.gannet.transport.settings.CallBounds;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A client's reset of a call that was not answered yet: decides whether it is free, which means
 * that it does not count as resetting rapidly (CVE-2023-44487). Immutable, without a clock.
 *
 * <pre>
 *   the call is          free, because
 *   old                  a client that waits this long before each reset can cause no more load
 *                        than the limit of concurrent calls allows
 *   as good as late      a client's clock may end a call when ours is about to; a client that
 *                        resets calls with short timeouts in a loop causes no more work than one
 *                        that lets them expire
 * </pre>
 *
 * <p>A call that is too young for both may have become old enough while this side was paused and
 * read nothing; for that, {@link #freeAgeNanos} says how old it would have to be.
 *
 * @param ageNanos how long ago the call began
 * @param timeoutNanos the timeout that the client sent
 * @param remainingNanos the time until the call's deadline, if the client has set it; empty if this
 *     server's limit for calls ends it sooner
 */
record HonestReset(long ageNanos, OptionalLong timeoutNanos, OptionalLong remainingNanos) {
  /** A call that has lasted this long is old. */
  private static final long OLD_NANOS = Duration.ofSeconds(2).toNanos();

  /** The last eighth of the call's timeout: messages take time in both directions. */
  private static final int LAST_PART_OF_TIMEOUT = 8;

  boolean isFree() {
    return ageNanos >= OLD_NANOS || isAsGoodAsLate();
  }

  private boolean isAsGoodAsLate() {
    return remainingNanos.isPresent()
        && remainingNanos.getAsLong() <= timeoutNanos.orElse(0) / LAST_PART_OF_TIMEOUT;
  }

  /** The age from which the reset of such a call is free. */
  long freeAgeNanos() {
    long wholeNanos = timeoutNanos.orElse(CallBounds.NO_LIMIT);
    return Math.min(OLD_NANOS, wholeNanos - wholeNanos / LAST_PART_OF_TIMEOUT);
  }
}
