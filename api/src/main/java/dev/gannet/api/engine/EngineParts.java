package dev.gannet.api.engine;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Engine objects that belong to users' objects which several builders may share, such as a memory
 * budget: one part for each object, created by the engine that first needs it. A class of the API
 * allows this by {@link #open} in its static initializer. Safe for all threads.
 */
public final class EngineParts {
  private static final Map<Class<?>, Function<Object, AtomicReference<@Nullable Object>>> PLACES =
      new ConcurrentHashMap<>();

  private EngineParts() {}

  /** Declares where objects of a class store the engine's part. */
  public static <T> void open(
      Class<T> type, Function<T, AtomicReference<@Nullable Object>> placeOf) {
    PLACES.put(type, object -> placeOf.apply(type.cast(object)));
  }

  /**
   * The engine's part of an object, which is created on first use.
   *
   * @param type of the part; each class of the API has parts of one type
   * @throws IllegalStateException if the object was closed, which stores a marker in place of the
   *     part
   */
  public static <T, P> P of(T object, Class<P> type, Function<T, P> make) {
    AtomicReference<@Nullable Object> place =
        Objects.requireNonNull(PLACES.get(object.getClass()), "no class with parts").apply(object);
    if (place.get() == null) {
      place.compareAndSet(null, make.apply(object));
    }
    Object part = place.get();
    if (!type.isInstance(part)) {
      throw new IllegalStateException(object + " is closed");
    }
    return type.cast(part);
  }
}
