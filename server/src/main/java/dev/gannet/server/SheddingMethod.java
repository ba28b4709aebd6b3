package dev.gannet.server;

import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingCallListener;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerStream;
import java.util.Optional;

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

  /** Why a call may not start; empty if it may. */
  private Optional<Status> enter(ServerStream<R> stream) {
    return isUnary() ? shedder.enterCall(latency, stream.deadline()) : shedder.enterStream();
  }

  /** A call that was admitted at this time has ended. */
  void leave(long beganNanos) {
    if (isUnary()) {
      shedder.leaveCall(latency, beganNanos);
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
      over |= event instanceof CallEvent.Closed;
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
        Optional<Status> refusal = enter(stream);
        if (refusal.isEmpty()) {
          state = State.OPEN;
          stream.begin(shedder.now());
        } else {
          state = State.REFUSED;
          stream.fail(refusal.get(), shedder.trailers(refusal.get()));
        }
      }
      if (state != State.REFUSED || over) { // otherwise the handler would start
        super.flush();
      }
    }
  }
}
