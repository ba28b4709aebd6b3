package dev.gannet.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.Empty;
import com.sun.management.ThreadMXBean;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a message of 1 KiB allocates besides the buffer, which is the transport's. */
final class MarshallerAllocationTest {
  private static final int WARMING = 5_000;
  private static final int MEASURED = 5_000;
  private static final int KIB = 1024;

  /** protobuf's encoder. */
  private static final long ENCODER_BYTES = 48;

  /** protobuf's decoder, and the objects of the message. */
  private static final long DECODER_BYTES = 200;

  private static final Marshaller<BytesValue> BYTES =
      ProtobufMarshaller.of(BytesValue.getDefaultInstance());
  private static final BytesValue MESSAGE = BytesValue.of(ByteString.copyFrom(new byte[KIB]));

  @Test
  void writingAllocatesOnlyTheEncoder() {
    assertThat(bytesToWrite(BYTES, MESSAGE)).isLessThanOrEqualTo(ENCODER_BYTES);
  }

  @Test
  void parsingCopiesTheContentOnce() {
    assertThat(bytesToParse(BYTES, MESSAGE)).isLessThanOrEqualTo(KIB + DECODER_BYTES);
  }

  @Test
  void anEmptyMessageAllocatesNothing() {
    Marshaller<Empty> empty = ProtobufMarshaller.of(Empty.getDefaultInstance());

    assertThat(bytesToWrite(empty, Empty.getDefaultInstance())).isZero();
    assertThat(bytesToParse(empty, Empty.getDefaultInstance())).isZero();
  }

  private static <T> long bytesToWrite(Marshaller<T> marshaller, T message) {
    ByteBuffer room = ByteBuffer.allocate(2 * KIB);
    MessageSink sink = sizeBytes -> room.clear().limit(sizeBytes);
    return bytesEach(() -> marshaller.write(message, sink));
  }

  private static <T> long bytesToParse(Marshaller<T> marshaller, T message) {
    ByteBuffer room = ByteBuffer.allocate(2 * KIB);
    marshaller.write(message, sizeBytes -> room.limit(sizeBytes));
    return bytesEach(() -> marshaller.parse(room.rewind()));
  }

  private static long bytesEach(Runnable action) {
    for (int i = 0; i < WARMING; i++) {
      action.run();
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < MEASURED; i++) {
      action.run();
    }
    return (threads.getCurrentThreadAllocatedBytes() - before) / MEASURED;
  }
}
