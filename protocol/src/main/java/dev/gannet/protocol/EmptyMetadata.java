package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.engine.EngineAccess;
import dev.gannet.api.engine.MetadataAccess;

/**
 * The metadata of calls that send or receive none, as most do. The code of applications gets it at
 * most where it is told not to change what it gets; elsewhere it gets a copy or a new object.
 */
public final class EmptyMetadata {
  /** Metadata without fields, which cannot be changed; for all calls. */
  public static final Metadata SHARED =
      (Metadata) EngineAccess.get(MetadataAccess.class, Metadata.class).sharedEmpty();

  private EmptyMetadata() {}
}
