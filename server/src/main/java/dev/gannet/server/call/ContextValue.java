package dev.gannet.server.call;

import dev.gannet.api.CallContext;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A linked list of the values in a call's context. Immutable; a call has few values, and most calls
 * none.
 */
public record ContextValue(CallContext.Key<?> key, Object value, @Nullable ContextValue before) {
  /** The values with one more, which hides an earlier one with the same key. */
  public static <T> ContextValue with(
      @Nullable ContextValue before, CallContext.Key<T> key, T value) {
    return new ContextValue(
        Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, key.toString()), before);
  }

  /** The value that was set last under the key. */
  @SuppressWarnings("unchecked") // with only accepts a T for a Key<T>
  public static <T> Optional<T> find(@Nullable ContextValue last, CallContext.Key<T> key) {
    for (ContextValue at = last; at != null; at = at.before) {
      if (at.key == key) {
        return Optional.of((T) at.value);
      }
    }
    return Optional.empty();
  }
}
