package dev.gannet.client.resolver;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Values that a resolver attaches to endpoints or results for a load-balancing policy to read.
 * Immutable: {@link #with} returns another.
 */
public final class Attributes {
  /** No values. */
  public static final Attributes EMPTY = new Attributes(Map.of());

  private final Map<Key<?>, Object> values;

  private Attributes(Map<Key<?>, Object> values) {
    this.values = values;
  }

  /** Names a value; compared by identity. */
  @SuppressWarnings("UnusedTypeParameter") // it types with() and get()
  public static final class Key<T> {
    private final String name;

    private Key(String name) {
      this.name = name;
    }

    /** A new key; the name is for {@link #toString} alone. */
    public static <T> Key<T> of(String name) {
      return new Key<>(name);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** These values and that one, in place of an earlier one of the key. */
  public <T> Attributes with(Key<T> key, T value) {
    Map<Key<?>, Object> more = new HashMap<>(values);
    more.put(key, value);
    return new Attributes(Map.copyOf(more));
  }

  /** The value of the key, if it has one. */
  @SuppressWarnings("unchecked") // with() lets only a T in under a Key<T>
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

  @Override
  public String toString() {
    return values.toString();
  }
}
