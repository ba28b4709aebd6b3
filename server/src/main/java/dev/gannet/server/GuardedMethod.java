package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingCallListener;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.ServerStream;
import java.lang.System.Logger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method whose calls pass {@link HeadersInterceptor}s, the first of the list first. Immutable.
 */
final class GuardedMethod<Q, R> extends ForwardingMethod<Q, R> {
  private static final Logger LOG = System.getLogger(GuardedMethod.class.getName());

  private static final Status OK_IS_NO_REFUSAL =
      Status.INTERNAL.withDescription(
          "a headers interceptor threw a StatusException with status OK");

  private static final Status NOT_ASKED =
      Status.INTERNAL.withDescription("the headers interceptors could not be asked");

  private final List<HeadersInterceptor> interceptors;

  GuardedMethod(EngineMethod<Q, R> method, List<HeadersInterceptor> interceptors) {
    super(method);
    this.interceptors = interceptors;
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    return new Guard<>(super.begin(stream), stream, this);
  }

  /** Why the call is refused; null if it is not. */
  private @Nullable StatusException refusal(CallContext call) {
    try {
      for (HeadersInterceptor interceptor : interceptors) {
        interceptor.onHeaders(call, call.requestHeaders());
      }
      return null;
    } catch (Throwable e) {
      return refusal(e);
    }
  }

  private StatusException refusal(Throwable thrown) {
    StatusException end = StatusException.thrownByHandler(thrown);
    if (!end.equals(thrown)) {
      GuardedLog.warn(
          LOG,
          "a headers interceptor threw an exception at a call of "
              + descriptor().fullMethodName()
              + "; the client gets UNKNOWN",
          thrown);
    }
    return end.status().isOk() ? OK_IS_NO_REFUSAL.asException() : end;
  }

  /**
   * Receives the events of one call before the call itself does, on the connection's loop. The
   * interceptors run when the call begins, because it has the values of its connection then. For
   * calls within the process they run before the first event, and a refusal is answered at the end
   * of the batch.
   *
   * <pre>
   *   NEW ──asked──► OPEN
   *    ├───refused──► REFUSED ──end of the batch──► ANSWERED
   *    └───refused as it begins─────────────────────▲
   * </pre>
   */
  private static final class Guard<R> extends ForwardingCallListener {
    private enum State {
      NEW,
      OPEN,
      REFUSED,
      ANSWERED
    }

    private final ServerStream<R> stream;
    private final GuardedMethod<?, R> method;
    private State state = State.NEW;
    private boolean over;
    private @Nullable StatusException refusal;

    Guard(EngineCall call, ServerStream<R> stream, GuardedMethod<?, R> method) {
      super(call);
      this.stream = stream;
      this.method = method;
    }

    private void ask() {
      if (state == State.NEW) {
        state = State.REFUSED; // stays so if an interceptor runs out of memory
        refusal = method.refusal(context());
        state = refusal == null ? State.OPEN : State.REFUSED;
      }
    }

    @Override
    public void onBegun() {
      ask();
      answer();
    }

    private void answer() {
      if (state == State.REFUSED && !over) {
        state = State.ANSWERED;
        StatusException why = refusal;
        if (why == null) {
          stream.fail(NOT_ASKED, new Metadata());
        } else {
          stream.fail(why.status(), why.trailers());
        }
      }
    }

    @Override
    public void add(CallEvent event) {
      ask();
      if (event instanceof CallEvent.Closed) {
        over = true;
        super.add(event);
      } else if (state == State.OPEN) {
        super.add(event);
      } else if (event instanceof CallEvent.Message message) {
        stream.consumed(message.heldBytes()); // the data of a refused client is not read
      }
    }

    @Override
    public void addAnswered() {
      over = true;
      super.addAnswered();
    }

    @Override
    public void flush() {
      ask();
      answer();
      if (state == State.OPEN || over) { // otherwise the handler would begin
        super.flush();
      }
    }
  }
}
