package dev.gannet.transport;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.protocol.MessageEncoding;
import java.util.Optional;

/**
 * The data with which a client's transport starts a call.
 *
 * <p>From the first flush of the stream until the end of the call, the transport enforces the
 * deadline, also while the call waits for a free stream; the status is {@link ExceededDeadline#of}.
 * Before that, and while a complete response waits for its reader, the engine does. The transport
 * also enforces the sizes, if its messages have any.
 *
 * @param authority the {@code :authority} of the call's options; if it has none, it is sent that of
 *     its connection ({@link ClientTransport.Owner#authority})
 * @param headers must not be changed: later attempts of the call send the same object, and calls
 *     without headers share one
 * @param deadline empty if nothing limits the call
 */
public record CallStart<Q, R>(
    MethodDescriptor<Q, R> method,
    Optional<String> authority,
    Metadata headers,
    Optional<Deadline> deadline,
    CallMessages messages) {
  /** A start with other headers. */
  public CallStart<Q, R> withHeaders(Metadata headers) {
    return new CallStart<>(method, authority, headers, deadline, messages);
  }

  /** The {@code :authority} that is sent if the call is made on this connection. */
  public String authorityOn(ClientTransport connection) {
    return authority.orElse(connection.authority());
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
