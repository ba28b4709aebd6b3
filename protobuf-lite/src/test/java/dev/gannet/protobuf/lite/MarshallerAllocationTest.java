package dev.gannet.protobuf.lite;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
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
  private static final long ENCODER_BYTES = 80;

  /** protobuf's decoder, and the objects of the message. */
  private static final long DECODER_BYTES = 350;

  private static final Marshaller<Note> NOTES =
      ProtobufLiteMarshaller.of(Note.getDefaultInstance());
  private static final Note MESSAGE =
      Note.newBuilder().setAttachment(ByteString.copyFrom(new byte[KIB])).build();

  @Test
  void writingAllocatesOnlyTheEncoder() {
    assertThat(bytesToWrite(NOTES, MESSAGE)).isLessThanOrEqualTo(ENCODER_BYTES);
  }

  @Test
  void parsingCopiesTheContentOnce() {
    assertThat(bytesToParse(NOTES, MESSAGE)).isLessThanOrEqualTo(KIB + DECODER_BYTES);
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
