package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a handler has said up to one flush: headers, a message, the end, or several of these. */
public interface ResponsePart {
  /** Headers that the handler asked for. */
  @Nullable Metadata headers();

  /** What compressed messages of the response are compressed with. */
  MessageEncoding encoding();

  /** The message, as {@link RequestProtocol#frame} made it. */
  @Nullable ByteBuffer message();

  /** How the call ends, if it ends with this part. */
  @Nullable Status status();

  /** What goes with the status; empty without one. */
  Metadata trailers();
}
