package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The encodings of messages that can be read: {@code gzip}, and those that are added. All are
 * offered to peers ({@code grpc-accept-encoding}), {@code gzip} first. Immutable.
 */
public final class DecompressorRegistry {
  /** Only {@code gzip}. */
  public static final DecompressorRegistry DEFAULT = new DecompressorRegistry(Map.of());

  private final Map<String, Decompressor> added;

  private DecompressorRegistry(Map<String, Decompressor> added) {
    this.added = added;
  }

  /**
   * A registry with one more decompressor, which replaces an added one with the same name.
   *
   * @throws IllegalArgumentException if its name is invalid, or is that of a built-in encoding
   */
  public DecompressorRegistry with(Decompressor decompressor) {
    Map<String, Decompressor> all = new LinkedHashMap<>(added);
    all.put(EncodingName.checked(decompressor.messageEncoding()), decompressor);
    return new DecompressorRegistry(all);
  }

  /** The added decompressors by name, in the order in which they were added. */
  public Map<String, Decompressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
