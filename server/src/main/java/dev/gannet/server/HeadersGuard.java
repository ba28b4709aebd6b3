package dev.gannet.server;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.engine.FailedStage;
import dev.gannet.api.engine.HeaderChecks;
import dev.gannet.server.call.CallGuard;
import dev.gannet.transport.CallAdmission;
import java.lang.System.Logger;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * Asks the interceptors of headers of a method, the first of the list first, when a call begins: it
 * has the values of its connection then. If one needs time, the call is held until its check has
 * completed; then the next one is asked. All calls of the method share it. Immutable.
 */
record HeadersGuard(String fullMethodName, List<AsyncHeadersInterceptor> interceptors)
    implements CallGuard {
  private static final Logger LOG = System.getLogger(HeadersGuard.class.getName());
  private static final CompletionStage<Void> DONE = HeaderChecks.DONE; // initialized before a call

  @Override
  public CallAdmission admit(CallContext call) {
    return admit(call, 0);
  }

  private CallAdmission admit(CallContext call, int first) {
    try {
      for (int i = first; i < interceptors.size(); i++) {
        CompletionStage<Void> check =
            Objects.requireNonNull(
                interceptors.get(i).onHeaders(call, call.requestHeaders()),
                "an AsyncHeadersInterceptor returned null instead of a CompletionStage");
        if (!hasSucceeded(check)) {
          return pending(call, check, i + 1);
        }
      }
      return CallAdmission.ADMITTED;
    } catch (Throwable e) {
      return refusal(e);
    }
  }

  /** Where that is known at once. Not each class of stages can be asked. */
  private static boolean hasSucceeded(CompletionStage<Void> check) {
    return DONE.equals(check)
        || (check.getClass().equals(CompletableFuture.class)
            && check.toCompletableFuture().state() == Future.State.SUCCESS);
  }

  private CallAdmission.Pending pending(CallContext call, CompletionStage<Void> check, int next) {
    return new CallAdmission.Pending(
        check,
        failure -> failure == null ? admit(call, next) : refusal(FailedStage.cause(failure)));
  }

  private CallAdmission.Refused refusal(Throwable thrown) {
    return ThrownRefusal.of(thrown, "a headers interceptor", fullMethodName, LOG);
  }
}
