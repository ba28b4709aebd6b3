package dev.gannet.transport.tracing;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerStreamTracer;
import dev.gannet.api.Status;
import dev.gannet.protocol.EmptyMetadata;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the stream of a server's call and the engine, and reports the call's events to its
 * tracers. Calls that nobody traces have none. Used by one thread at a time, as its stream delivers
 * the events, except for {@link #onEndGiven}.
 */
final class TracedCall extends StreamTrace<ServerStreamTracer> implements ServerCallEventListener {
  private record End(Status status, Metadata trailers) {
    /** Shared by all calls that end so, as most do. */
    static final End OK = new End(Status.OK, EmptyMetadata.SHARED);

    static End of(Status status, Metadata trailers) {
      return status.equals(Status.OK) && trailers.isEmpty() ? OK : new End(status, trailers);
    }
  }

  private final ServerCallEventListener events;
  private boolean begun;

  /** How the call ends, unless something else ends it first. */
  private volatile @Nullable End given;

  private TracedCall(ServerCallEventListener events, ServerStreamTracer[] tracers) {
    super(tracers);
    this.events = events;
  }

  /** The engine accepts the call. */
  static <R> TracedCall begin(
      ServerMethod<?, R> method, ServerStream<R> stream, ServerStreamTracer[] tracers) {
    ServerCallEventListener events;
    try {
      events = method.begin(stream);
    } catch (Throwable e) {
      Status why = Status.INTERNAL.withDescription("the call cannot be started").withCause(e);
      new StreamTrace<>(tracers).onEnd(why, EmptyMetadata.SHARED);
      throw e;
    }
    TracedCall traced = new TracedCall(events, tracers);
    CallContext context = events.context();
    if (context != null) {
      traced.report(ServerStreamTracer::onCall, context);
    }
    return traced;
  }

  @Override
  public boolean isTraced() {
    return true;
  }

  @Override
  public void onResponseSent(@Nullable Metadata headers, int wireBytes, int messageBytes) {
    if (!begun && (headers != null || wireBytes != NO_MESSAGE)) {
      begun = true; // a message brings headers if there were none
      onHeadersSent(headers == null ? EmptyMetadata.SHARED : headers);
    }
    if (wireBytes != NO_MESSAGE) {
      onMessageSent(wireBytes, messageBytes);
    }
  }

  @Override
  public void onEndGiven(Status status, Metadata trailers) {
    given = End.of(status, trailers);
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
   * OK means that the client was given the answer, whatever its status; any other status is the
   * reason why the call ended.
   */
  private void onClosed(Status how) {
    End answer = given;
    if (answer != null && (how.isOk() || how.equals(answer.status()))) {
      onEnd(answer.status(), answer.trailers());
    } else {
      onEnd(how, EmptyMetadata.SHARED);
    }
  }

  @Override
  public @Nullable CallContext context() {
    return events.context();
  }

  @Override
  public CallAdmission onBegun() {
    return events.onBegun();
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
