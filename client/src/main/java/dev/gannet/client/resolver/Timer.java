package dev.gannet.client.resolver;

/** Something that was to happen later, on its way. Safe for all threads. */
@FunctionalInterface
public interface Timer {
  /** It does not happen any more, unless it is happening. May be told again. */
  void cancel();
}
