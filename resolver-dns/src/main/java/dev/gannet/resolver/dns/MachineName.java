package dev.gannet.resolver.dns;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * The name of this machine, which the system may take long to find, or never. At most one thread of
 * a channel waits for it. Safe for all threads.
 */
final class MachineName {
  private final Supplier<String> source;
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile String last = "";

  /**
   * Not known yet.
   *
   * @param source may block
   */
  MachineName(Supplier<String> source) {
    this.source = source;
  }

  /** Asks for the name, and blocks; the last one, at once, if another thread still waits for it. */
  String ask() {
    if (!asking.compareAndSet(false, true)) {
      return last;
    }
    try {
      String found = source.get();
      last = found;
      return found;
    } finally {
      asking.set(false);
    }
  }

  /** The last name that was found; empty if there is none. */
  String last() {
    return last;
  }
}
