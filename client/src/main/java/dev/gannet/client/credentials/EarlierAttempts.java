package dev.gannet.client.credentials;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.EmptyMetadata;
import java.util.Optional;

/**
 * What call credentials learn of the attempts of a call before the one that they are asked for.
 *
 * @param number without transparent retries
 * @param failure of the last attempt that has failed; empty if none has
 * @param headers what the credentials have provided for that attempt; never changed
 */
public record EarlierAttempts(int number, Optional<Status> failure, Metadata headers) {
  /** There were none. */
  public static final EarlierAttempts NONE =
      new EarlierAttempts(0, Optional.empty(), EmptyMetadata.SHARED);
}
