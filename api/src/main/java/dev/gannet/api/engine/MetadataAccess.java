package dev.gannet.api.engine;

/** Creates {@code Metadata}, which this package cannot name, because its package uses this one. */
public interface MetadataAccess {
  /**
   * Metadata over fields that were received from a peer, without copying or checking.
   *
   * @param namesAndValues a name at each even index, followed by its value (a {@code String}, or a
   *     {@code byte[]} if the name is binary); never written to, so that many calls may share it
   * @return a {@code Metadata}
   */
  Object received(Object[] namesAndValues);

  /**
   * The metadata without fields that calls share, so that most calls need no object of their own.
   * Adding to it throws {@code UnsupportedOperationException}: only code that does not change it
   * may get it, or a copy.
   *
   * @return a {@code Metadata}, always the same
   */
  Object sharedEmpty();
}
