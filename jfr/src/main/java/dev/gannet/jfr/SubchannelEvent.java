package dev.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The state of one address of a channel. Its fields are those of the recording. */
@Name(JfrCounters.SUBCHANNEL)
@Label("Subchannel")
@Description("State and connections of one address of a channel")
@Category("Gannet")
@StackTrace(false)
@Period("everyChunk")
final class SubchannelEvent extends Event {
  @Label("Channel")
  @Description("the number of the channel in its process")
  long channel;

  @Label("Subchannel")
  @Description("the number of the subchannel in its process")
  long subchannel;

  @Label("Address")
  String address = "";

  @Label("State")
  @Description("its connectivity state")
  String state = "";

  @Label("Connections")
  @Description("open connections, including those that accept no more calls")
  int connections;

  @Label("Connects Succeeded")
  long connectsSucceeded;

  @Label("Connects Failed")
  long connectsFailed;
}
