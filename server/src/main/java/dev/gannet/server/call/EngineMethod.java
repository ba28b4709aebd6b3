package dev.gannet.server.call;

import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;

/**
 * A method of this server with its wrappers; it has all the functions of a {@link ServedMethod}.
 */
public interface EngineMethod<Q, R> extends ServerMethod<Q, R> {
  /** Counts its calls, on connections whose calls are counted. */
  CallCounter counter();

  @Override
  CallLimits limits();

  @Override
  EngineCall begin(ServerStream<R> stream);
}
