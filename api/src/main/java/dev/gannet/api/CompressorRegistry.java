package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What messages may be compressed with: {@code gzip}, and what is added to it. A call chooses one
 * by name ({@link CallOptions#withCompression}, {@link ServerCall#setCompression}). Immutable.
 */
public final class CompressorRegistry {
  /** {@code gzip} alone. */
  public static final CompressorRegistry DEFAULT = new CompressorRegistry(Map.of());

  private final Map<String, Compressor> added;

  private CompressorRegistry(Map<String, Compressor> added) {
    this.added = added;
  }

  /**
   * The same with one more; it replaces another that was added with the same name.
   *
   * @throws IllegalArgumentException if its name is not one, or is that of a built-in encoding
   */
  public CompressorRegistry with(Compressor compressor) {
    Map<String, Compressor> all = new LinkedHashMap<>(added);
    all.put(EncodingName.checked(compressor.messageEncoding()), compressor);
    return new CompressorRegistry(all);
  }

  /** Those that were added, by their names, in their order. */
  public Map<String, Compressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
