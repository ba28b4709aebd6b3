package dev.gannet.api;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a channel knows of why a call ended with {@code UNAVAILABLE} or {@code DEADLINE_EXCEEDED},
 * or because its stream was reset: which servers were tried, what became of each attempt, and where
 * the time went. Found by {@link Status#failure} and {@link StatusException#failure}; the message
 * of the exception ends with {@link #toString}.
 *
 * <p>It stays on this side: a status that a server passes on to its client travels without it, and
 * with it the addresses in it.
 *
 * @param target what the channel was made for
 * @param addresses to which no connection could be made, with the last error of each; at most 16
 * @param attempts of the call that have failed, in their order; the last one ended the call
 * @param inResolver how long the call waited for the target's addresses
 * @param inQueue how long it waited for a connection or a free stream besides that
 * @param onWire how long it was with a connection; empty where the call had no deadline, for then
 *     nobody has looked at the clock
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
   * @param server where it was sent; empty if it had no connection
   * @param status how it ended
   * @param resetCode of the RST_STREAM that ended it, such as {@code REFUSED_STREAM}; empty if none
   *     did
   * @param goAway what the server's GOAWAY said, its code and debug text; empty if it sent none
   */
  public record Attempt(
      Optional<SocketAddress> server,
      Status status,
      Optional<String> resetCode,
      Optional<String> goAway) {}

  /** What is known of a single attempt. */
  public static CallFailure of(Attempt attempt) {
    return new CallFailure(
        "", List.of(), List.of(attempt), Duration.ZERO, Duration.ZERO, Optional.empty());
  }

  /** All of it on one line. */
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
        + attempt.resetCode().map(it -> ", RST_STREAM " + it).orElse("")
        + attempt.goAway().map(it -> ", GOAWAY " + it).orElse("");
  }
}
