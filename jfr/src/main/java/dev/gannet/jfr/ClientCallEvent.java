package dev.gannet.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call that a client has made. */
@Name(JfrCalls.CLIENT_CALL)
@Label("Client Call")
@Description("From its start to the status that the caller receives, with all its attempts")
final class ClientCallEvent extends CallEvent {
  @Label("Target")
  @Description(":authority")
  String authority = "";

  @Label("Attempts")
  int attempts;
}
