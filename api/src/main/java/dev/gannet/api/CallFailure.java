package dev.gannet.api;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Details about a call that ended with {@code UNAVAILABLE} or {@code DEADLINE_EXCEEDED}, or because
 * its stream was reset: the servers that were tried, the result of each attempt, and where the time
 * was spent. Returned by {@link Status#failure} and {@link StatusException#failure}; the message of
 * the exception ends with {@link #toString}.
 *
 * <p>It is never sent: if a server passes the status on to its client, this object, and so the
 * addresses in it, are omitted.
 *
 * @param target the target of the channel
 * @param addresses to which no connection could be made, with the last error of each; at most 16
 * @param attempts the failed attempts of the call, in their order; the last one ended the call
 * @param inResolver how long the call waited for the target's addresses
 * @param inQueue how long it waited for a connection or a free stream in addition to that
 * @param onWire how long it had a connection; empty if the call had no deadline, because then this
 *     is not measured
 */
public record CallFailure(
    String target,
    List<AddressFailure> addresses,
    List<Attempt> attempts,
    Duration inResolver,
    Duration inQueue,
    Optional<Duration> onWire) {
  /** All lists are copied. */
  public CallFailure {
    addresses = List.copyOf(addresses);
    attempts = List.copyOf(attempts);
  }

  /** An address to which no connection could be made, and the last error. */
  public record AddressFailure(SocketAddress address, String error) {}

  /**
   * One attempt of a call.
   *
   * @param server the server's address; empty if it had no connection
   * @param status how it ended
   * @param resetCode the code of the RST_STREAM that ended it, such as {@code REFUSED_STREAM};
   *     empty if none did
   * @param goAway the code and debug text of the server's GOAWAY; empty if it sent none
   */
  public record Attempt(
      Optional<SocketAddress> server,
      Status status,
      Optional<String> resetCode,
      Optional<String> goAway) {}

  /** A failure with a single attempt and no other details. */
  public static CallFailure of(Attempt attempt) {
    return new CallFailure(
        "", List.of(), List.of(attempt), Duration.ZERO, Duration.ZERO, Optional.empty());
  }

  /** Everything on one line. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add("target " + target);
    addresses.forEach(it -> parts.add("no connection to " + it.address() + ": " + it.error()));
    for (int i = 0; i < attempts.size(); i++) {
      parts.add("attempt " + (i + 1) + text(attempts.get(i)));
    }
    parts.add(
        "resolver "
            + inResolver.toMillis()
            + " ms, queue "
            + inQueue.toMillis()
            + " ms"
            + onWire.map(it -> ", wire " + it.toMillis() + " ms").orElse(""));
    return OneLine.of(String.join("; ", parts));
  }

  private static String text(Attempt attempt) {
    return attempt.server().map(it -> " on " + it).orElse(" without a connection")
        + ": "
        + attempt.status()
        + codes(attempt);
  }

  private static String codes(Attempt attempt) {
    return attempt.resetCode().map(it -> ", RST_STREAM " + it).orElse("")
        + attempt.goAway().map(it -> ", GOAWAY " + it).orElse("");
  }

  /** What the call's status does not say itself, on one line; empty if that is nothing. */
  Optional<String> beside(Status status) {
    String said = status.description().orElse("");
    List<String> parts = new ArrayList<>();
    if (!target.isEmpty() && !said.contains(target)) {
      parts.add("target " + target);
    }
    addresses.stream()
        .filter(it -> !said.contains(it.error()))
        .forEach(it -> parts.add("no connection to " + it.address() + ": " + it.error()));
    boolean single = attempts.size() == 1 && isSame(attempts.getFirst().status(), status);
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      if (!single) {
        parts.add("attempt " + (i + 1) + text(attempt));
      } else if (attempt.server().isPresent()) {
        parts.add("on " + attempt.server().get() + codes(attempt));
      }
    }
    addTime(parts, "resolver", Optional.of(inResolver));
    addTime(parts, "queue", Optional.of(inQueue));
    addTime(parts, "wire", onWire);
    return parts.isEmpty() ? Optional.empty() : Optional.of(OneLine.of(String.join("; ", parts)));
  }

  private static boolean isSame(Status one, Status other) {
    return one.code() == other.code() && one.description().equals(other.description());
  }

  private static void addTime(List<String> parts, String where, Optional<Duration> time) {
    time.map(Duration::toMillis)
        .filter(millis -> millis > 0)
        .ifPresent(millis -> parts.add(where + " " + millis + " ms"));
  }
}
