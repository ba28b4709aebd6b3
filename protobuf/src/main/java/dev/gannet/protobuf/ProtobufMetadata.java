package dev.gannet.protobuf;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import dev.gannet.api.Metadata;
import java.io.UncheckedIOException;

/** Keys of metadata whose values are Protocol Buffers messages. */
public final class ProtobufMetadata {
  private ProtobufMetadata() {}

  /**
   * The key of messages of a type, with a name derived from the type as in other implementations of
   * gRPC: {@code google.rpc.RetryInfo} is sent as {@code google.rpc.retryinfo-bin}.
   *
   * <p>Reading a value that is not a message of the type throws {@link UncheckedIOException}.
   *
   * @param defaultInstance the result of the type's {@code getDefaultInstance()}, or any other
   *     message of the type
   */
  public static <T extends Message> Metadata.Key<T> key(T defaultInstance) {
    String type = defaultInstance.getDescriptorForType().getFullName();
    return key(type + Metadata.BINARY_SUFFIX, defaultInstance);
  }

  /**
   * A key with this name for messages of a type.
   *
   * @throws IllegalArgumentException if the name is not one of a binary field
   */
  public static <T extends MessageLite> Metadata.Key<T> key(String name, T defaultInstance) {
    return Metadata.Key.binary(name, new AsBytes<>(defaultInstance));
  }

  private static final class AsBytes<T extends MessageLite>
      implements Metadata.BinaryMarshaller<T> {
    private final Parser<T> parser;

    @SuppressWarnings("unchecked") // a message's parser is of its own type
    AsBytes(T message) {
      parser = (Parser<T>) message.getParserForType();
    }

    @Override
    public byte[] toBytes(T value) {
      return value.toByteArray();
    }

    @Override
    public T parseBytes(byte[] bytes) {
      try {
        return parser.parseFrom(bytes);
      } catch (InvalidProtocolBufferException e) {
        throw new UncheckedIOException("the metadata value is not of the key's type", e);
      }
    }
  }
}
