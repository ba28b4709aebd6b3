package dev.gannet.server;

import dev.gannet.api.MethodType;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingCallListener;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerStream;

/** A method whose calls are admitted by the {@link LoadShedder}. Immutable. */
final class SheddingMethod<Q, R> extends ForwardingMethod<Q, R> {
  private final LoadShedder shedder;
  private final AdaptiveLimit.Latency latency;

  SheddingMethod(EngineMethod<Q, R> method, LoadShedder shedder, AdaptiveLimit.Latency latency) {
    super(method);
    this.shedder = shedder;
    this.latency = latency;
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    AdmittedStream<R> counted = new AdmittedStream<>(stream, this);
    return new AdmissionListener(super.begin(counted), counted);
  }

  private boolean isUnary() {
    return descriptor().type() == MethodType.UNARY;
  }

  private LoadShedder.Admission enter(ServerStream<R> stream) {
    return isUnary() ? shedder.enterCall(latency, stream.deadline()) : shedder.enterStream();
  }

  /** A call that was admitted at this time has ended like this. */
  void leave(long beganNanos, AdaptiveLimit.CallEnding how) {
    if (isUnary()) {
      shedder.leaveCall(latency, beganNanos, how);
    } else {
      shedder.leaveStream();
    }
  }

  /**
   * The events of one call, on their way to the call. On the connection's loop.
   *
   * <pre>
   *   COLLECTING ──request whole, or streamed──► admitted? ──yes──► OPEN
   *                                                 └───────no────► REFUSED
   * </pre>
   */
  private final class AdmissionListener extends ForwardingCallListener {
    private enum State {
      COLLECTING,
      OPEN,
      REFUSED
    }

    private final AdmittedStream<R> stream;
    private State state = State.COLLECTING;
    private boolean whole;
    private boolean over;

    AdmissionListener(EngineCall call, AdmittedStream<R> stream) {
      super(call);
      this.stream = stream;
      this.whole = !descriptor().type().clientSendsOneMessage();
    }

    @Override
    public void add(CallEvent event) {
      whole |=
          event instanceof CallEvent.HalfClosed
              || (event instanceof CallEvent.Message message && message.isLast());
      if (event instanceof CallEvent.Closed closed) {
        over = true;
        if (!closed.status().isOk()) {
          stream.cutOff();
        }
      }
      super.add(event);
    }

    @Override
    public void addAnswered() {
      over = true;
      super.addAnswered();
    }

    @Override
    public void flush() {
      if (state == State.COLLECTING && whole && !over) {
        switch (enter(stream)) {
          case LoadShedder.Admission.Granted granted -> {
            state = State.OPEN;
            stream.begin(granted, shedder.now());
          }
          case LoadShedder.Admission.Refused refused -> {
            state = State.REFUSED;
            stream.fail(refused.why(), shedder.trailers(refused.why()));
          }
        }
      }
      if (state != State.REFUSED || over) { // otherwise the handler would start
        super.flush();
      }
    }
  }
}
