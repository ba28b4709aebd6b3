package dev.gannet.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The counts of one channel. */
@Name(JfrCounters.CHANNEL)
@Label("Channel")
@Description("Counts of the calls of one channel since it was built")
final class ChannelEvent extends CallCountsEvent {
  @Label("Channel")
  @Description("the number of the channel in its process")
  long channel;

  @Label("Target")
  String target = "";

  @Label("State")
  @Description("its connectivity state")
  String state = "";

  @Label("Pending Calls")
  @Description("calls that wait for a connection or a stream now")
  long pendingCalls;

  @Label("Delayed Picks")
  @Description("how often an attempt had to wait for a connection or a stream")
  long delayedPicks;

  @Label("Transparent Retries")
  long transparentRetries;

  @Label("Retries")
  long retries;

  @Label("Hedges")
  long hedges;
}
