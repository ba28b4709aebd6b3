package dev.gannet.transport;

import dev.gannet.api.engine.ThrowableText;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Parts of an application that {@link ServiceLoader} finds. One that cannot be used is skipped with
 * a warning, because most of those who load it do not need it. For all threads.
 */
public final class FoundPlugins {
  private static final Logger LOG = System.getLogger(FoundPlugins.class.getName());

  /** A class path that cannot be read may fail for ever. */
  private static final int MAX_FAILURES = 100;

  private FoundPlugins() {}

  /**
   * Loads them in their order, as far as they can be loaded.
   *
   * @param found a {@link ServiceLoader} that has loaded nothing
   * @param kind one of them, for the log: "a resolver"
   */
  public static <T> List<T> in(Iterable<T> found, String kind) {
    List<T> loaded = new ArrayList<>();
    Iterator<T> all = found.iterator();
    int failures = 0;
    while (failures < MAX_FAILURES) {
      try {
        if (!all.hasNext()) {
          break;
        }
        loaded.add(all.next());
      } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
        failures++; // the next call goes on behind it
        onUnusable(kind, e);
      }
    }
    return loaded;
  }

  /** Writes a warning: one of them is skipped. */
  public static void onUnusable(String kind, Throwable why) {
    GuardedLog.warn(
        LOG, kind + " that ServiceLoader finds cannot be used: " + ThrowableText.of(why), why);
  }
}
