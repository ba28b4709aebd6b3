package dev.gannet.server;

import dev.gannet.transport.CallLimits;
import dev.gannet.transport.ServerMethod;

/**
 * A method of this server, whatever stands around it: it says all that a {@link ServedMethod} does.
 */
interface EngineMethod<Q, R> extends ServerMethod<Q, R> {
  /** Counts its calls, on connections whose calls are counted. */
  MethodCounter counter();

  @Override
  CallLimits limits();
}
