package dev.gannet.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.AnyProto;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Empty;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * How the definition of a method is found. Generated services are looked up where they are
 * generated.
 */
final class MethodSchemaTest {
  private static final MethodDescriptor<Empty, Empty> METHOD =
      MethodDescriptor.of(
          MethodType.UNARY,
          "a.B/C",
          ProtobufMarshaller.of(Empty.getDefaultInstance()),
          ProtobufMarshaller.of(Empty.getDefaultInstance()));

  @Test
  void theFileIsLoadedWithTheDefinition() {
    AtomicInteger asked = new AtomicInteger();
    MethodSchema schema =
        MethodSchema.in(
            () -> {
              asked.incrementAndGet();
              return anyFile();
            },
            "B",
            "C");
    MethodDescriptor<Empty, Empty> method = METHOD.withSchemaDescriptor(schema);

    assertThat(MethodSchema.of(method)).containsSame(schema);
    assertThat(asked).hasValue(0);
  }

  @Test
  void aMethodWithAnotherSchemaHasNoMethodSchema() {
    assertThat(MethodSchema.of(METHOD)).isEmpty();
    assertThat(MethodSchema.of(METHOD.withSchemaDescriptor("something else"))).isEmpty();
  }

  @Test
  void aMissingServiceIsNamed() {
    MethodSchema schema = MethodSchema.in(MethodSchemaTest::anyFile, "Absent", "C");

    assertThatThrownBy(schema::method)
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("Absent");
  }

  private static FileDescriptor anyFile() {
    return AnyProto.getDescriptor();
  }
}
