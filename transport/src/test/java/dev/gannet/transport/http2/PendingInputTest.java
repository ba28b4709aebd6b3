package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What waits to be looked at, however it came. */
final class PendingInputTest {
  private static final int PIECES = 10_000;
  private static final int MAX_PIECE_BYTES = 40;

  private final PendingInput backlog = new PendingInput();

  @Test
  void piecesAreReadInTheirOrder() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ByteArrayOutputStream added = new ByteArrayOutputStream();
    ByteArrayOutputStream read = new ByteArrayOutputStream();
    for (int i = 0; i < PIECES; i++) {
      byte[] piece = new byte[random.nextInt(MAX_PIECE_BYTES)];
      random.nextBytes(piece);
      added.writeBytes(piece);
      ByteBuffer bytes = ByteBuffer.wrap(piece);
      backlog.add(bytes);
      assertThat(bytes.hasRemaining()).isFalse();
      if (random.nextInt(4) == 0) {
        byte[] some = new byte[random.nextInt(backlog.bytes().remaining() + 1)];
        backlog.bytes().get(some);
        read.writeBytes(some);
        backlog.trim();
      }
    }
    byte[] rest = new byte[backlog.bytes().remaining()];
    backlog.bytes().get(rest);
    read.writeBytes(rest);
    assertThat(read.toByteArray()).as("seed %d", seed).isEqualTo(added.toByteArray());
  }

  /** As records of TLS come: else they would cost what the square of their number does. */
  @Test
  void manySmallPiecesAreNotCopiedRepeatedly() {
    ByteBuffer piece = ByteBuffer.allocate(MAX_PIECE_BYTES);
    long before = allocatedBytes();
    for (int i = 0; i < PIECES; i++) {
      backlog.add(piece.rewind());
    }
    assertThat(allocatedBytes() - before).isLessThan(8L * PIECES * MAX_PIECE_BYTES);
  }

  @Test
  void droppedOrReadBytesTakeNoMemory() {
    backlog.add(ByteBuffer.allocate(1000));
    backlog.drop();
    assertThat(backlog.isEmpty()).isTrue();
    assertThat(backlog.bytes().capacity()).isZero();
    backlog.add(ByteBuffer.allocate(1000));
    backlog.bytes().position(1000);
    backlog.trim();
    assertThat(backlog.bytes().capacity()).isZero();
  }

  private static long allocatedBytes() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }
}
