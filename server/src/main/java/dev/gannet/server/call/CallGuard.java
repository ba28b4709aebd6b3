package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallAdmission;

/**
 * May refuse the calls of a method when they begin, or hold them while it checks them. All calls of
 * the method share it. What may refuse a call later, when its handler would start, is a {@link
 * CallObserver}.
 *
 * <p>Asked on the connection's thread; must not block. One that throws refuses the call.
 */
public interface CallGuard {
  /** Whether the call goes on; {@link CallAdmission.Pending} holds it. */
  CallAdmission admit(CallContext call);
}
