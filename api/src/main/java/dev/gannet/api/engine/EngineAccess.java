package dev.gannet.api.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Access to members of the users' API that only Gannet's own modules may use. A class of the API
 * provides it in its static initializer; the caller keeps it in a constant, so that a call costs no
 * more than any other. Safe for all threads.
 */
public final class EngineAccess {
  private static final Map<Class<?>, Object> PROVIDED = new ConcurrentHashMap<>();

  private EngineAccess() {}

  /** Provides access of one type. */
  public static <T> void provide(Class<T> type, T access) {
    PROVIDED.put(type, access);
  }

  /**
   * The access of one type.
   *
   * @param provider the class that provides it
   * @throws IllegalStateException if it does not
   */
  public static <T> T get(Class<T> type, Class<?> provider) {
    try {
      Class.forName(provider.getName(), true, provider.getClassLoader()); // its static initializer
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    Object access = PROVIDED.get(type);
    if (access == null) {
      throw new IllegalStateException(provider + " does not provide " + type);
    }
    return type.cast(access);
  }
}
