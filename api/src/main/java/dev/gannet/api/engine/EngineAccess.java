package dev.gannet.api.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Functions that classes of the users' API lend to our own modules, and to nobody else. A class
 * lends its function in its static initializer; who borrows one keeps it in a constant, so that a
 * call of it is as cheap as any other. Safe for all threads.
 */
public final class EngineAccess {
  private static final Map<Class<?>, Function<?, ?>> LENT = new ConcurrentHashMap<>();

  private EngineAccess() {}

  /** Lends a function of that class. One class lends one. */
  public static <A, R> void lend(Class<?> owner, Function<A, R> function) {
    LENT.put(owner, function);
  }

  /**
   * The function that the class has lent.
   *
   * @param argument what the function takes
   * @throws IllegalStateException if there is none
   */
  @SuppressWarnings("unchecked") // the class that lends says what it takes, in its own words
  public static <A, R> Function<A, R> borrow(Class<?> owner, Class<A> argument) {
    try {
      Class.forName(owner.getName(), true, owner.getClassLoader()); // so that it has lent
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    Function<?, ?> lent = LENT.get(owner);
    if (lent == null) {
      throw new IllegalStateException(owner + " has lent nothing that takes " + argument);
    }
    return (Function<A, R>) lent;
  }
}
