package dev.gannet.protocol;

import static dev.gannet.protocol.Frames.counting;
import static dev.gannet.protocol.Frames.gzip;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.protocol.Frames.Received;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the whole content of a request becomes one message, and what becomes of its memory. */
final class WholeContentDeframerTest {
  private static final int LIMIT = 4_194_304;

  private final LentArrays arrays = new LentArrays(0);
  private final Received received = new Received();

  /** Knows which arrays are out; some are longer than asked for, as in a pool. */
  private record LentArrays(Set<byte[]> out, int additionalBytes) implements ArraySource {
    LentArrays(int additionalBytes) {
      this(Collections.newSetFromMap(new IdentityHashMap<>()), additionalBytes);
    }

    @Override
    public byte[] take(int leastBytes) {
      byte[] array = new byte[leastBytes + additionalBytes];
      Arrays.fill(array, (byte) 0xa5); // what its last owner left
      out.add(array);
      return array;
    }

    @Override
    public void give(byte[] array) {
      assertThat(out.remove(array)).as("the array is out").isTrue();
    }
  }

  /** Gives back the array of each message once it has read it. */
  private final class Giving implements Deframer.Receiver {
    @Override
    public void message(ByteBuffer bytes, Deframer.Ownership ownership, MessageEncoding encoding) {
      assertThat(ownership).isEqualTo(Deframer.Ownership.GIVEN);
      byte[] array = arrayOf(bytes);
      received.message(bytes, ownership, encoding);
      if (array.length > 0) {
        arrays.give(array);
      }
    }
  }

  @SuppressWarnings("ByteBufferBackingArray") // it was given
  private static byte[] arrayOf(ByteBuffer message) {
    return message.array();
  }

  @AfterEach
  void everyArrayIsGivenBack() {
    assertThat(arrays.out()).isEmpty();
  }

  private WholeContentDeframer deframer(int maxMessageBytes) {
    return new WholeContentDeframer(MessageEncoding.IDENTITY, maxMessageBytes, arrays);
  }

  private void pushByteByByte(WholeContentDeframer into, byte[] content) {
    for (int i = 0; i < content.length; i++) {
      assertThat(into.push(ByteBuffer.wrap(content, i, 1), new Giving())).isEmpty();
    }
  }

  @Test
  void theMessageIsPassedOnWhenTheContentEnds() {
    WholeContentDeframer deframer = deframer(LIMIT);
    assertThat(deframer.push(ByteBuffer.wrap(counting(300)), new Giving())).isEmpty();
    assertThat(received.messages()).isEmpty();
    assertThat(deframer.isIdle()).isFalse();
    assertThat(deframer.partBytes()).isEqualTo(300);
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(300)});
    assertThat(deframer.isIdle()).isTrue();
    assertThat(deframer.partBytes()).isZero();
    assertThat(deframer.heldBytes()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theContentMayBeSplitAnywhere(MessageDeframerTest.Memory memory) {
    byte[] content = counting(200);
    for (int at = 0; at <= content.length; at++) {
      WholeContentDeframer deframer = deframer(content.length);
      for (byte[] piece :
          List.of(Arrays.copyOf(content, at), Arrays.copyOfRange(content, at, content.length))) {
        ByteBuffer data = memory.of(piece);
        assertThat(deframer.push(data, new Giving())).isEmpty();
        assertThat(data.hasRemaining()).isFalse();
      }
      deframer.end(new Giving());
      assertThat(received.messages().removeLast()).as("split at %d", at).isEqualTo(content);
    }
  }

  @Test
  void theContentMayArriveByteByByte() {
    WholeContentDeframer deframer = deframer(LIMIT);
    pushByteByByte(deframer, counting(1_000));
    deframer.end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(1_000)});
  }

  @Test
  void arraysMayBeLongerThanAskedFor() {
    LentArrays pool = new LentArrays(1_000);
    WholeContentDeframer deframer = new WholeContentDeframer(MessageEncoding.IDENTITY, 600, pool);
    pushByteByByte(deframer, counting(600));
    deframer.end(received);
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(600)});
    assertThat(pool.out()).hasSize(1);
  }

  @Test
  void noContentIsAnEmptyMessage() {
    deframer(LIMIT).end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {{}});
  }

  @Test
  void aCompressedContentHasTheEncodingOfItsRequest() {
    WholeContentDeframer deframer = new WholeContentDeframer(MessageEncoding.GZIP, LIMIT, arrays);
    deframer.push(ByteBuffer.wrap(gzip(counting(300))), new Giving());
    deframer.end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(300)});
  }

  @Test
  void anEmptyContentIsNotCompressed() {
    new WholeContentDeframer(MessageEncoding.GZIP, LIMIT, arrays).end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {{}});
  }

  @Test
  void aContentOfExactlyTheLimitIsRead() {
    WholeContentDeframer deframer = deframer(100);
    pushByteByByte(deframer, counting(100));
    deframer.end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(100)});
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 100})
  void oneByteMoreIsRefusedOnceAndDropsWhatIsHeld(int arrived) {
    WholeContentDeframer deframer = deframer(100);
    deframer.push(ByteBuffer.wrap(counting(arrived)), new Giving());
    ByteBuffer more = ByteBuffer.wrap(counting(101 - arrived));
    assertThat(deframer.push(more, new Giving()).map(Status::toString))
        .hasValue(
            "RESOURCE_EXHAUSTED: request message exceeds the server's maxInboundMessageBytes"
                + " (100); raise it in ServerBuilder");
    assertThat(more.hasRemaining()).isFalse();
    assertThat(deframer.isIdle()).isTrue();
    assertThat(deframer.heldBytes()).isZero();
    assertThat(arrays.out()).isEmpty();
    ByteBuffer rest = ByteBuffer.wrap(counting(5));
    assertThat(deframer.push(rest, new Giving())).isEmpty();
    assertThat(rest.hasRemaining()).isFalse();
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void aLimitOfZeroAllowsTheEmptyMessageOnly() {
    assertThat(deframer(0).push(ByteBuffer.wrap(counting(1)), new Giving())).isPresent();
    WholeContentDeframer deframer = deframer(0);
    assertThat(deframer.push(ByteBuffer.allocate(0), new Giving())).isEmpty();
    deframer.end(new Giving());
    assertThat(received.all()).isDeepEqualTo(new byte[][] {{}});
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> deframer(-1));
  }

  @Test
  void aSecondEndHasNoMessage() {
    WholeContentDeframer deframer = deframer(LIMIT);
    deframer.push(ByteBuffer.wrap(counting(3)), new Giving());
    deframer.end(new Giving());
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(deframer.push(ByteBuffer.wrap(counting(3)), new Giving())).isEmpty();
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(3)});
  }

  @Test
  void aContentThatNobodyWantsIsGivenBackAndNoMessage() {
    WholeContentDeframer deframer = deframer(LIMIT);
    pushByteByByte(deframer, counting(300));
    deframer.stopHolding();
    assertThat(arrays.out()).isEmpty();
    assertThat(deframer.heldBytes()).isZero();
    ByteBuffer rest = ByteBuffer.wrap(counting(5));
    assertThat(deframer.skip(rest)).isFalse();
    assertThat(rest.hasRemaining()).isFalse();
    deframer.stopHolding(); // gives nothing back twice
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void aContentOfWhichAPartIsSkippedIsNoMessage() {
    WholeContentDeframer deframer = deframer(LIMIT);
    deframer.push(ByteBuffer.wrap(counting(300)), new Giving());
    assertThat(deframer.skip(ByteBuffer.wrap(counting(5)))).isFalse();
    assertThat(arrays.out()).isEmpty();
    assertThat(deframer.isIdle()).isTrue();
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void anExceptionOfTheReceiverIsThrownOnAndTheMessageStaysTaken() {
    WholeContentDeframer deframer = deframer(LIMIT);
    deframer.push(ByteBuffer.wrap(counting(3)), new Giving());
    assertThatThrownBy(() ->
            deframer.end((bytes, ownership, encoding) -> {
              arrays.give(arrayOf(bytes));
              throw new IllegalStateException("not wanted");
            }))
        .hasMessage("not wanted");
    assertThat(deframer.heldBytes()).isZero();
    assertThat(deframer.end(new Giving())).isEmpty();
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void memoryGrowsWithTheReceivedBytesUpToTheLimit() {
    WholeContentDeframer deframer = deframer(10_000);
    for (int arrived = 1; arrived <= 10_000; arrived++) {
      deframer.push(ByteBuffer.allocate(1), new Giving());
      assertThat(deframer.heldBytes()).isBetween(arrived, Math.min(2 * arrived, 10_000));
      assertThat(deframer.missingBytes()).isZero();
      assertThat(arrays.out()).hasSize(1);
    }
    deframer.stopHolding();
  }

  @Test
  void theArrayOfAMessageIsHardlyLongerThanTheMessage() {
    for (int length = 1; length <= 500; length++) {
      WholeContentDeframer deframer = deframer(LIMIT);
      pushByteByByte(deframer, counting(length));
      int longestBytes = length + length / 4;
      deframer.end((bytes, ownership, encoding) -> {
        assertThat(arrayOf(bytes).length).isLessThanOrEqualTo(longestBytes);
        arrays.give(arrayOf(bytes));
      });
    }
  }
}
