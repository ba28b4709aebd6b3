package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.MethodOptions.IdempotencyLevel;
import com.google.protobuf.Descriptors.MethodDescriptor;

/**
 * One method of a service and its names in Java.
 *
 * @param methodName the name in the interfaces
 * @param constantName the name of its descriptor
 * @param comment its comment in the {@code .proto} file; blank if there is none
 */
record Rpc(
    MethodDescriptor definition,
    Kind kind,
    String methodName,
    String constantName,
    String comment) {
  /** Which side sends a stream. */
  enum Kind {
    UNARY("one request, one response"),
    SERVER_STREAMING("one request, a stream of responses"),
    CLIENT_STREAMING("a stream of requests, one response"),
    BIDI_STREAMING("a stream each way");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** The function for this kind in the classes of {@code dev.gannet.api.stub}. */
    String function() {
      return switch (this) {
        case UNARY -> "unary";
        case SERVER_STREAMING -> "serverStreaming";
        case CLIENT_STREAMING -> "clientStreaming";
        case BIDI_STREAMING -> "bidiStreaming";
      };
    }

    private static Kind of(MethodDescriptor method) {
      if (method.isClientStreaming()) {
        return method.isServerStreaming() ? BIDI_STREAMING : CLIENT_STREAMING;
      }
      return method.isServerStreaming() ? SERVER_STREAMING : UNARY;
    }
  }

  static Rpc of(MethodDescriptor definition, String comment) {
    String name = definition.getName();
    return new Rpc(
        definition, Kind.of(definition), JavaNames.method(name), JavaNames.constant(name), comment);
  }

  String name() {
    return definition.getName();
  }

  /** The class of its requests. */
  MessageType request() {
    return MessageType.of(definition.getInputType());
  }

  /** The class of its responses. */
  MessageType response() {
    return MessageType.of(definition.getOutputType());
  }

  boolean sendsOneRequest() {
    return !definition.isClientStreaming();
  }

  boolean sendsOneResponse() {
    return !definition.isServerStreaming();
  }

  boolean isDeprecated() {
    return definition.getOptions().getDeprecated();
  }

  IdempotencyLevel idempotency() {
    return definition.getOptions().getIdempotencyLevel();
  }

  /** Whether one of its messages is deprecated in Java. */
  boolean usesDeprecated() {
    return MessageType.isDeprecated(definition.getInputType())
        || MessageType.isDeprecated(definition.getOutputType());
  }

  /** One line of documentation for methods without a comment. */
  String summary() {
    return "{@code %s}: %s.".formatted(name(), kind.words);
  }
}
