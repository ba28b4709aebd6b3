package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.tracing.StreamTrace;
import dev.gannet.transport.tracing.TracerFailures;
import java.util.Arrays;

/** Notifies the tracers of one call. Only traced calls have one. */
final class CallTrace {
  private final ClientCallTracer[] tracers;

  private CallTrace(ClientCallTracer[] tracers) {
    this.tracers = tracers;
  }

  private record Started(
      MethodDescriptor<?, ?> method,
      CallOptions options,
      String target,
      String authority,
      Metadata headers)
      implements ClientCallTracer.Start {}

  private record StartedAttempt(int previousAttempts, boolean isTransparentRetry, Metadata headers)
      implements ClientStreamTracer.Start {}

  /** The call starts. */
  static CallTrace of(OutgoingCall<?, ?> call, CallStart<?, ?> start) {
    Started started =
        new Started(
            start.method(),
            call.options(),
            call.channel().settings().naming().target().toString(),
            start.authority().orElse(call.channel().settings().naming().authority()),
            start.headers());
    return new CallTrace(
        TracerFailures.makeAll(
            call.channel().settings().calls().tracers(),
            started,
            ClientCallTracer.Factory::newTracer,
            ClientCallTracer[]::new,
            ClientCallTracer.none()));
  }

  /** Whether there are no tracers for this call. */
  boolean isEmpty() {
    return tracers.length == 0;
  }

  /**
   * An attempt begins.
   *
   * @param retries the number of transparent retries before it
   * @param previousAttempts the number of other attempts before it
   * @param headers the headers that it will send, to which tracers may add
   */
  StreamTrace<ClientStreamTracer> newAttempt(int retries, int previousAttempts, Metadata headers) {
    StartedAttempt started = new StartedAttempt(previousAttempts, retries > 0, headers);
    return new StreamTrace<>(
        TracerFailures.makeAll(
            Arrays.asList(tracers),
            started,
            ClientCallTracer::newAttempt,
            ClientStreamTracer[]::new,
            ClientStreamTracer.none()));
  }

  /** The call's end is delivered. Called once. */
  void onEnd(Status status, Metadata trailers) {
    for (ClientCallTracer tracer : tracers) {
      TracerFailures.guard(tracer, it -> it.onEnd(status, trailers));
    }
  }
}
