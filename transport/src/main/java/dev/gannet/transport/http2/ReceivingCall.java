package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallEvent;

/** The call that {@link IncomingMessages} receives messages for. On the connection's loop. */
interface ReceivingCall {
  /** Passes an event to the engine, which is woken at the end of the batch. */
  void add(CallEvent event);

  /** Has the engine woken at the end of the batch. */
  void touch();

  /** Whether the application waits for a message. */
  boolean isMessageRequested();

  /** The largest message that the call accepts. */
  int maxInboundMessageBytes();

  /** What {@link #maxInboundMessageBytes} is. */
  MessageSizeLimit inboundLimit();

  /** Ends the call because its peer does not complete a message. */
  void giveUp(Status why);
}
