package dev.gannet.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.protobuf.Method;
import com.google.protobuf.StringValue;
import com.google.protobuf.TypeRegistry;
import com.google.protobuf.util.JsonFormat;
import dev.gannet.api.Marshaller;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages on their way to JSON and back. */
final class JsonMarshallerTest {
  private static final Marshaller<Method> METHODS = JsonMarshaller.of(Method.getDefaultInstance());

  private static <T> String written(Marshaller<T> marshaller, T message) {
    ByteBuffer[] room = new ByteBuffer[1];
    marshaller.write(message, sizeBytes -> room[0] = ByteBuffer.allocate(sizeBytes));
    assertThat(room[0].hasRemaining()).isFalse();
    return new String(room[0].array(), StandardCharsets.UTF_8);
  }

  private static <T> T parsed(Marshaller<T> marshaller, String json) {
    return marshaller.parse(ByteBuffer.wrap(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void messagesAreWrittenAsProtobufJson() {
    Method method = Method.newBuilder().setName("Grüße").setRequestStreaming(true).build();

    assertThat(written(METHODS, method))
        .isEqualTo("{\"name\":\"Grüße\",\"requestStreaming\":true}");
    assertThat(parsed(METHODS, written(METHODS, method))).isEqualTo(method);
  }

  @Test
  void wellKnownTypesHaveTheirSpecialJsonForms() {
    Marshaller<Duration> durations = JsonMarshaller.of(Duration.getDefaultInstance());

    assertThat(written(durations, Duration.newBuilder().setSeconds(3).build())).isEqualTo("\"3s\"");
    assertThat(parsed(durations, "\"1.5s\""))
        .isEqualTo(Duration.newBuilder().setSeconds(1).setNanos(500_000_000).build());
  }

  @Test
  void unknownFieldsAreIgnored() {
    assertThat(parsed(METHODS, "{\"name\":\"a\",\"later\":{}}").getName()).isEqualTo("a");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"name\":{}}"})
  void textThatIsNotTheMessageInJsonIsRefused(String json) {
    assertThatThrownBy(() -> parsed(METHODS, json))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("not a google.protobuf.Method in JSON");
  }

  @Test
  void invalidUtf8IsRefused() {
    assertThatThrownBy(() -> METHODS.parse(ByteBuffer.wrap(new byte[] {'"', (byte) 0xc3, '"'})))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void anAnyMessageNeedsATypeRegistry() {
    Any any = Any.pack(StringValue.of("inside"));
    Marshaller<Any> plain = JsonMarshaller.of(Any.getDefaultInstance());
    TypeRegistry types = TypeRegistry.newBuilder().add(StringValue.getDescriptor()).build();
    Marshaller<Any> knowing =
        JsonMarshaller.of(
            Any.getDefaultInstance(),
            JsonFormat.printer().usingTypeRegistry(types),
            JsonFormat.parser().usingTypeRegistry(types));

    assertThatThrownBy(() -> written(plain, any)).isInstanceOf(UncheckedIOException.class);
    assertThat(parsed(knowing, written(knowing, any))).isEqualTo(any);
  }

  @Test
  void theFormatIsJson() {
    assertThat(METHODS.reads("json")).isTrue();
    assertThat(METHODS.writes("json")).isTrue();
    assertThat(METHODS.writes("proto")).isFalse();
    assertThat(METHODS.reads("proto")).isFalse();
  }
}
