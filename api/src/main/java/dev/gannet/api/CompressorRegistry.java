package dev.gannet.api;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The encodings with which messages can be compressed: {@code gzip}, and those that are added. A
 * call chooses one by name ({@link CallOptions#withCompression}, {@link
 * ServerCall#setCompression}). Immutable.
 */
public final class CompressorRegistry {
  /** Only the built-in {@code gzip}. */
  public static final CompressorRegistry DEFAULT = new CompressorRegistry(EncodingSet.ofGzip());

  private final EncodingSet<Compressor> encodings;

  private CompressorRegistry(EncodingSet<Compressor> encodings) {
    this.encodings = encodings;
  }

  /**
   * A registry with this compressor, which replaces one with the same name, also the built-in
   * {@code gzip}.
   *
   * @throws IllegalArgumentException if its name is invalid, or {@code identity}
   */
  public CompressorRegistry with(Compressor compressor) {
    Objects.requireNonNull(compressor, "compressor");
    return new CompressorRegistry(encodings.with(compressor.messageEncoding(), compressor));
  }

  /**
   * A registry without this encoding, {@code gzip} or an added one: calls that choose it fail as
   * those with an unknown one.
   *
   * @throws IllegalArgumentException if the registry does not have it, or it is {@code identity},
   *     which means no compression
   */
  public CompressorRegistry without(String messageEncoding) {
    return new CompressorRegistry(
        encodings.without(Objects.requireNonNull(messageEncoding, "messageEncoding")));
  }

  /** The names of all encodings but {@code identity}: the built-in ones, then the added ones. */
  public Set<String> names() {
    return encodings.names();
  }

  /** The added compressors by name, in the order in which they were added. */
  public Map<String, Compressor> added() {
    return encodings.added();
  }
}
