package dev.gannet.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The common part of events that count calls. Its fields are those of the recording. */
@Category("Gannet")
@StackTrace(false)
@Period("everyChunk")
abstract class CallCountsEvent extends Event {
  @Label("Calls Started")
  long started;

  @Label("Calls Under Way")
  long underWay;

  @Label("Calls Succeeded")
  @Description("calls that have ended with OK; on a connection, whose answer was written")
  long succeeded;

  @Label("Calls Failed")
  @Description("calls that have ended otherwise")
  long failed;
}
