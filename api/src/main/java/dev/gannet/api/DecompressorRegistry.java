package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The encodings of messages that can be read: {@code gzip}, and those that are added. All are
 * offered to peers ({@code grpc-accept-encoding}), the built-in {@code gzip} first. A server ends
 * calls with other encodings with {@code UNIMPLEMENTED}. Immutable.
 */
public final class DecompressorRegistry {
  /** Only the built-in {@code gzip}. */
  public static final DecompressorRegistry DEFAULT =
      new DecompressorRegistry(Map.of(), Set.of(EncodingName.GZIP));

  private final Map<String, Decompressor> added;
  private final Set<String> builtIn;

  private DecompressorRegistry(Map<String, Decompressor> added, Set<String> builtIn) {
    this.added = added;
    this.builtIn = builtIn;
  }

  /**
   * A registry with this decompressor, which replaces one with the same name, also the built-in
   * {@code gzip}.
   *
   * @throws IllegalArgumentException if its name is invalid, or {@code identity}
   */
  public DecompressorRegistry with(Decompressor decompressor) {
    String name = EncodingName.checked(decompressor.messageEncoding());
    Map<String, Decompressor> all = new LinkedHashMap<>(added);
    all.put(name, decompressor);
    return new DecompressorRegistry(all, without(name, builtIn));
  }

  /**
   * A registry without this encoding, {@code gzip} or an added one: it is not offered to peers any
   * more, and messages that use it are refused.
   *
   * @throws IllegalArgumentException if the registry does not have it, or it is {@code identity},
   *     which means no compression
   */
  public DecompressorRegistry without(String messageEncoding) {
    EncodingName.checkRemovable(messageEncoding, names());
    Map<String, Decompressor> others = new LinkedHashMap<>(added);
    others.remove(messageEncoding);
    return new DecompressorRegistry(others, without(messageEncoding, builtIn));
  }

  private static Set<String> without(String name, Set<String> names) {
    Set<String> others = new LinkedHashSet<>(names);
    others.remove(name);
    return others;
  }

  /** The names of all encodings but {@code identity}: the built-in ones, then the added ones. */
  public Set<String> names() {
    Set<String> all = new LinkedHashSet<>(builtIn);
    all.addAll(added.keySet());
    return Collections.unmodifiableSet(all);
  }

  /** The added decompressors by name, in the order in which they were added. */
  public Map<String, Decompressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
