package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The encodings with which messages can be compressed: {@code gzip}, and those that are added. A
 * call chooses one by name ({@link CallOptions#withCompression}, {@link
 * ServerCall#setCompression}). Immutable.
 */
public final class CompressorRegistry {
  /** Only the built-in {@code gzip}. */
  public static final CompressorRegistry DEFAULT =
      new CompressorRegistry(Map.of(), Set.of(EncodingName.GZIP));

  private final Map<String, Compressor> added;
  private final Set<String> builtIn;

  private CompressorRegistry(Map<String, Compressor> added, Set<String> builtIn) {
    this.added = added;
    this.builtIn = builtIn;
  }

  /**
   * A registry with this compressor, which replaces one with the same name, also the built-in
   * {@code gzip}.
   *
   * @throws IllegalArgumentException if its name is invalid, or {@code identity}
   */
  public CompressorRegistry with(Compressor compressor) {
    String name = EncodingName.checked(compressor.messageEncoding());
    Map<String, Compressor> all = new LinkedHashMap<>(added);
    all.put(name, compressor);
    return new CompressorRegistry(all, without(name, builtIn));
  }

  /**
   * A registry without this encoding, {@code gzip} or an added one: calls that choose it fail as
   * those with an unknown one.
   *
   * @throws IllegalArgumentException if the registry does not have it, or it is {@code identity},
   *     which means no compression
   */
  public CompressorRegistry without(String messageEncoding) {
    EncodingName.checkRemovable(messageEncoding, names());
    Map<String, Compressor> others = new LinkedHashMap<>(added);
    others.remove(messageEncoding);
    return new CompressorRegistry(others, without(messageEncoding, builtIn));
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

  /** The added compressors by name, in the order in which they were added. */
  public Map<String, Compressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
