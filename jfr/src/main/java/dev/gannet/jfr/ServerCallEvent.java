package dev.gannet.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call that a server has answered. */
@Name(JfrCalls.SERVER_CALL)
@Label("Server Call")
@Description("From the request's headers to the end of the response")
final class ServerCallEvent extends CallEvent {}
