package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.MetadataAccess;

/** Creates metadata from fields that were received from a peer, without copying or checking. */
final class ReceivedMetadata {
  private static final MetadataAccess ACCESS =
      EngineAccess.get(MetadataAccess.class, Metadata.class);

  private ReceivedMetadata() {}

  /**
   * Metadata of these fields: a name at each even index, followed by its value (a {@code String},
   * or a {@code byte[]} if the name is binary). The array is never written to, so that many calls
   * may share it.
   */
  static Metadata over(Object[] namesAndValues) {
    return (Metadata) ACCESS.received(namesAndValues);
  }
}
