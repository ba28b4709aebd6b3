package dev.gannet.transport;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Marshallers;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.memory.ParsingTurns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which messages wait for a turn while others take all turns there are. */
@Timeout(60)
final class MessageReadingTest {
  private static final int SHORT_BYTES = 128 << 10;
  private static final Duration QUICK = Duration.ofNanos(500_000);

  private final ParsingTurns.Party party = ParsingTurns.SHARED.join();
  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Thread> busy = new ArrayList<>();

  /** Moves on with each message by as long as it takes. */
  private static final class Clock implements MessageReading.Ledger {
    private final long stepNanos;
    private final AtomicLong nowNanos = new AtomicLong();

    Clock(Duration step) {
      this.stepNanos = step.toNanos();
    }

    @Override
    public long nanoTime() {
      return nowNanos.getAndAdd(stepNanos);
    }

    @Override
    public void onSlow(long excessNanos) {}
  }

  /** The connection is not suspect; then all turns are taken by others. */
  @BeforeEach
  void takeAllTurns() throws InterruptedException {
    read(1, QUICK.plusNanos(1));
    int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    CountDownLatch begun = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      ParsingTurns.Party other = ParsingTurns.SHARED.join();
      ParsingTurns.Turn first = other.turn();
      first.begin();
      first.end(0);
      busy.add(
          Thread.ofPlatform()
              .start(() -> {
                ParsingTurns.Turn turn = other.turn();
                turn.begin();
                begun.countDown();
                try {
                  over.await();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                } finally {
                  turn.end(0);
                }
              }));
    }
    begun.await();
  }

  @AfterEach
  void giveTurnsBack() throws InterruptedException {
    over.countDown();
    for (Thread thread : busy) {
      thread.join();
    }
  }

  private void read(int bytes, Duration takes) {
    read(ByteBuffer.wrap("x".repeat(bytes).getBytes(ISO_8859_1)), MessageEncoding.IDENTITY, takes);
  }

  private void read(ByteBuffer bytes, MessageEncoding encoding, Duration takes) {
    MessageReading reading =
        new MessageReading(
            MessageSizeLimit.OF_RECEIVED_REQUESTS,
            1 << 30,
            MessageEncoding.ANY_RATIO,
            ArraySource.HEAP,
            party,
            new Clock(takes));
    int decodedBytes = reading.decodedBytes(bytes, encoding);
    assertThat(reading.read(bytes, decodedBytes, encoding, Marshallers.utf8())).isNotEmpty();
  }

  private Thread reads(int bytes) {
    return Thread.ofVirtual().start(() -> read(bytes, QUICK));
  }

  private void assertWaits(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
    over.countDown();
    thread.join();
  }

  @Test
  void afterAMessageThatWasParsedQuicklyANotVeryLongOneDoesNotWait() throws InterruptedException {
    party.turn().onParsedWithout(QUICK.toNanos(), 0);
    reads(SHORT_BYTES).join();
  }

  @Test
  void aVeryLongOneWaits() throws InterruptedException {
    party.turn().onParsedWithout(QUICK.toNanos(), 0);
    assertWaits(reads(SHORT_BYTES + 1));
  }

  @Test
  void afterAMessageThatWasNotParsedQuicklyTheNextOneWaits() throws InterruptedException {
    party.turn().onParsedWithout(QUICK.toNanos() + 1, 0);
    assertWaits(reads(1));
  }

  @Test
  void theTimeOfAMessageWithoutTurnDecidesAboutTheNextOne() throws InterruptedException {
    party.turn().onParsedWithout(QUICK.toNanos(), 0);
    Thread.ofVirtual().start(() -> read(1, QUICK.plusNanos(1))).join();
    assertWaits(reads(1));
  }

  @Test
  void aCompressedOneWaits() throws Exception {
    party.turn().onParsedWithout(QUICK.toNanos(), 0);
    ByteBuffer zipped = ByteBuffer.wrap(gzip("a message"));
    assertWaits(Thread.ofVirtual().start(() -> read(zipped, MessageEncoding.GZIP, QUICK)));
  }

  @Test
  void aPlatformThreadNeverWaits() {
    read(SHORT_BYTES + 1, QUICK.plusNanos(1));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zipped = new GZIPOutputStream(out)) {
      zipped.write(text.getBytes(ISO_8859_1));
    }
    return out.toByteArray();
  }
}
