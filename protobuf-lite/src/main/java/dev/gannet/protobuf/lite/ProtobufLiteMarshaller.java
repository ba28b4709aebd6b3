package dev.gannet.protobuf.lite;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one type of protobuf-javalite, serialized to and parsed from buffers directly. Safe
 * for all threads.
 *
 * <p>Messages may be nested 100 levels deep, which is protobuf's own limit. Extensions are kept as
 * unknown fields. A parsed message does not refer to the buffer.
 */
public final class ProtobufLiteMarshaller<T extends MessageLite> implements Marshaller<T> {
  private static final String FORMAT = "proto";

  private final Supplier<? extends T> defaultInstance;
  private @Nullable Type<T> found;

  /** A message type whose class has been loaded. Immutable, so it is published without a lock. */
  private record Type<T>(T defaultInstance, Parser<T> parser, boolean emptyIsWhole) {
    @SuppressWarnings("unchecked") // a message's default instance and parser are of its own type
    static <T extends MessageLite> Type<T> of(T message) {
      return new Type<>(
          (T) message.getDefaultInstanceForType(),
          (Parser<T>) message.getParserForType(),
          message.getDefaultInstanceForType().isInitialized());
    }
  }

  private ProtobufLiteMarshaller(Supplier<? extends T> defaultInstance) {
    this.defaultInstance = defaultInstance;
  }

  /**
   * The marshaller of the type of the given message.
   *
   * @param defaultInstance the result of the type's {@code getDefaultInstance()}, or any other
   *     message of the type
   */
  public static <T extends MessageLite> Marshaller<T> of(T defaultInstance) {
    ProtobufLiteMarshaller<T> marshaller = new ProtobufLiteMarshaller<>(() -> defaultInstance);
    marshaller.found = Type.of(defaultInstance);
    return marshaller;
  }

  /**
   * The marshaller of a type that is asked for when a message is parsed first, so that a program
   * does not load the classes of messages that it never receives; what generated code uses.
   *
   * @param defaultInstance gives any message of the type, the same type each time: {@code
   *     Name::getDefaultInstance}, say; may be asked more than once
   */
  public static <T extends MessageLite> Marshaller<T> lazy(Supplier<? extends T> defaultInstance) {
    return new ProtobufLiteMarshaller<>(defaultInstance);
  }

  /**
   * The default instance of the message type of a marshaller of this class. With it a program that
   * has a method can convert its messages to another format. Empty if the marshaller is of another
   * class. Loads the class of the message if the marshaller is {@linkplain #lazy lazy}.
   */
  @SuppressWarnings("unchecked") // the marshaller of T has a type of T
  public static <T> Optional<T> defaultInstance(Marshaller<T> marshaller) {
    return marshaller instanceof ProtobufLiteMarshaller<?> ours
        ? Optional.of((T) ours.type().defaultInstance)
        : Optional.empty();
  }

  private Type<T> type() {
    Type<T> known = found;
    if (known == null) {
      known = Type.of(defaultInstance.get());
      found = known;
    }
    return known;
  }

  @Override
  public int sizeBytes(T message) {
    return message.getSerializedSize();
  }

  @Override
  public boolean reads(String format) {
    return format.equals(FORMAT);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if the message is shorter than its stated size
   * @throws UncheckedIOException if the message is longer than its stated size
   */
  @Override
  public void write(T message, MessageSink sink) {
    int sizeBytes = message.getSerializedSize();
    ByteBuffer to = sink.reserve(sizeBytes);
    if (sizeBytes == 0) {
      return;
    }
    CodedOutputStream out = encoder(to);
    try {
      message.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(
          message.getClass().getName() + " was modified while it was serialized", e);
    }
    out.checkNoSpaceLeft();
    to.position(to.limit());
  }

  /**
   * {@inheritDoc} An empty buffer gives the default instance.
   *
   * @throws UncheckedIOException if the bytes are not a message of this type: malformed,
   *     incomplete, nested too deep, or without a required field; its cause is protobuf's own
   *     exception
   */
  @Override
  public T parse(ByteBuffer bytes) {
    Type<T> type = type();
    if (type.emptyIsWhole && !bytes.hasRemaining()) {
      return type.defaultInstance;
    }
    try {
      return type.parser.parseFrom(
          bytes); // copies what it keeps: only buffers declared immutable are aliased
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException("not a " + type.defaultInstance.getClass().getName(), e);
    }
  }

  /** Messages of Protocol Buffers are immutable. */
  @Override
  public boolean hasImmutableMessages() {
    return true;
  }

  /** Whether the other object is a marshaller of the same generated class. */
  @Override
  @SuppressWarnings("ReferenceEquality") // a generated class has one default instance
  public boolean equals(@Nullable Object other) {
    return other instanceof ProtobufLiteMarshaller<?> marshaller
        && marshaller.type().defaultInstance == type().defaultInstance;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(type().defaultInstance);
  }

  private static CodedOutputStream encoder(ByteBuffer to) {
    return to.hasArray()
        ? CodedOutputStream.newInstance(
            to.array(), to.arrayOffset() + to.position(), to.remaining())
        : CodedOutputStream.newInstance(to);
  }
}
