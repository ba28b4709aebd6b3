package dev.gannet.api.engine;

import java.util.function.Consumer;

/**
 * Where stubs report that a method has thrown; implemented by the context of a server's call, and
 * called on the thread of the handler.
 */
public interface HandlerFailures {
  /**
   * A method has thrown, and its listener throws the same exception: the listeners of interceptors
   * see it, and may close the call. If none has closed the call when the event ends, the call is
   * closed with the exception that the event has thrown, or with this one if an interceptor has
   * caught it.
   *
   * @param close closes the call, as its handler sees it, with the status of an exception
   * @return false if this thread delivers no event of the call: then nobody else closes it
   */
  boolean onThrown(Throwable thrown, Consumer<Throwable> close);
}
