package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import dev.gannet.transport.CallAdmission;

/**
 * May refuse calls. The guard of a method is shared by its calls, and is asked when each begins. A
 * {@link CallObserver} that is a guard, too, is asked when the handler of its call would start: its
 * request is complete, or is a stream, and the call was not cancelled. A limit is both, because it
 * must learn the end of the calls that it has admitted.
 *
 * <p>Asked on the connection's thread; must not block. One that throws refuses the call.
 */
public interface CallGuard {
  /** Whether the call goes on. If it does not, the guards after this one are not asked. */
  CallAdmission admit(CallContext call);
}
