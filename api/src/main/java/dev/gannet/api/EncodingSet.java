package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a registry has for each message encoding: built-in encodings, and added ones in their order.
 * Immutable.
 *
 * @param <C> what is added
 * @param builtIn names
 * @param added by name
 */
record EncodingSet<C>(Set<String> builtIn, Map<String, C> added) {
  /** {@code gzip} alone. */
  static <C> EncodingSet<C> ofGzip() {
    return new EncodingSet<>(Set.of(EncodingName.GZIP), Map.of());
  }

  EncodingSet<C> with(String name, C codec) {
    EncodingName.checked(name);
    Map<String, C> all = new LinkedHashMap<>(added);
    all.put(name, codec);
    return new EncodingSet<>(builtInWithout(name), Collections.unmodifiableMap(all));
  }

  EncodingSet<C> without(String name) {
    EncodingName.checkRemovable(name, names());
    Map<String, C> others = new LinkedHashMap<>(added);
    others.remove(name);
    return new EncodingSet<>(builtInWithout(name), Collections.unmodifiableMap(others));
  }

  private Set<String> builtInWithout(String name) {
    Set<String> others = new LinkedHashSet<>(builtIn);
    others.remove(name);
    return Collections.unmodifiableSet(others);
  }

  /** The built-in ones, then the added ones. */
  Set<String> names() {
    Set<String> all = new LinkedHashSet<>(builtIn);
    all.addAll(added.keySet());
    return Collections.unmodifiableSet(all);
  }
}
