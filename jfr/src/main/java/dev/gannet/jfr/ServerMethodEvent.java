package dev.gannet.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The counts of one method of a server. */
@Name(JfrCounters.SERVER_METHOD)
@Label("Server Method")
@Description("Counts of one method of a server since its start")
final class ServerMethodEvent extends CallCountsEvent {
  @Label("Server")
  @Description("the number of the server in its process")
  long server;

  @Label("Method")
  @Description("package.Service/Method")
  String method = "";

  @Label("Calls Queued")
  @Description("calls under way whose handler has not started")
  long queued;

  @Label("Calls Ended By Status")
  String endedByStatus = "";

  @Label("Bytes Received")
  @DataAmount
  @Description("of messages on the wire, without message prefixes and headers")
  long bytesReceived;

  @Label("Bytes Sent")
  @DataAmount
  @Description("of messages on the wire, without message prefixes and headers")
  long bytesSent;
}
