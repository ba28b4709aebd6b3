package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.StreamTrace;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the server's end of a call and the engine, and reports events to the call's
 * tracers. Calls without tracers do not use it. Only called by the delivering thread of the call's
 * {@link Inlet}, except for {@link #onEndGiven}.
 */
final class TracedCallListener extends StreamTrace<ServerStreamTracer>
    implements CallEventListener {
  /** Instead of a size, if no message is sent. */
  static final int NO_MESSAGE = -1;

  private record End(Status status, Metadata trailers) {}

  private final CallEventListener events;
  private boolean begun;

  /** How the call ends, unless it is cut off before. */
  private volatile @Nullable End given;

  TracedCallListener(CallEventListener events, ServerStreamTracer[] tracers) {
    super(tracers);
    this.events = events;
    CallContext context = events.context();
    if (context != null) {
      tell(ServerStreamTracer::onCall, context);
    }
  }

  /** The handler has sent this, which is delivered to the client next. */
  void onSent(@Nullable Metadata headers, CallEvent.@Nullable Message message) {
    onSent(headers, message == null ? NO_MESSAGE : message.messageBytes());
  }

  /**
   * The handler has sent this, with the size of the message.
   *
   * @param messageBytes of the message, or {@link #NO_MESSAGE}
   */
  void onSent(@Nullable Metadata headers, int messageBytes) {
    if (!begun && (headers != null || messageBytes != NO_MESSAGE)) {
      begun = true; // a message brings headers if there were none
      onHeadersSent(headers == null ? Metadata.empty() : headers);
    }
    if (messageBytes != NO_MESSAGE) {
      onMessageSent(messageBytes, messageBytes);
    }
  }

  /** The call ends like this, unless it is cut off before. Any thread. */
  void onEndGiven(Status status, Metadata trailers) {
    given = new End(status, trailers);
  }

  @Override
  public void add(CallEvent event) {
    try {
      if (event instanceof CallEvent.Message message) {
        onMessageReceived(message);
      } else if (event instanceof CallEvent.Closed closed) {
        end(closed.status());
      }
    } finally { // must not be lost if memory is short
      events.add(event);
    }
  }

  @Override
  public void addAnswered() {
    try {
      end(Status.OK);
    } finally {
      events.addAnswered();
    }
  }

  /**
   * OK means that the client has the response, whatever its status is; otherwise this is the end.
   */
  private void end(Status how) {
    End answer = given;
    if (answer != null && (how.isOk() || how.equals(answer.status()))) {
      onEnd(answer.status(), answer.trailers());
    } else {
      onEnd(how, Metadata.empty());
    }
  }

  @Override
  public @Nullable CallContext context() {
    return events.context();
  }

  @Override
  public void flush() {
    events.flush();
  }

  @Override
  public boolean isMessageRequested() {
    return events.isMessageRequested();
  }
}
