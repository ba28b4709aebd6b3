package dev.gannet.transport.inprocess;

/**
 * Where server and client run on one thread, a listener that is told of an answer may begin the
 * next call, whose answer it is told deeper in the stack, and so on. Where that has gone on for
 * some calls, the next answer is told on a thread of its own.
 */
final class Nesting {
  private static final int MOST = 16;

  private static final ThreadLocal<Nesting> OF_THREAD = ThreadLocal.withInitial(Nesting::new);

  private int depth;

  private Nesting() {}

  static Nesting ofThread() {
    return OF_THREAD.get();
  }

  /** One deeper, until {@link #leave}; false if that is too deep. */
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
