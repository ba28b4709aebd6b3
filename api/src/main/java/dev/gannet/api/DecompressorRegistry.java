package dev.gannet.api;

import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The encodings of messages that can be read: {@code gzip}, and those that are added. All are
 * offered to peers ({@code grpc-accept-encoding}), the built-in {@code gzip} first. A server ends
 * calls with other encodings with {@code UNIMPLEMENTED}. Immutable.
 */
public final class DecompressorRegistry {
  /** Only the built-in {@code gzip}. */
  public static final DecompressorRegistry DEFAULT = new DecompressorRegistry(EncodingSet.ofGzip());

  private final EncodingSet<Decompressor> encodings;

  private DecompressorRegistry(EncodingSet<Decompressor> encodings) {
    this.encodings = encodings;
  }

  /**
   * A registry with this decompressor, which replaces one with the same name, also the built-in
   * {@code gzip}.
   *
   * @throws IllegalArgumentException if its name is invalid, or {@code identity}
   */
  public DecompressorRegistry with(Decompressor decompressor) {
    Objects.requireNonNull(decompressor, "decompressor");
    return new DecompressorRegistry(encodings.with(decompressor.messageEncoding(), decompressor));
  }

  /**
   * A registry without this encoding, {@code gzip} or an added one: it is not offered to peers any
   * more, and messages that use it are refused.
   *
   * @throws IllegalArgumentException if the registry does not have it, or it is {@code identity},
   *     which means no compression
   */
  public DecompressorRegistry without(String messageEncoding) {
    return new DecompressorRegistry(
        encodings.without(Objects.requireNonNull(messageEncoding, "messageEncoding")));
  }

  /** The names of all encodings but {@code identity}: the built-in ones, then the added ones. */
  public Set<String> names() {
    return encodings.names();
  }

  /** The added decompressors by name, in the order in which they were added. */
  public Map<String, Decompressor> added() {
    return encodings.added();
  }
}
