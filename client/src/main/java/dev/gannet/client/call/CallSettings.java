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
  /** The call has just begun; returns whether its settings are known. With the lock. */
  boolean onCallBegun();

  /** Whether they are known. Any thread. */
  boolean isBound();

  /** Binds the call to the config that there is now, if any; returns whether this has changed. */
  boolean bind();

  /** What its config says about the method; empty while it is not known. Any thread. */
  MethodConfig config();

  /** What the call starts with: with the limits of its settings as far as they are known. */
  CallStart<Q, R> start();

  /** The policy for the attempts; null if there is none, or while it is not known. Any thread. */
  @Nullable AttemptPolicy policy();

  /**
   * Watches a deadline that the settings have added after the start, if they have. A deadline that
   * has passed is treated as passed now. May be called again. Without the lock.
   */
  void watchDeadline();

  void stopDeadline();
}
