package dev.gannet.client.call;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.settings.MessageSettings;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageEncodings;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.CallStart;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Creates the start of calls from their options, their channel, and the incoming call for which
 * they are made.
 */
final class CallStarts {
  private CallStarts() {}

  /**
   * The start of a call that is started now.
   *
   * @param inherited the deadline of the incoming call for which it is made
   * @throws IllegalArgumentException if its options name an unknown compression
   */
  static <Q, R> CallStart<Q, R> of(
      ChannelSettings settings,
      MethodDescriptor<Q, R> method,
      CallOptions options,
      Metadata headers,
      Optional<Deadline> inherited) {
    return new CallStart<>(
        method,
        options.authority(),
        headers,
        CallDeadline.of(options, inherited, settings.scheduler()),
        messages(settings.calls().messages(), options));
  }

  private static CallMessages messages(MessageSettings settings, CallOptions options) {
    CallMessages usual = settings.usual();
    if (options.compression().isEmpty()
        && options.maxInboundMessageBytes().isEmpty()
        && options.maxOutboundMessageBytes().isEmpty()) {
      return usual;
    }
    return new CallMessages(
        encoding(settings.encodings(), options),
        options.maxInboundMessageBytes().orElse(usual.maxInboundBytes()),
        options.maxOutboundMessageBytes().orElse(usual.maxOutboundBytes()));
  }

  /**
   * The start, limited by the service config of its method: the shorter timeout and the smaller
   * sizes apply.
   */
  static <Q, R> CallStart<Q, R> withConfig(
      MethodConfig config, CallStart<Q, R> start, ChannelSettings settings, CallOptions options) {
    return withConfig(config, start, settings, options, 0);
  }

  /**
   * The start, limited by the service config of its method, which became known later.
   *
   * @param sinceStartNanos how long ago the call was started
   */
  static <Q, R> CallStart<Q, R> withConfig(
      MethodConfig config,
      CallStart<Q, R> start,
      ChannelSettings settings,
      CallOptions options,
      long sinceStartNanos) {
    if (!limitsCalls(config)) {
      return start;
    }
    return new CallStart<>(
        start.method(),
        start.authority(),
        start.headers(),
        CallDeadline.withConfig(config, start.deadline(), settings.scheduler(), sinceStartNanos),
        messagesWithConfig(config, start.messages(), settings.calls().messages(), options));
  }

  /**
   * With the smaller sizes; the default of channels for responses is no limit that an application
   * has set.
   */
  private static CallMessages messagesWithConfig(
      MethodConfig config, CallMessages ofCall, MessageSettings settings, CallOptions options) {
    CallMessages limited = ofCall;
    int requestBytes = config.maxRequestMessageBytes().orElse(Integer.MAX_VALUE);
    if (requestBytes < ofCall.maxOutboundBytes()) {
      limited = limited.withOutboundBytesOfConfig(requestBytes);
    }
    boolean unset = settings.inboundLimitIsDefault() && options.maxInboundMessageBytes().isEmpty();
    OptionalInt responseBytes = config.maxResponseMessageBytes();
    if (responseBytes.isPresent()
        && (unset || responseBytes.getAsInt() < ofCall.maxInboundBytes())) {
      limited = limited.withInboundBytesOfConfig(responseBytes.getAsInt());
    }
    return limited;
  }

  private static boolean limitsCalls(MethodConfig config) {
    return config.timeout().isPresent()
        || config.maxRequestMessageBytes().isPresent()
        || config.maxResponseMessageBytes().isPresent();
  }

  private static MessageEncoding encoding(MessageEncodings known, CallOptions options) {
    if (options.compression().isEmpty()) {
      return MessageEncoding.IDENTITY;
    }
    String name = options.compression().get();
    Optional<MessageEncoding> found = known.sent(name);
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "unknown compression: "
              + name
              + "; this channel can compress with "
              + known.sentNames()
              + " (ManagedChannelBuilder.compressorRegistry adds others)");
    }
    return found.get();
  }
}
