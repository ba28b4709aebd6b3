package dev.gannet.client.call;

import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.call.WaitedTime.Purpose;
import dev.gannet.client.call.WaitedTime.Times;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.tracing.StreamTrace;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * An attempt of a call on a channel with tracers. It notifies them of its events; a call without
 * tracers has an {@link Attempt} and no additional cost.
 *
 * <p>Before there is a stream, the thread that ends the attempt notifies them; after that, the loop
 * of its connection does.
 */
final class TracedAttempt<Q, R> extends Attempt<Q, R> {
  private record OpenedStream(
      SocketAddress peer,
      Optional<SSLSession> sslSession,
      String authority,
      Duration inResolver,
      Duration inQueue,
      Duration inCredentials)
      implements ClientStreamTracer.Opened {}

  /** The tracers of the call; null until the call starts. */
  private @Nullable CallTrace ofCall;

  /** The tracers of this attempt; null if there are none. */
  private @Nullable StreamTrace<ClientStreamTracer> trace;

  /** This attempt's own headers, to which tracers may add; null if {@code trace} is. */
  private @Nullable Metadata headers;

  /** The headers that it sends, with those of its pick; null until it has its connection. */
  private @Nullable Metadata sent;

  /** How long it has waited for its connection and stream; null if it has not. */
  private @Nullable WaitedTime waited;

  /** Since when it waits for its credentials, and afterwards for how long it has. */
  private long credentialsNanos;

  /** The call's first attempt. */
  TracedAttempt(OutgoingCall<Q, R> call) {
    super(call);
  }

  private TracedAttempt(
      OutgoingCall<Q, R> call, int retries, boolean refusedBefore, int previousAttempts) {
    super(call, retries, refusedBefore, previousAttempts);
  }

  @Override
  void onCallStart(CallStart<Q, R> start) {
    begin(CallTrace.of(call(), start), start, 0);
  }

  private void begin(CallTrace tracers, CallStart<Q, R> started, int retries) {
    ofCall = tracers;
    if (!tracers.isEmpty()) {
      Metadata own = started.headers().copy();
      headers = own;
      trace = tracers.newAttempt(retries, previousAttempts(), own);
    }
  }

  @Override
  void onCallEnd(Status status, Metadata trailers) {
    if (ofCall != null) {
      ofCall.onEnd(status, trailers);
    }
  }

  @Override
  Attempt<Q, R> follow(Status why, int retries, boolean refusedBefore) {
    if (trace != null) {
      trace.onEnd(why, new Metadata());
    }
    return follow(new TracedAttempt<>(call(), retries, refusedBefore, previousAttempts()), retries);
  }

  @Override
  Attempt<Q, R> another(int previousAttempts) {
    return follow(new TracedAttempt<>(call(), 0, false, previousAttempts), 0);
  }

  private Attempt<Q, R> follow(TracedAttempt<Q, R> next, int retries) {
    if (ofCall != null) {
      next.begin(ofCall, call().callStartOf(next), retries);
    }
    return next;
  }

  /**
   * All but the headers is taken from the call each time: it may learn its limits from a service
   * config only after this attempt was made.
   */
  @Override
  CallStart<Q, R> callStart() {
    CallStart<Q, R> ofCall = super.callStart();
    return headers == null ? ofCall : ofCall.withHeaders(headers);
  }

  @Override
  CallStart<Q, R> callStartFor(Pick.Use pick) {
    CallStart<Q, R> start = super.callStartFor(pick);
    sent = start.headers();
    return start;
  }

  @Override
  public void onWaited(long sinceNanos) {
    super.onWaited(sinceNanos);
    countWait(sinceNanos, new Purpose.Connection(call().channel()::resolverNanos));
  }

  @Override
  public void onWaitedForStream(long sinceNanos) {
    super.onWaitedForStream(sinceNanos);
    countWait(sinceNanos, new Purpose.Stream());
  }

  private void countWait(long sinceNanos, Purpose purpose) {
    WaitedTime before = waited;
    waited =
        before == null
            ? WaitedTime.first(sinceNanos, nowNanos(), purpose)
            : before.and(sinceNanos, nowNanos(), purpose);
  }

  @Override
  void onCredentialsAsked() {
    credentialsNanos = nowNanos();
  }

  @Override
  void onCredentialsAnswered() {
    credentialsNanos = nowNanos() - credentialsNanos;
  }

  private long nowNanos() {
    return call().channel().settings().scheduler().nanoTime();
  }

  @Override
  public boolean isTraced() {
    return trace != null;
  }

  @Override
  public void onHeadersSent(ConnectionInfo connection, String authority) {
    if (trace != null) {
      OpenedStream opened = opened(connection, authority);
      trace.report(it -> it.onStreamOpened(opened));
      Metadata own = Objects.requireNonNull(sent); // it was set before there was a stream
      trace.report(it -> it.onHeadersSent(own));
    }
  }

  private OpenedStream opened(ConnectionInfo connection, String authority) {
    Times before = waited == null ? Times.NONE : waited.times();
    return new OpenedStream(
        connection.remoteAddress(),
        connection.tls(),
        authority,
        Duration.ofNanos(before.resolverNanos()),
        Duration.ofNanos(before.queueNanos()),
        Duration.ofNanos(credentialsNanos));
  }

  @Override
  public void onMessageSent(int wireBytes, int messageBytes) {
    if (trace != null) {
      trace.onMessageSent(wireBytes, messageBytes);
    }
  }

  @Override
  public void add(CallEvent event) {
    try {
      if (trace != null) {
        report(trace, event);
      }
    } finally { // must not be lost if memory is short
      super.add(event);
    }
  }

  private static void report(StreamTrace<ClientStreamTracer> trace, CallEvent event) {
    switch (event) {
      case CallEvent.Headers headers ->
          trace.report(it -> it.onHeadersReceived(headers.metadata()));
      case CallEvent.Message message -> trace.onMessageReceived(message);
      case CallEvent.Closed closed -> trace.onEnd(closed.status(), closed.trailers());
      case CallEvent.HalfClosed halfClosed -> {}
      case CallEvent.Ready ready -> {}
    }
  }
}
