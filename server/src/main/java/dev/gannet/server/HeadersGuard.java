package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.server.call.CallGuard;
import dev.gannet.transport.CallAdmission;
import java.lang.System.Logger;
import java.util.List;

/**
 * Asks the {@link HeadersInterceptor}s of a method, the first of the list first, when a call
 * begins: it has the values of its connection then. All calls of the method share it. Immutable.
 */
record HeadersGuard(String fullMethodName, List<HeadersInterceptor> interceptors)
    implements CallGuard {
  private static final Logger LOG = System.getLogger(HeadersGuard.class.getName());

  @Override
  public CallAdmission admit(CallContext call) {
    try {
      for (HeadersInterceptor interceptor : interceptors) {
        interceptor.onHeaders(call, call.requestHeaders());
      }
      return CallAdmission.ADMITTED;
    } catch (Throwable e) {
      return ThrownRefusal.of(e, "a headers interceptor", fullMethodName, LOG);
    }
  }
}
