package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.CallLimits;
import dev.gannet.transport.ServerStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A method whose calls are admitted by the {@link LoadShedder}. Immutable. */
final class SheddingMethod<Q, R> implements EngineMethod<Q, R> {
  private final EngineMethod<Q, R> method;
  private final LoadShedder shedder;
  private final AdaptiveLimit.Latency latency;

  SheddingMethod(EngineMethod<Q, R> method, LoadShedder shedder, AdaptiveLimit.Latency latency) {
    this.method = method;
    this.shedder = shedder;
    this.latency = latency;
  }

  @Override
  public MethodDescriptor<Q, R> descriptor() {
    return method.descriptor();
  }

  @Override
  public StatusCounter counter() {
    return method.counter();
  }

  @Override
  public CallLimits limits() {
    return method.limits();
  }

  @Override
  public CallEventListener begin(ServerStream<R> stream) {
    AdmittedStream<R> counted = new AdmittedStream<>(stream, this);
    return new AdmissionListener(method.begin(counted), counted);
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
  private final class AdmissionListener implements CallEventListener {
    private enum State {
      COLLECTING,
      OPEN,
      REFUSED
    }

    private final CallEventListener call;
    private final AdmittedStream<R> stream;
    private State state = State.COLLECTING;
    private boolean whole;
    private boolean over;

    AdmissionListener(CallEventListener call, AdmittedStream<R> stream) {
      this.call = call;
      this.stream = stream;
      this.whole = !descriptor().type().clientSendsOneMessage();
    }

    @Override
    public void add(CallEvent event) {
      whole |=
          event instanceof CallEvent.HalfClosed
              || (event instanceof CallEvent.Message message && message.isLast());
      over |= event instanceof CallEvent.Closed;
      call.add(event);
    }

    @Override
    public void addAnswered() {
      over = true;
      call.addAnswered();
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
        call.flush();
      }
    }

    @Override
    public boolean isMessageRequested() {
      return call.isMessageRequested();
    }

    @Override
    public @Nullable CallContext context() {
      return call.context();
    }
  }
}
