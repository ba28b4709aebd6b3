package dev.gannet.api.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Functions of classes in the users' API that only Gannet's own modules may call. A class lends its
 * function in its static initializer; the borrower keeps it in a constant, so that a call costs no
 * more than any other. Safe for all threads.
 */
public final class EngineAccess {
  private static final Map<Class<?>, Function<?, ?>> LENT = new ConcurrentHashMap<>();

  private EngineAccess() {}

  /** Lends a function of a class. Each class can lend one. */
  public static <A, R> void lend(Class<?> owner, Function<A, R> function) {
    LENT.put(owner, function);
  }

  /**
   * The function that a class has lent.
   *
   * @param argument the type of the function's argument
   * @throws IllegalStateException if there is none
   */
  @SuppressWarnings("unchecked") // the lending class declares the types
  public static <A, R> Function<A, R> borrow(Class<?> owner, Class<A> argument) {
    try {
      Class.forName(owner.getName(), true, owner.getClassLoader()); // runs its static initializer
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    Function<?, ?> lent = LENT.get(owner);
    if (lent == null) {
      throw new IllegalStateException(
          owner + " has not lent a function with an argument of type " + argument);
    }
    return (Function<A, R>) lent;
  }
}
