package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.ForwardingCallListener;
import dev.gannet.server.call.ForwardingMethod;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.ServerStream;
import java.lang.System.Logger;
import java.util.List;

/**
 * A method whose calls pass {@link HeadersInterceptor}s, the first of the list first. Immutable.
 */
final class GuardedMethod<Q, R> extends ForwardingMethod<Q, R> {
  private static final Logger LOG = System.getLogger(GuardedMethod.class.getName());

  private static final Status OK_IS_NO_REFUSAL =
      Status.INTERNAL.withDescription(
          "a headers interceptor threw a StatusException with status OK");

  private final List<HeadersInterceptor> interceptors;

  GuardedMethod(EngineMethod<Q, R> method, List<HeadersInterceptor> interceptors) {
    super(method);
    this.interceptors = interceptors;
  }

  @Override
  public EngineCall begin(ServerStream<R> stream) {
    return new Guard(super.begin(stream), this);
  }

  private CallAdmission ask(CallContext call) {
    try {
      for (HeadersInterceptor interceptor : interceptors) {
        interceptor.onHeaders(call, call.requestHeaders());
      }
      return CallAdmission.ADMITTED;
    } catch (Throwable e) {
      StatusException end = refusal(e);
      return new CallAdmission.Refused(end.status(), end.trailers());
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
   * Asks the interceptors when the call begins, because it has the values of its connection then.
   */
  private static final class Guard extends ForwardingCallListener {
    private final GuardedMethod<?, ?> method;

    Guard(EngineCall call, GuardedMethod<?, ?> method) {
      super(call);
      this.method = method;
    }

    @Override
    public CallAdmission onBegun() {
      CallAdmission admission = method.ask(context());
      return admission instanceof CallAdmission.Refused ? admission : super.onBegun();
    }
  }
}
