package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.protocol.MessageEncoding;
import java.util.Optional;

/**
 * The data with which a client's transport starts a call.
 *
 * @param maxInboundMessageBytes the maximum size of a response message, after decompression
 * @param maxOutboundMessageBytes the maximum size of a request message, before compression
 */
public record CallStart<Q, R>(
    MethodDescriptor<Q, R> method,
    String authority,
    Metadata headers,
    Optional<Deadline> deadline,
    MessageEncoding encoding,
    int maxInboundMessageBytes,
    int maxOutboundMessageBytes) {
  /** A start with other headers. */
  public CallStart<Q, R> withHeaders(Metadata headers) {
    return new CallStart<>(
        method,
        authority,
        headers,
        deadline,
        encoding,
        maxInboundMessageBytes,
        maxOutboundMessageBytes);
  }
}
