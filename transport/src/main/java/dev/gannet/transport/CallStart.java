package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.protocol.MessageEncoding;
import java.util.Optional;

/**
 * What a client's transport must know to begin a call.
 *
 * @param maxInboundMessageBytes the longest response message taken, after decompression
 * @param maxOutboundMessageBytes the longest request message sent, before compression
 */
public record CallStart<Q, R>(
    MethodDescriptor<Q, R> method,
    String authority,
    Metadata headers,
    Optional<Deadline> deadline,
    MessageEncoding encoding,
    int maxInboundMessageBytes,
    int maxOutboundMessageBytes) {
  /** The same with other headers. */
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
