package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which compressed messages are read: those of {@code gzip}, and what is added to it. All are
 * offered to peers ({@code grpc-accept-encoding}), {@code gzip} first. Immutable.
 */
public final class DecompressorRegistry {
  /** {@code gzip} alone. */
  public static final DecompressorRegistry DEFAULT = new DecompressorRegistry(Map.of());

  private final Map<String, Decompressor> added;

  private DecompressorRegistry(Map<String, Decompressor> added) {
    this.added = added;
  }

  /**
   * The same with one more; it replaces another that was added with the same name.
   *
   * @throws IllegalArgumentException if its name is not one, or is that of a built-in encoding
   */
  public DecompressorRegistry with(Decompressor decompressor) {
    Map<String, Decompressor> all = new LinkedHashMap<>(added);
    all.put(EncodingName.checked(decompressor.messageEncoding()), decompressor);
    return new DecompressorRegistry(all);
  }

  /** Those that were added, by their names, in their order. */
  public Map<String, Decompressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
