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
    for (ContextValue each = values; each != null; each = each.before) {
      rest = each.key == key ? rest : new ContextValue(each.key, each.value, rest);
    }
    return rest; // in reverse, which makes no difference
  }

  /** The value that was set last under the key. */
  @SuppressWarnings("unchecked") // with only accepts a T for a Key<T>
  public static <T> Optional<T> find(@Nullable ContextValue last, CallContext.Key<T> key) {
    for (ContextValue each = last; each != null; each = each.before) {
      if (each.key == key) {
        return Optional.of((T) each.value);
      }
    }
    return Optional.empty();
  }
}
