package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that need no library. */
final class MarshallersTest {
  private static <T> byte[] written(Marshaller<T> marshaller, T message) {
    ByteBuffer[] room = new ByteBuffer[1];
    marshaller.write(
        message,
        sizeBytes -> {
          assertThat(room[0]).isNull();
          room[0] = ByteBuffer.allocate(sizeBytes);
          return room[0];
        });
    assertThat(room[0].hasRemaining()).isFalse();
    return room[0].array();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "plain", "Grüße", "漢字", "\uD83D\uDE00", "one \uFFFD of its own"})
  void textIsUtf8(String text) {
    byte[] bytes = written(Marshallers.utf8(), text);

    assertThat(bytes).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
    assertThat(Marshallers.utf8().parse(ByteBuffer.wrap(bytes))).isEqualTo(text);
  }

  @Test
  void textIsReadFromAnyBufferToItsLimit() {
    byte[] padded = "..Grüße..".getBytes(StandardCharsets.UTF_8);
    ByteBuffer within = ByteBuffer.wrap(padded, 2, padded.length - 4);
    ByteBuffer direct = ByteBuffer.allocateDirect(padded.length).put(padded);
    direct.position(2).limit(padded.length - 2);

    assertThat(Marshallers.utf8().parse(within.slice())).isEqualTo("Grüße");
    assertThat(Marshallers.utf8().parse(within)).isEqualTo("Grüße");
    assertThat(Marshallers.utf8().parse(direct)).isEqualTo("Grüße");
    assertThat(within.hasRemaining() || direct.hasRemaining()).isFalse();
  }

  @Test
  void invalidUtf8CannotBeParsed() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {'a', (byte) 0xc3});

    assertThatThrownBy(() -> Marshallers.utf8().parse(bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the message is not UTF-8");
  }

  @Test
  void bytesAndTextMayHaveAnyFormatInBothDirections() {
    for (Marshaller<?> each : List.of(Marshallers.bytes(), Marshallers.utf8())) {
      assertThat(each.reads("any")).isTrue();
      assertThat(each.writes("any")).isTrue();
    }
  }

  @Test
  void bytesAreWrittenUnchanged() {
    byte[] message = {0, -1, 127};

    assertThat(written(Marshallers.bytes(), message)).isEqualTo(message);
    assertThat(written(Marshallers.bytes(), new byte[0])).isEmpty();
  }

  @Test
  void parsedBytesAreThoseBetweenPositionAndLimitAndAreACopy() {
    byte[] buffer = {1, 2, 3, 4};
    byte[] parsed = Marshallers.bytes().parse(ByteBuffer.wrap(buffer, 1, 2));
    buffer[1] = 9;

    assertThat(parsed).containsExactly(2, 3);
    assertThat(Marshallers.bytes().parse(ByteBuffer.allocate(0))).isEmpty();
  }
}
