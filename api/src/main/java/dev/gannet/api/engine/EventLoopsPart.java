package dev.gannet.api.engine;

/** What a transport keeps for event loops of users. Safe for all threads. */
public interface EventLoopsPart {
  /**
   * Closes all connections of the loops and ends their threads; blocks until that is done.
   *
   * @throws IllegalStateException on a thread of an event loop
   */
  void close();
}
