package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.retry.AttemptPolicy;
import dev.gannet.client.retry.RetryThrottle;
import dev.gannet.transport.CallStart;
import org.jspecify.annotations.Nullable;

/**
 * What its service config says about a {@link RetryingCall}: known from the start, or bound later.
 * Once they are bound, they do not change any more.
 */
sealed interface CallSettings<Q, R> permits KnownSettings, LateSettings {
  /** What {@link #bind} has found. */
  enum Binding {
    /** The settings are known; this thread has bound the call. */
    DONE,
    /** The settings were known before. */
    KNOWN,
    /** There is no config yet. */
    NO_CONFIG,
    /** Another thread is binding the call. */
    BY_ANOTHER,
    /** The settings do not become known: the call was cancelled instead. */
    REFUSED;

    /** Whether the settings are known from now on. */
    boolean isKnown() {
      return this == DONE || this == KNOWN;
    }
  }

  /**
   * Binds the call, which has been started, to the config that there is now, if any, unless it is
   * bound. If this has changed something, the call has its new deadline, which nobody watches yet.
   * Any thread, without the lock.
   */
  Binding bind();

  /** The options of the call as pickers see them. Any thread. */
  CallOptions options();

  /** What its config says about the method; null while it is not known. Any thread. */
  @Nullable MethodConfig config();

  /** What the call starts with: with the limits of its settings as far as they are known. */
  CallStart<Q, R> callStart();

  /** The policy for the attempts; null if there is none, or while it is not known. Any thread. */
  @Nullable AttemptPolicy policy();

  /** The tokens of the channel; none while the settings are not known. Any thread. */
  RetryThrottle throttle();
}
