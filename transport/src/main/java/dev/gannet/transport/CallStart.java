package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.protocol.MessageEncoding;
import java.util.Optional;

/**
 * The data with which a client's transport starts a call.
 *
 * @param headers perhaps {@link Metadata#empty}; not to be changed
 */
public record CallStart<Q, R>(
    MethodDescriptor<Q, R> method,
    String authority,
    Metadata headers,
    Optional<Deadline> deadline,
    CallMessages messages) {
  /** A start with other headers. */
  public CallStart<Q, R> withHeaders(Metadata headers) {
    return new CallStart<>(method, authority, headers, deadline, messages);
  }

  /** The encoding of compressed requests. */
  public MessageEncoding encoding() {
    return messages.encoding();
  }

  /** The maximum size of a response message in bytes, after decompression. */
  public int maxInboundMessageBytes() {
    return messages.maxInboundBytes();
  }

  /** The maximum size of a request message in bytes, before compression. */
  public int maxOutboundMessageBytes() {
    return messages.maxOutboundBytes();
  }
}
