package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.retry.ActiveConfig;
import dev.gannet.client.retry.ReplayLimits;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.subchannel.CallPicker;
import java.util.Optional;

/** What a channel provides for its calls. Safe for all threads. */
public interface CallOwner {
  ChannelSettings settings();

  /** The config of new calls; empty while the resolver may still provide one. */
  Optional<ActiveConfig> config();

  /** What calls may keep of their requests for further attempts. */
  ReplayLimits replayLimits();

  /** Counts a call, until {@link #onCallEnded}; or returns why no call is started any more. */
  Optional<Status> admit();

  /** A call that is not to be admitted ends as it starts. */
  void onCallRefused();

  /** A call that was admitted has ended. */
  void onCallEnded();

  /** Whether no more connections are made for its calls. */
  boolean isClosing();

  /** Gets connections for attempts. */
  CallPicker picker();

  CallsWithoutStream withoutStream();

  /** For how much of that time the target's addresses were not known. */
  long resolverNanos(long fromNanos, long toNanos);

  /** Diagnostic data. */
  ChannelJournal journal();
}
