package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.transport.ClientTransport;
import org.jspecify.annotations.Nullable;

/** What is picked for: an attempt of a call that has no connection yet. Safe for all threads. */
public interface PendingAttempt extends PickArgs {
  /** Whether no connection is needed for it any more. */
  boolean hasEnded();

  /** Whether it waits for a connection instead of failing while there is none. */
  boolean waitsForReady();

  /**
   * Takes the attempt's settings from the service config that its channel has now, if it has one,
   * unless they are known already. Nothing else has this effect: all other methods leave them as
   * they are.
   *
   * @return whether this thread may pick for it: not if it has {@linkplain #hasEnded ended},
   *     perhaps by a deadline of these settings, or if another thread is finding out its settings,
   *     which picks for it afterwards
   */
  boolean bindToConfig();

  /** The attempt has waited since this time for a connection or a stream. */
  void onWaited(long sinceNanos);

  /**
   * Starts it on a connection.
   *
   * @param tracker notified of calls on that connection, if present
   * @param pick its last one, which may add to what it sends, and to who is notified
   */
  void startOn(ClientTransport transport, @Nullable CallTracker tracker, Pick.Use pick);

  /** Whether more than one message of it waits for the connection. */
  boolean hasSeveralMessages();

  /** There will be no connection for it; returns false if it has one, or has ended. */
  boolean failBeforeStart(Status why);

  /** Like {@link #failBeforeStart}, and no other attempt of its call follows. */
  void failForGood(Status why);
}
