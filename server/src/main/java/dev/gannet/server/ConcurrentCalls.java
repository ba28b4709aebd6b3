package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.transport.CallAdmission;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Admits the calls of all methods with one name up to {@link MethodLimits#withMaxConcurrentCalls}.
 * All its places are the same.
 */
final class ConcurrentCalls implements Admission, Admission.Place {
  private final int max;
  private final Status refusal;
  private final AtomicInteger inHandlers = new AtomicInteger();

  ConcurrentCalls(MethodDescriptor<?, ?> method, int max) {
    this.max = max;
    this.refusal =
        Status.RESOURCE_EXHAUSTED.withDescription(
            method.fullMethodName()
                + " is at its limit of "
                + max
                + " concurrent calls (maxConcurrentCalls of the server's methodLimits)");
  }

  @Override
  public Answer enter(CallContext call) {
    int now;
    do {
      now = inHandlers.get();
      if (now >= max) {
        return new Refused(new CallAdmission.Refused(refusal, new Metadata()));
      }
    } while (!inHandlers.compareAndSet(now, now + 1));
    return this;
  }

  @Override
  public void leave(Ending how) {
    inHandlers.decrementAndGet();
  }
}
