package dev.gannet.jfr;

import dev.gannet.api.Status;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The common part of call events. Its fields are those of the recording. */
@Category("Gannet")
@StackTrace(false)
abstract class CallEvent extends Event {
  /** The maximum length of a path, because a peer may send a long one. */
  private static final int MAX_CHARACTERS = 256;

  @Label("Method")
  @Description("package.Service/Method")
  String method = "";

  @Label("Status")
  String status = "";

  @Label("Status Description")
  String description = "";

  @Label("Peer")
  String peer = "";

  @Label("Messages Sent")
  long messagesSent;

  @Label("Bytes Sent")
  @DataAmount
  @Description("on the wire, without message prefixes and headers")
  long bytesSent;

  @Label("Messages Received")
  long messagesReceived;

  @Label("Bytes Received")
  @DataAmount
  @Description("on the wire, without message prefixes and headers")
  long bytesReceived;

  /** A text as it is recorded. */
  static String cut(String text) {
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS);
  }

  final void onMessageSent(long bytes) {
    messagesSent++;
    bytesSent += bytes;
  }

  final void onMessageReceived(long bytes) {
    messagesReceived++;
    bytesReceived += bytes;
  }

  /** The call has ended; it is recorded if it exceeds the threshold of the recording. */
  final void finish(Status end) {
    end();
    if (shouldCommit()) {
      status = end.code().name();
      description = cut(end.description().orElse(""));
      commit();
    }
  }
}
