package dev.gannet.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** What a message of 1 KiB allocates besides the buffer, which is the transport's. */
final class MarshallerAllocationTest {
  private static final int WARMING = 5_000;
  private static final int MEASURED = 5_000;
  private static final int KIB = 1024;

  /** An array of 1 KiB and what it says of itself; one string has such an array. */
  private static final long ARRAY_BYTES = KIB + 16;

  private static final long STRING_BYTES = ARRAY_BYTES + 24;

  /** A view of the buffer, where the compiler does not leave it out. */
  private static final long VIEW_BYTES = 64;

  private static final byte[] BYTES = new byte[KIB];
  private static final String TEXT = "x".repeat(KIB);

  @Test
  void parsingCopiesBytesOnce() {
    assertThat(bytesToWrite(Marshallers.bytes(), BYTES)).isZero();
    assertThat(bytesToParse(Marshallers.bytes(), BYTES)).isLessThanOrEqualTo(ARRAY_BYTES);
  }

  @Test
  void textIsEncodedOnceAndDecodedOnce() {
    assertThat(bytesToWrite(Marshallers.utf8(), TEXT)).isLessThanOrEqualTo(ARRAY_BYTES);
    assertThat(bytesToParse(Marshallers.utf8(), TEXT))
        .isLessThanOrEqualTo(STRING_BYTES + VIEW_BYTES);
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
