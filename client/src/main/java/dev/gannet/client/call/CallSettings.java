package dev.gannet.client.call;

import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.transport.CallStart;
import org.jspecify.annotations.Nullable;

/**
 * What its service config says about a {@link RetryingCall}: known from the start, or bound later.
 * Once they are bound, they do not change any more.
 */
sealed interface CallSettings<Q, R> permits KnownSettings, LateSettings {
  /** Whether they are known. Any thread. */
  boolean isBound();

  /**
   * Binds the call, which has begun, to the config that there is now, if any, with the lock;
   * returns whether this has changed. The call has its new deadline, which nobody watches yet.
   */
  boolean bind();

  /** What its config says about the method; null while it is not known. Any thread. */
  @Nullable MethodConfig config();

  /** What the call starts with: with the limits of its settings as far as they are known. */
  CallStart<Q, R> start();

  /** The policy for the attempts; null if there is none, or while it is not known. Any thread. */
  @Nullable AttemptPolicy policy();
}
