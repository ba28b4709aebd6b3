package dev.gannet.jfr;

import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** The counts of one open connection of a server. */
@Name(JfrCounters.SERVER_CONNECTION)
@Label("Server Connection")
@Description("Counts of one connection of a server since it was opened")
final class ServerConnectionEvent extends CallCountsEvent {
  @Label("Server")
  @Description("the number of the server in its process")
  long server;

  @Label("Connection")
  @Description("the number of the connection in its process")
  long connection;

  @Label("Peer")
  String peer = "";

  @Label("Calls Queued")
  @Description("calls under way whose handler has not started")
  long queued;

  @Label("Calls Ended By Status")
  String endedByStatus = "";

  @Label("Messages Received")
  long messagesReceived;

  @Label("Messages Sent")
  long messagesSent;

  @Label("Bytes Received")
  @DataAmount
  @Description("of messages on the wire, without message prefixes and headers")
  long bytesReceived;

  @Label("Bytes Sent")
  @DataAmount
  @Description("of messages on the wire, without message prefixes and headers")
  long bytesSent;
}
