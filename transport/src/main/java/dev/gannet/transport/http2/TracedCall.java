package dev.gannet.transport.http2;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.protocol.RequestProtocol;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.StreamTrace;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the stream of a server's call and the engine, and reports the call's events to its
 * tracers. Calls that nobody traces have none. Confined to the connection's loop.
 */
final class TracedCall extends StreamTrace<ServerStreamTracer> implements CallEventListener {
  private final CallEventListener events;

  // How the call ends, unless something else ends it first.
  private @Nullable Status status;
  private @Nullable Metadata trailers;

  private TracedCall(CallEventListener events, ServerStreamTracer[] tracers) {
    super(tracers);
    this.events = events;
  }

  /** The engine accepts the call. */
  static <R> TracedCall begin(
      ServerMethod<?, R> method, ServerStream<R> stream, ServerStreamTracer[] tracers) {
    CallEventListener events;
    try {
      events = method.begin(stream);
    } catch (Throwable e) {
      Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(e);
      new StreamTrace<>(tracers).onEnd(why, Metadata.empty());
      throw e;
    }
    TracedCall traced = new TracedCall(events, tracers);
    CallContext context = events.context();
    if (context != null) {
      traced.tell(ServerStreamTracer::onCall, context);
    }
    return traced;
  }

  /** The handler has sent this; it is written next. */
  void onWriteCommand(ServerWriteCommand command, boolean begun, RequestProtocol protocol) {
    ByteBuffer message = command.message();
    Metadata headers = command.headers();
    Status end = command.status();
    if (!begun && (message != null || headers != null || end == null)) {
      onHeadersSent(headers == null ? Metadata.empty() : headers);
    }
    if (message != null) {
      onMessageSent(
          protocol.wireBytes(message), protocol.messageBytes(message, command.encoding()));
    }
    if (end != null) {
      onEndGiven(end, command.trailers());
    }
  }

  /** The call ends like this, unless something else ends it first. */
  void onEndGiven(Status status, Metadata trailers) {
    this.status = status;
    this.trailers = trailers;
  }

  @Override
  public void add(CallEvent event) {
    try {
      report(event);
    } finally { // must not be lost when memory is short
      events.add(event);
    }
  }

  /** As {@link #add} of an end that is OK, and makes no object either. */
  @Override
  public void addAnswered() {
    try {
      onClosed(Status.OK);
    } finally {
      events.addAnswered();
    }
  }

  private void report(CallEvent event) {
    switch (event) {
      case CallEvent.Message message -> onMessageReceived(message);
      case CallEvent.Closed closed -> onClosed(closed.status());
      case CallEvent.Headers headers -> {}
      case CallEvent.HalfClosed halfClosed -> {}
      case CallEvent.Ready ready -> {}
    }
  }

  /**
   * OK means that the answer was written, whatever its status; any other status is the reason why
   * the call ended.
   */
  private void onClosed(Status how) {
    Status given = status;
    Metadata with = trailers;
    if (given != null && with != null && (how.isOk() || how.equals(given))) {
      onEnd(given, with);
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
