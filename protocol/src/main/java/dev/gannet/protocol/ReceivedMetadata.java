package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.engine.EngineAccess;
import java.util.function.Function;

/** Makes metadata of fields that came from a peer, without a copy and without a check. */
final class ReceivedMetadata {
  private static final Function<Object[], Metadata> MAKE =
      EngineAccess.borrow(Metadata.class, Object[].class);

  private ReceivedMetadata() {}

  /**
   * Metadata over these fields: a name at each even place, its value (a {@code String}, or a {@code
   * byte[]} where the name is binary) behind it. The array is never written to, so that many calls
   * may share it.
   */
  static Metadata over(Object[] namesAndValues) {
    return MAKE.apply(namesAndValues);
  }
}
