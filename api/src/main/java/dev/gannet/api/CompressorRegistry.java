package dev.gannet.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The encodings with which messages can be compressed: {@code gzip}, and those that are added. A
 * call chooses one by name ({@link CallOptions#withCompression}, {@link
 * ServerCall#setCompression}). Immutable.
 */
public final class CompressorRegistry {
  /** Only {@code gzip}. */
  public static final CompressorRegistry DEFAULT = new CompressorRegistry(Map.of());

  private final Map<String, Compressor> added;

  private CompressorRegistry(Map<String, Compressor> added) {
    this.added = added;
  }

  /**
   * A registry with one more compressor, which replaces an added one with the same name.
   *
   * @throws IllegalArgumentException if its name is invalid, or is that of a built-in encoding
   */
  public CompressorRegistry with(Compressor compressor) {
    Map<String, Compressor> all = new LinkedHashMap<>(added);
    all.put(EncodingName.checked(compressor.messageEncoding()), compressor);
    return new CompressorRegistry(all);
  }

  /** The added compressors by name, in the order in which they were added. */
  public Map<String, Compressor> added() {
    return Collections.unmodifiableMap(added);
  }
}
