package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Creates the status of a call whose deadline has passed, with a description that says how long it
 * was.
 */
public final class ExceededDeadline {
  private ExceededDeadline() {}

  /**
   * {@code DEADLINE_EXCEEDED}, with a description like {@code deadline exceeded after 500 ms,
   * waiting for a connection}.
   *
   * @param deadline the call's deadline
   * @param where what the call was waiting for when its deadline passed
   */
  public static Status of(Optional<Deadline> deadline, String where) {
    String after = deadline.map(it -> " after " + text(it.timeout())).orElse("");
    return Status.DEADLINE_EXCEEDED.withDescription("deadline exceeded" + after + ", " + where);
  }

  private static String text(Duration timeout) {
    long millis = timeout.toMillis();
    if (millis == 0) {
      return TimeUnit.MICROSECONDS.convert(timeout) + " \u00b5s";
    }
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
