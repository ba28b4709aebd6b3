package dev.gannet.client.call;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.credentials.CredentialHeaders;
import dev.gannet.client.subchannel.ConnectionPool;
import java.util.Optional;

/** What an attempt without a stream waits for, for the status of a call whose deadline passes. */
final class WaitReason {
  private WaitReason() {}

  /** The text for an attempt, with the known reason why it still waits. */
  static String of(Attempt<?, ?> attempt) {
    CallOwner channel = attempt.call().channel();
    CallCredentials credentials = attempt.credentials();
    if (credentials != null && channel.withoutStream().unauthorized().contains(attempt)) {
      return "waiting for the call credentials (" + CredentialHeaders.nameOf(credentials) + ")";
    }
    String target = channel.settings().targetText();
    Optional<ConnectionPool> pool =
        channel.picker().pending().poolOf(attempt).filter(it -> it.size() > 0);
    if (pool.isPresent()) {
      return "waiting for a free stream to "
          + target
          + ": its server accepts no more calls on "
          + pool.get().size()
          + " connections (SETTINGS_MAX_CONCURRENT_STREAMS, maxConnectionsPerSubchannel)";
    }
    Optional<String> holder = channel.picker().holder(attempt);
    if (holder.isPresent()) {
      return "waiting for a connection to " + target + " that " + holder.get() + " chooses";
    }
    String why =
        channel
            .picker()
            .failure(attempt)
            .flatMap(Status::description)
            .map(it -> ": " + it)
            .orElse("");
    return "waiting for a connection to " + target + why;
  }
}
