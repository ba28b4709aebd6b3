package dev.gannet.protobuf.lite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.GeneratedMessageLite;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Marshallers;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Messages of protobuf-javalite on their way to bytes and back. */
final class ProtobufLiteMarshallerTest {
  private static final Marshaller<Note> NOTES =
      ProtobufLiteMarshaller.of(Note.getDefaultInstance());
  private static final Note NOTE =
      Note.newBuilder()
          .setText("Grüße")
          .addNumbers(1L << 40)
          .setAttachment(ByteString.copyFrom(new byte[] {1, 2, 3}))
          .build();

  private static ByteBuffer written(Note note, ByteBuffer room) {
    NOTES.write(
        note,
        sizeBytes -> {
          assertThat(sizeBytes).isEqualTo(note.getSerializedSize());
          return room.limit(sizeBytes);
        });
    return room.flip();
  }

  @Test
  void aLazyMarshallerLoadsItsTypeWhenItFirstParses() {
    AtomicInteger asked = new AtomicInteger();
    Marshaller<Note> marshaller =
        ProtobufLiteMarshaller.lazy(() -> {
          asked.incrementAndGet();
          return Note.getDefaultInstance();
        });
    Note message = Note.newBuilder().setText("late").build();

    assertThat(marshaller.sizeBytes(message)).isEqualTo(message.getSerializedSize());
    assertThat(asked).hasValue(0);
    assertThat(marshaller.parse(ByteBuffer.wrap(message.toByteArray()))).isEqualTo(message);
    assertThat(marshaller.parse(ByteBuffer.allocate(0))).isSameAs(Note.getDefaultInstance());
    assertThat(asked).hasValue(1);
  }

  @Test
  void marshallersOfTheSameTypeAreEqual() {
    Marshaller<Note> lazy = ProtobufLiteMarshaller.lazy(Note::getDefaultInstance);

    assertThat(lazy).isEqualTo(NOTES).hasSameHashCodeAs(NOTES);
    assertThat(lazy)
        .isNotEqualTo(ProtobufLiteMarshaller.of(Strict.getDefaultInstance()))
        .isNotEqualTo("Note");
  }

  @Test
  void aMarshallerLeadsToItsType() {
    Marshaller<Note> lazy = ProtobufLiteMarshaller.lazy(() -> NOTE);

    assertThat(ProtobufLiteMarshaller.defaultInstance(lazy))
        .containsSame(Note.getDefaultInstance());
    assertThat(ProtobufLiteMarshaller.defaultInstance(Marshallers.bytes())).isEmpty();
  }

  @Test
  void messagesAreImmutable() {
    assertThat(NOTES.hasImmutableMessages()).isTrue();
  }

  @Test
  void theMessagesAreThoseOfTheLiteLibrary() {
    assertThat(NOTE).isInstanceOf(GeneratedMessageLite.class);
  }

  @Test
  void messagesGoThroughHeapAndDirectBuffers() {
    assertThat(NOTES.parse(written(NOTE, ByteBuffer.allocate(100)))).isEqualTo(NOTE);
    assertThat(NOTES.parse(written(NOTE, ByteBuffer.allocateDirect(100)))).isEqualTo(NOTE);
  }

  @Test
  void zeroBytesAreParsedAsTheDefaultInstance() {
    assertThat(NOTES.parse(ByteBuffer.allocate(0))).isSameAs(Note.getDefaultInstance());
  }

  @Test
  void bytesThatAreNoMessageAreRefused() {
    assertThatThrownBy(() -> NOTES.parse(ByteBuffer.wrap(new byte[] {(byte) 0xff})))
        .isInstanceOf(UncheckedIOException.class)
        .hasCauseInstanceOf(InvalidProtocolBufferException.class);
    assertThatThrownBy(() ->
            ProtobufLiteMarshaller.of(Strict.getDefaultInstance()).parse(ByteBuffer.allocate(0)))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void theFormatIsProto() {
    assertThat(NOTES.reads("proto")).isTrue();
    assertThat(NOTES.reads("json")).isFalse();
  }
}
