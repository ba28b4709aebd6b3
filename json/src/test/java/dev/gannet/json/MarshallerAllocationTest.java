package dev.gannet.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.StringValue;
import com.sun.management.ThreadMXBean;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/**
 * What a message of 1 KiB allocates as JSON; protobuf-java-util builds a string, and a tree to
 * parse.
 */
final class MarshallerAllocationTest {
  private static final int WARMING = 5_000;
  private static final int MEASURED = 5_000;
  private static final int KIB = 1024;
  private static final long MOST_TO_WRITE_BYTES = 12 * KIB;
  private static final long MOST_TO_PARSE_BYTES = 16 * KIB;

  private static final Marshaller<StringValue> TEXTS =
      JsonMarshaller.of(StringValue.getDefaultInstance());
  private static final StringValue MESSAGE = StringValue.of("x".repeat(KIB));

  @Test
  void writingAllocatesNoMoreThanOneStringAndItsBytes() {
    assertThat(bytesToWrite(TEXTS, MESSAGE)).isLessThanOrEqualTo(MOST_TO_WRITE_BYTES);
  }

  @Test
  void parsingAllocatesNoMoreThanOneTree() {
    assertThat(bytesToParse(TEXTS, MESSAGE)).isLessThanOrEqualTo(MOST_TO_PARSE_BYTES);
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
