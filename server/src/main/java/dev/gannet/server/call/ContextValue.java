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
  /** The values with one more, in place of an earlier one with the same key. */
  public static <T> ContextValue with(
      @Nullable ContextValue before, CallContext.Key<T> key, T value) {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(value, key.toString());
    boolean replaces = find(before, key).isPresent();
    return new ContextValue(key, value, replaces ? without(key, before) : before);
  }

  private static @Nullable ContextValue without(
      CallContext.Key<?> key, @Nullable ContextValue values) {
    @Nullable ContextValue rest = null;
    for (ContextValue at = values; at != null; at = at.before) {
      rest = at.key == key ? rest : new ContextValue(at.key, at.value, rest);
    }
    return rest; // in reverse, which makes no difference
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
