package dev.gannet.client.resolver;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Values that a resolver attaches to endpoints or results for load-balancing policies, or
 * {@linkplain NameResolver.Context#keep keeps} for later resolvers. Immutable: {@link #with}
 * returns another object.
 */
public final class Attributes {
  /** No values. */
  public static final Attributes EMPTY = new Attributes(Map.of());

  /** In the order in which the keys were added. */
  private final Map<Key<?>, Object> values;

  private Attributes(Map<Key<?>, Object> values) {
    this.values = values;
  }

  /** The key of a value; compared by identity. */
  @SuppressWarnings("UnusedTypeParameter") // for the types of with() and get()
  public static final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = name;
    }

    /** A new key; the name is only for {@link #toString}. */
    public static <T> Key<T> of(String name) {
      return new Key<>(Objects.requireNonNull(name, "name"));
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** These values with one more, which replaces an earlier one of the key. */
  public <T> Attributes with(Key<T> key, T value) {
    Map<Key<?>, Object> more = new LinkedHashMap<>(values);
    more.put(Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value"));
    return new Attributes(Collections.unmodifiableMap(more));
  }

  /** The value of the key, if it has one. */
  @SuppressWarnings("unchecked") // with() only accepts a T for a Key<T>
  public <T> Optional<T> get(Key<T> key) {
    return Optional.ofNullable((T) values.get(key));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Attributes attributes && values.equals(attributes.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  /** The names of the keys and the values, such as <code>{zone=eu, weight=3}</code>. */
  @Override
  public String toString() {
    return values.toString();
  }
}
