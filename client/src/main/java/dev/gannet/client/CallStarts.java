package dev.gannet.client;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallStart;
import java.util.Optional;

/** What calls begin with, by their options, their channel, and the call that they are made for. */
final class CallStarts {
  private CallStarts() {}

  /**
   * What a call begins with that starts now.
   *
   * @param served the call that it is made for
   * @throws IllegalArgumentException if its options name a compression that there is not
   */
  static <Q, R> CallStart<Q, R> of(
      ChannelSettings settings,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Metadata headers,
      Optional<CallContext> served) {
    return new CallStart<>(
        method,
        options.authority().orElse(settings.authority()),
        headers,
        CallDeadline.of(options, served, settings.transport()),
        encoding(options),
        options.maxInboundMessageBytes().orElse(settings.maxInboundMessageBytes()),
        options.maxOutboundMessageBytes().orElse(Integer.MAX_VALUE));
  }

  private static MessageEncoding encoding(CallOptions options) {
    String name = options.compression().orElse(MessageEncoding.IDENTITY.wireName());
    Optional<MessageEncoding> known = MessageEncoding.of(name);
    if (known.isEmpty()) {
      throw new IllegalArgumentException("unknown compression: " + name);
    }
    return known.get();
  }
}
