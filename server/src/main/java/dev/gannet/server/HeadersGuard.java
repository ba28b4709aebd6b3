package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.call.CallGuard;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.util.List;

/**
 * Asks the {@link HeadersInterceptor}s of a method, the first of the list first, when a call
 * begins: it has the values of its connection then. All calls of the method share it. Immutable.
 */
record HeadersGuard(String fullMethodName, List<HeadersInterceptor> interceptors)
    implements CallGuard {
  private static final Logger LOG = System.getLogger(HeadersGuard.class.getName());

  private static final Status OK_IS_NO_REFUSAL =
      Status.INTERNAL.withDescription(
          "a headers interceptor threw a StatusException with status OK");

  @Override
  public CallAdmission admit(CallContext call) {
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
              + fullMethodName
              + "; the client gets UNKNOWN",
          thrown);
    }
    return end.status().isOk() ? OK_IS_NO_REFUSAL.asException() : end;
  }
}
