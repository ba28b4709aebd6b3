package dev.gannet.json;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Messages of one Protocol Buffers type as JSON in UTF-8, in the mapping of the Protocol Buffers
 * language guide ("ProtoJSON"). Stateless and safe for all threads.
 *
 * <p>Unknown fields are ignored, as in the binary format. Messages may be nested 100 levels deep,
 * which is protobuf's own limit. {@code google.protobuf.Any} needs to know its types: pass a parser
 * and a printer with a type registry.
 */
public final class JsonMarshaller<T extends Message> implements Marshaller<T> {
  private static final String FORMAT = "json";

  private final T defaultInstance;
  private final JsonFormat.Printer printer;
  private final JsonFormat.Parser parser;

  private JsonMarshaller(T message, JsonFormat.Printer printer, JsonFormat.Parser parser) {
    this.defaultInstance = sameType(message.getDefaultInstanceForType());
    this.printer = printer;
    this.parser = parser;
  }

  /**
   * The marshaller of the type of the given message, without white space between fields.
   *
   * @param defaultInstance the result of the type's {@code getDefaultInstance()}, or any other
   *     message of the type
   */
  public static <T extends Message> Marshaller<T> of(T defaultInstance) {
    return of(
        defaultInstance,
        JsonFormat.printer().omittingInsignificantWhitespace(),
        JsonFormat.parser().ignoringUnknownFields());
  }

  /** Like {@link #of(Message)}, with a custom printer and parser. */
  public static <T extends Message> Marshaller<T> of(
      T defaultInstance, JsonFormat.Printer printer, JsonFormat.Parser parser) {
    return new JsonMarshaller<>(defaultInstance, printer, parser);
  }

  @Override
  public boolean reads(String format) {
    return format.equals(FORMAT);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the message has an {@code Any} of a type that the printer does
   *     not know
   */
  @Override
  public void write(T message, MessageSink sink) {
    try {
      byte[] json = printer.print(message).getBytes(StandardCharsets.UTF_8);
      sink.reserve(json.length).put(json);
    } catch (InvalidProtocolBufferException e) {
      throw new UncheckedIOException(name() + " cannot be written as JSON", e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the bytes are not UTF-8, not JSON, or not a message of this
   *     type; its cause is the reader's own exception
   */
  @Override
  public T parse(ByteBuffer bytes) {
    try {
      String json = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
      Message.Builder builder = defaultInstance.newBuilderForType();
      parser.merge(json, builder);
      return sameType(builder.build());
    } catch (CharacterCodingException | InvalidProtocolBufferException e) {
      throw new UncheckedIOException("not a " + name() + " in JSON", e);
    }
  }

  private String name() {
    return defaultInstance.getDescriptorForType().getFullName();
  }

  @SuppressWarnings("unchecked") // a message's builder builds messages of its own type
  private T sameType(Message message) {
    return (T) message;
  }
}
