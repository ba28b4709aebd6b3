package dev.gannet.protocol;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** What a handler has sent until one flush: headers, a message, the end, or several of these. */
public interface ResponsePart {
  /** Headers that the handler sent. */
  @Nullable Metadata headers();

  /** The encoding of the response's compressed messages. */
  MessageEncoding encoding();

  /** The message, as {@link RequestProtocol#frame} made it. */
  @Nullable ByteBuffer message();

  /** The status of the call, if it ends with this part. */
  @Nullable Status status();

  /** The trailers next to the status; empty without a status. */
  Metadata trailers();
}
