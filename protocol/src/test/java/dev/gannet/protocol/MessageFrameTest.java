package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages on their way out. */
final class MessageFrameTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 70_000})
  void aFrameIsAFlagALengthAndTheMessageInOneArray(int sizeBytes) {
    byte[] message = Frames.counting(sizeBytes);
    ByteBuffer frame = MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP);
    assertThat(frame.position()).isZero();
    assertThat(frame.remaining() - MessageFrame.PREFIX_BYTES).isEqualTo(sizeBytes);
    assertThat(frame.hasArray()).isTrue();
    assertThat(frame.capacity()).isBetween(frame.limit(), frame.limit() * 5 / 4 + 1);
    assertThat(Frames.BYTES.parse(frame.duplicate())).isEqualTo(Frames.framed(0, message));
  }

  @Test
  void theReservedBufferBeginsAfterThePrefix() {
    ByteBuffer frame =
        MessageFrame.frame(
            writing(sink -> {
              ByteBuffer room = sink.reserve(3);
              assertThat(room.remaining()).isEqualTo(3);
              assertThat(room.arrayOffset() + room.position()).isEqualTo(5);
              room.put((byte) 1).put((byte) 2).put((byte) 3);
            }),
            "",
            ArraySource.HEAP);
    assertThat(Frames.BYTES.parse(frame.duplicate()))
        .isEqualTo(Frames.framed(0, (byte) 1, (byte) 2, (byte) 3));
  }

  @Test
  void theByteOrderSetByAMarshallerDoesNotAffectTheLength() {
    ByteBuffer frame =
        MessageFrame.frame(
            writing(sink -> sink.reserve(2).order(ByteOrder.LITTLE_ENDIAN).putShort((short) 1)),
            "",
            ArraySource.HEAP);
    assertThat(Frames.BYTES.parse(frame.duplicate()))
        .isEqualTo(Frames.framed(0, (byte) 1, (byte) 0));
    assertThat(frame.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
  }

  @Test
  void theIdentityEncodingDoesNotSetTheCompressedFlag() {
    byte[] message = Frames.counting(10);
    assertThat(
            MessageFrame.compressed(
                MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP),
                MessageEncoding.IDENTITY))
        .isEqualTo(MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100, 5_000, 1_000_000})
  void aGzipMessageHasTheFlagAndOneMember(int sizeBytes) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] noise = new byte[sizeBytes];
    random.nextBytes(noise);
    for (byte[] message : new byte[][] {new byte[sizeBytes], Frames.counting(sizeBytes), noise}) {
      ByteBuffer frame =
          MessageFrame.compressed(
              MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP), MessageEncoding.GZIP);
      assertThat(frame.position()).isZero();
      assertThat(frame.get()).isEqualTo((byte) 1);
      assertThat(frame.getInt()).isEqualTo(frame.remaining());
      assertThat(frame.remaining()).isLessThan(sizeBytes + sizeBytes / 1_000 + 40);
      assertThat(unzipped(Frames.BYTES.parse(frame))).as("seed %d", seed).isEqualTo(message);
    }
  }

  @Test
  void aMarshallerThatReservesTwiceFailsWithTheReason() {
    assertBreaks(
        sink -> {
          sink.reserve(0);
          sink.reserve(0);
        },
        "the marshaller called reserve twice for one message");
  }

  @Test
  void aMarshallerThatReservesNothingFailsWithTheReason() {
    assertBreaks(sink -> {}, "the marshaller did not call reserve");
  }

  @Test
  void aMarshallerThatDoesNotFillItsBufferFailsWithTheReason() {
    assertBreaks(
        sink -> sink.reserve(3).put((byte) 1),
        "the marshaller must fill the reserved buffer; missing bytes: 2");
    assertBreaks(
        sink -> sink.reserve(3).putShort((short) 1).limit(7),
        "the marshaller must fill the reserved buffer; missing bytes: 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 12})
  void sizesThatDoNotFitIntoAFrameAreRefused(int sizeBytes) {
    assertBreaks(
        sink -> sink.reserve(sizeBytes),
        "a marshaller can reserve 0 to 2147483634 bytes, not " + sizeBytes);
  }

  private static void assertBreaks(Consumer<MessageSink> writer, String rule) {
    assertThatThrownBy(() -> MessageFrame.frame(writing(writer), "", ArraySource.HEAP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(rule);
    assertThatThrownBy(() ->
            MessageFrame.compressed(
                MessageFrame.frame(writing(writer), "", ArraySource.HEAP), MessageEncoding.GZIP))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(rule);
  }

  private static Marshaller<String> writing(Consumer<MessageSink> writer) {
    return new Writing(writer);
  }

  private record Writing(Consumer<MessageSink> writer) implements Marshaller<String> {
    @Override
    public void write(String message, MessageSink sink) {
      writer.accept(sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return "";
    }
  }

  private static byte[] unzipped(byte[] compressed) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
      return in.readAllBytes();
    }
  }
}
