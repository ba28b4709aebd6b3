package dev.gannet.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.DescriptorProtos.UninterpretedOption.NamePart;
import com.google.protobuf.Empty;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.gannet.api.Marshaller;
import dev.gannet.api.Marshallers;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How messages become bytes and bytes become messages. */
final class ProtobufMarshallerTest {
  private static final int MARGIN_BYTES = 5;
  private static final byte UNTOUCHED = 0x55;

  /** The kinds of buffers that engines hand out. */
  enum Memory {
    HEAP,
    HEAP_INSIDE_AN_ARRAY,
    HEAP_SLICE,
    DIRECT,
    DIRECT_INSIDE_A_BUFFER,
    DIRECT_SLICE;

    ByteBuffer allocate(int sizeBytes) {
      int roomBytes = sizeBytes + 2 * MARGIN_BYTES;
      return switch (this) {
        case HEAP -> ByteBuffer.allocate(sizeBytes);
        case HEAP_INSIDE_AN_ARRAY -> within(ByteBuffer.allocate(roomBytes), sizeBytes);
        case HEAP_SLICE -> within(ByteBuffer.allocate(roomBytes), sizeBytes).slice();
        case DIRECT -> ByteBuffer.allocateDirect(sizeBytes);
        case DIRECT_INSIDE_A_BUFFER -> within(ByteBuffer.allocateDirect(roomBytes), sizeBytes);
        case DIRECT_SLICE -> within(ByteBuffer.allocateDirect(roomBytes), sizeBytes).slice();
      };
    }

    ByteBuffer holding(byte[] bytes) {
      ByteBuffer buffer = allocate(bytes.length);
      buffer.duplicate().put(bytes);
      return buffer;
    }

    private static ByteBuffer within(ByteBuffer whole, int sizeBytes) {
      for (int i = 0; i < whole.capacity(); i++) {
        whole.put(i, UNTOUCHED);
      }
      return whole.position(MARGIN_BYTES).limit(MARGIN_BYTES + sizeBytes);
    }
  }

  private static final Struct MESSAGE =
      Struct.newBuilder()
          .putFields("name", Value.newBuilder().setStringValue("gannet \u00e9\u20ac").build())
          .putFields("weight", Value.newBuilder().setNumberValue(3.6).build())
          .putFields("list", Value.newBuilder().setListValue(nested(3)).build())
          .build();

  @Test
  void aLazyMarshallerLoadsItsTypeWhenItFirstParses() {
    AtomicInteger asked = new AtomicInteger();
    Marshaller<StringValue> marshaller =
        ProtobufMarshaller.lazy(() -> {
          asked.incrementAndGet();
          return StringValue.getDefaultInstance();
        });
    StringValue message = StringValue.newBuilder().setValue("late").build();

    assertThat(marshaller.sizeBytes(message)).isEqualTo(message.getSerializedSize());
    assertThat(asked).hasValue(0);
    assertThat(marshaller.parse(ByteBuffer.wrap(message.toByteArray()))).isEqualTo(message);
    assertThat(marshaller.parse(ByteBuffer.allocate(0))).isSameAs(StringValue.getDefaultInstance());
    assertThat(asked).hasValue(1);
    assertThat(marshaller).isEqualTo(ProtobufMarshaller.of(StringValue.getDefaultInstance()));
    assertThat(marshaller).isNotEqualTo(ProtobufMarshaller.of(Empty.getDefaultInstance()));
  }

  @Test
  void aMarshallerLeadsToItsType() {
    assertThat(ProtobufMarshaller.defaultInstance(ProtobufMarshaller.of(StringValue.of("any"))))
        .containsSame(StringValue.getDefaultInstance());
    Marshaller<NamePart> ofRequiredFields = ProtobufMarshaller.lazy(NamePart::getDefaultInstance);
    assertThat(ProtobufMarshaller.defaultInstance(ofRequiredFields))
        .containsSame(NamePart.getDefaultInstance());
    assertThat(ProtobufMarshaller.defaultInstance(Marshallers.bytes())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aMessageSurvivesTheRoundTrip(Memory memory) {
    ByteBuffer written =
        written(ProtobufMarshaller.of(Struct.getDefaultInstance()), MESSAGE, memory);

    assertThat(ProtobufMarshaller.of(Struct.getDefaultInstance()).parse(written))
        .isEqualTo(MESSAGE);
  }

  @ParameterizedTest
  @EnumSource
  void messagesAreWrittenInProtobufsOwnEncoding(Memory memory) {
    ByteBuffer written =
        written(ProtobufMarshaller.of(Struct.getDefaultInstance()), MESSAGE, memory);
    byte[] bytes = new byte[written.remaining()];
    written.get(bytes);

    assertThat(bytes).isEqualTo(MESSAGE.toByteArray());
  }

  @ParameterizedTest
  @EnumSource
  void writingFillsTheBufferAndNothingAroundIt(Memory memory) {
    StringValue message = StringValue.of("inside");
    ByteBuffer buffer = memory.allocate(message.getSerializedSize());
    ProtobufMarshaller.of(StringValue.getDefaultInstance()).write(message, size -> buffer);

    assertThat(buffer.hasRemaining()).isFalse();
    ByteBuffer after = buffer.duplicate().limit(buffer.capacity());
    while (after.hasRemaining()) {
      assertThat(after.get()).isEqualTo(UNTOUCHED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void zeroBytesAreParsedAsTheDefaultInstanceItself(Memory memory) {
    ByteBuffer nothing = memory.allocate(0);

    assertThat(ProtobufMarshaller.of(Empty.getDefaultInstance()).parse(nothing))
        .isSameAs(Empty.getDefaultInstance());
    assertThat(ProtobufMarshaller.of(StringValue.of("any")).parse(nothing))
        .isSameAs(StringValue.getDefaultInstance());
  }

  @Test
  void anEmptyMessageReservesNoBytes() {
    ByteBuffer written =
        written(
            ProtobufMarshaller.of(Empty.getDefaultInstance()),
            Empty.getDefaultInstance(),
            Memory.HEAP);

    assertThat(written.remaining()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void aParsedMessageDoesNotReferToTheBuffer(Memory memory) {
    BytesValue message = BytesValue.of(ByteString.copyFromUtf8("content".repeat(100)));
    ByteBuffer bytes = memory.holding(message.toByteArray());
    BytesValue parsed =
        ProtobufMarshaller.of(BytesValue.getDefaultInstance()).parse(bytes.duplicate());
    while (bytes.hasRemaining()) {
      bytes.put((byte) 0);
    }

    assertThat(parsed).isEqualTo(message);
  }

  @ParameterizedTest
  @EnumSource
  void aReadOnlyBufferIsReadAsWell(Memory memory) {
    ByteBuffer bytes = memory.holding(MESSAGE.toByteArray()).asReadOnlyBuffer();

    assertThat(ProtobufMarshaller.of(Struct.getDefaultInstance()).parse(bytes)).isEqualTo(MESSAGE);
  }

  @ParameterizedTest
  @EnumSource
  void aMessageThatIsCutOffIsRefused(Memory memory) {
    byte[] whole = StringValue.of("cut off").toByteArray();
    Marshaller<StringValue> marshaller = ProtobufMarshaller.of(StringValue.getDefaultInstance());

    for (int size = 1; size < whole.length; size++) {
      ByteBuffer part = memory.holding(Arrays.copyOf(whole, size));
      assertThatThrownBy(() -> marshaller.parse(part))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessage("not a com.google.protobuf.StringValue")
          .hasCauseInstanceOf(InvalidProtocolBufferException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEndOfAGroupThatNeverBeganIsRefused(Memory memory) {
    ByteBuffer bytes = memory.holding(new byte[] {0x0c});
    Marshaller<StringValue> marshaller = ProtobufMarshaller.of(StringValue.getDefaultInstance());

    assertThatThrownBy(() -> marshaller.parse(bytes)).isInstanceOf(UncheckedIOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void garbageIsParsedOrRefusedWithAnUncheckedIoException(Memory memory) {
    long seed = 20_260_101;
    Random random = new Random(seed);
    Marshaller<Struct> marshaller = ProtobufMarshaller.of(Struct.getDefaultInstance());
    for (int round = 0; round < 2_000; round++) {
      byte[] garbage = new byte[1 + random.nextInt(40)];
      random.nextBytes(garbage);
      try {
        assertThat(marshaller.parse(memory.holding(garbage))).isNotNull();
      } catch (UncheckedIOException e) {
        assertThat(e)
            .as("seed %d, round %d", seed, round)
            .hasCauseInstanceOf(InvalidProtocolBufferException.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nestingIsLimitedToAHundredLevels(Memory memory) {
    Marshaller<ListValue> marshaller = ProtobufMarshaller.of(ListValue.getDefaultInstance());
    ByteBuffer deepest = memory.holding(nested(50).toByteArray());
    ByteBuffer tooDeep = memory.holding(nested(51).toByteArray());

    assertThat(marshaller.parse(deepest)).isEqualTo(nested(50));
    assertThatThrownBy(() -> marshaller.parse(tooDeep)).isInstanceOf(UncheckedIOException.class);
  }

  @ParameterizedTest
  @EnumSource
  void aMissingRequiredFieldIsRefusedEvenInNoBytes(Memory memory) {
    Marshaller<NamePart> marshaller = ProtobufMarshaller.of(NamePart.getDefaultInstance());
    ByteBuffer nothing = memory.allocate(0);

    assertThatThrownBy(() -> marshaller.parse(nothing)).isInstanceOf(UncheckedIOException.class);
  }

  private static <T> ByteBuffer written(Marshaller<T> marshaller, T message, Memory memory) {
    ByteBuffer[] reserved = new ByteBuffer[1];
    marshaller.write(
        message,
        size -> {
          assertThat(reserved[0]).as("reserved once").isNull();
          ByteBuffer buffer = memory.allocate(size);
          reserved[0] = buffer.duplicate();
          return buffer;
        });
    return reserved[0];
  }

  /** A list in a list in a list: each holds two levels of messages, itself and the value in it. */
  private static ListValue nested(int lists) {
    ListValue inner = ListValue.getDefaultInstance();
    for (int i = 0; i < lists; i++) {
      inner = ListValue.newBuilder().addValues(Value.newBuilder().setListValue(inner)).build();
    }
    return inner;
  }
}
