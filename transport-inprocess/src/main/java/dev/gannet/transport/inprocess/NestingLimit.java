package dev.gannet.transport.inprocess;

/**
 * Limits recursion: if server and client run on one thread, a listener that gets a response may
 * start the next call, whose response is delivered deeper in the stack, and so on. After some
 * levels, the listener's events are delivered on another thread.
 */
final class NestingLimit {
  private static final int MOST = 16;

  private static final ThreadLocal<NestingLimit> OF_THREAD =
      ThreadLocal.withInitial(NestingLimit::new);

  private int depth;

  private NestingLimit() {}

  static NestingLimit ofThread() {
    return OF_THREAD.get();
  }

  /** Enters the next level, until {@link #leave}; returns false if that is too deep. */
  boolean enter() {
    if (depth == MOST) {
      return false;
    }
    depth++;
    return true;
  }

  void leave() {
    depth--;
  }
}
