package dev.gannet.protocol;

import static dev.gannet.protocol.Frames.counting;
import static dev.gannet.protocol.Frames.framed;
import static dev.gannet.protocol.Frames.gzip;
import static dev.gannet.protocol.Frames.joined;
import static dev.gannet.protocol.Frames.prefixed;
import static dev.gannet.protocol.MessageSizeLimit.OF_RECEIVED_REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.protocol.Frames.Received;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How data become messages, wherever they are split. */
final class MessageDeframerTest {
  private static final int LIMIT = 4_194_304;

  private static final byte[][] MESSAGES = {
    {}, counting(1), counting(300), {}, counting(600), counting(7)
  };
  private static final int[] COMPRESSED = {2, 5};
  private static final List<byte[]> FRAMES = frames();
  private static final byte[] STREAM = joined(FRAMES.toArray(byte[][]::new));

  /** The kinds of buffers that data come in. */
  enum Memory {
    HEAP,
    HEAP_SLICE,
    READ_ONLY,
    DIRECT,
    LITTLE_ENDIAN,
    INSIDE_MORE;

    ByteBuffer of(byte[] bytes) {
      return switch (this) {
        case HEAP -> ByteBuffer.wrap(bytes);
        case HEAP_SLICE -> insideMore(bytes).slice();
        case READ_ONLY -> ByteBuffer.wrap(bytes).asReadOnlyBuffer();
        case DIRECT -> Frames.direct(bytes);
        case LITTLE_ENDIAN -> ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        case INSIDE_MORE -> insideMore(bytes);
      };
    }

    private static ByteBuffer insideMore(byte[] bytes) {
      return ByteBuffer.wrap(joined(counting(3), bytes, counting(9)), 3, bytes.length);
    }
  }

  @ParameterizedTest
  @EnumSource
  void messagesMayArriveByteByByte(Memory memory) {
    List<byte[]> pieces = new ArrayList<>();
    for (byte octet : STREAM) {
      pieces.add(new byte[] {octet});
    }
    assertWhole(memory, pieces, "byte by byte");
  }

  @ParameterizedTest
  @EnumSource
  void messagesMayBeSplitAnywhere(Memory memory) {
    for (int at = 0; at <= STREAM.length; at++) {
      List<byte[]> pieces =
          List.of(Arrays.copyOfRange(STREAM, 0, at), Arrays.copyOfRange(STREAM, at, STREAM.length));
      assertWhole(memory, pieces, "split at " + at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void messagesMayBeSplitRandomly(Memory memory) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 300; i++) {
      int largestPiece = 1 + random.nextInt(STREAM.length);
      List<byte[]> pieces = new ArrayList<>();
      for (int at = 0; at < STREAM.length; ) {
        int end = Math.min(STREAM.length, at + random.nextInt(largestPiece + 1));
        pieces.add(Arrays.copyOfRange(STREAM, at, end));
        at = end;
      }
      assertWhole(memory, pieces, "seed " + seed);
    }
  }

  @Test
  void theEndsOfSkippedMessagesAreFoundWhereverTheyAreSplit() {
    for (int at = 0; at <= STREAM.length; at++) {
      for (int until : new int[] {at, Math.min(at + 1, STREAM.length), STREAM.length}) {
        MessageDeframer deframer =
            new MessageDeframer(
                MessageEncoding.GZIP, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
        deframer.push(ByteBuffer.wrap(STREAM, 0, at), new Received());
        deframer.stopHolding();
        assertThat(deframer.heldBytes()).isZero();
        ByteBuffer between = ByteBuffer.wrap(STREAM, at, until - at);
        boolean whole = deframer.skip(between);
        assertThat(between.hasRemaining()).isFalse();
        assertThat(whole).as("%d to %d", at, until).isEqualTo(endsBetween(at, until));
        deframer.skip(ByteBuffer.wrap(STREAM, until, STREAM.length - until));
        assertThat(deframer.isIdle()).isTrue();
        assertThat(deframer.heldBytes()).isZero();
      }
    }
  }

  private static boolean endsBetween(int from, int to) {
    int end = 0;
    for (byte[] frame : FRAMES) {
      end += frame.length;
      if (end > from && end <= to) {
        return true;
      }
    }
    return false;
  }

  @Test
  void nothingAfterABrokenPrefixIsReadAsAMessage() {
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    assertThat(deframer.skip(ByteBuffer.wrap(joined(framed(0), framed(7))))).isTrue();
    assertThat(deframer.skip(ByteBuffer.wrap(framed(0)))).isFalse();
  }

  @Test
  void aMessageWithinOnePieceIsShownInPlace() {
    ByteBuffer data = ByteBuffer.wrap(joined(framed(0, counting(4)), framed(0, counting(2))));
    List<String> shown = new ArrayList<>();
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    deframer.push(
        data,
        (bytes, ownership, encoding) -> {
          assertThat(bytes).isSameAs(data);
          shown.add(bytes.position() + ".." + bytes.limit() + " in " + encoding);
        });
    assertThat(shown).containsExactly("5..9 in identity", "14..16 in identity");
    assertThat(data.position()).isEqualTo(16);
    assertThat(data.limit()).isEqualTo(16);
  }

  @Test
  void aReceiverNeedNotReadAllBytesOfAMessage() {
    ByteBuffer data = ByteBuffer.wrap(joined(framed(0, counting(4)), framed(0, counting(2))));
    List<Byte> firsts = new ArrayList<>();
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    deframer.push(data, (bytes, ownership, encoding) -> firsts.add(bytes.get()));
    assertThat(firsts).containsExactly((byte) 1, (byte) 1);
  }

  @Test
  void anExceptionOfTheReceiverLeavesTheNextMessageReadable() {
    ByteBuffer data = ByteBuffer.wrap(joined(framed(0, counting(4)), framed(0, counting(2))));
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    assertThatThrownBy(() ->
            deframer.push(
                data,
                (bytes, ownership, encoding) -> {
                  throw new IllegalStateException("not wanted");
                }))
        .hasMessage("not wanted");
    Received received = new Received();
    assertThat(deframer.push(data, received)).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(2)});
  }

  @Test
  void aDeframerIsIdleBetweenMessagesOnly() {
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    Received received = new Received();
    assertThat(deframer.isIdle()).isTrue();
    byte[] frame = framed(0, counting(3));
    for (int i = 0; i < frame.length; i++) {
      deframer.push(ByteBuffer.wrap(frame, i, 1), received);
      assertThat(deframer.isIdle()).as("after byte %d", i).isEqualTo(i == frame.length - 1);
    }
    assertThat(deframer.heldBytes()).isZero();
    assertThat(deframer.end()).isEmpty();
  }

  @Test
  void anEndInsideAMessageOrItsPrefixIsAnError() {
    byte[] frame = framed(0, counting(3));
    for (int arrived = 1; arrived < frame.length; arrived++) {
      MessageDeframer deframer =
          new MessageDeframer(
              MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
      Received received = new Received();
      deframer.push(ByteBuffer.wrap(frame, 0, arrived), received);
      assertThat(deframer.end().map(Status::toString))
          .as("after %d bytes", arrived)
          .hasValue("INTERNAL: the stream ended inside a message");
      assertThat(deframer.end()).isEmpty();
      assertThat(deframer.heldBytes()).isZero();
      assertThat(received.messages()).isEmpty();
    }
  }

  @Test
  void anEndWithoutAnyMessageIsNoError() {
    assertThat(
            new MessageDeframer(MessageEncoding.GZIP, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP)
                .end())
        .isEmpty();
  }

  @Test
  void noBytesMakeADeframerThrow() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    byte[] packed = gzip(counting(200));
    for (int i = 0; i < 20_000; i++) {
      byte[] noisy = packed.clone();
      for (int flips = random.nextInt(4); flips > 0; flips--) {
        noisy[random.nextInt(noisy.length)] = (byte) random.nextInt();
      }
      byte[] cut = Arrays.copyOf(noisy, random.nextInt(noisy.length + 3));
      byte[] bytes = joined(prefixed(random.nextInt(3), cut.length, cut), counting(8));
      MessageDeframer deframer =
          new MessageDeframer(MessageEncoding.GZIP, 1_000, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
      assertThat(deframer.push(ByteBuffer.wrap(bytes), (message, ownership, encoding) -> {}))
          .as("seed %d", seed)
          .isNotNull();
    }
  }

  private static void assertWhole(Memory memory, List<byte[]> pieces, String how) {
    MessageDeframer deframer =
        new MessageDeframer(MessageEncoding.GZIP, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    Received received = new Received();
    for (byte[] piece : pieces) {
      ByteBuffer data = memory.of(piece);
      int limit = data.limit();
      assertThat(deframer.push(data, received)).as(how).isEmpty();
      assertThat(data.position()).as(how).isEqualTo(limit);
      assertThat(data.limit()).as(how).isEqualTo(limit);
    }
    assertThat(deframer.end()).as(how).isEmpty();
    assertThat(received.all()).as(how).isDeepEqualTo(MESSAGES);
    assertThat(received.wireBytes().stream().mapToInt(Integer::intValue).sum())
        .as(how)
        .isEqualTo(STREAM.length);
  }

  private static List<byte[]> frames() {
    List<byte[]> frames = new ArrayList<>();
    for (int i = 0; i < MESSAGES.length; i++) {
      boolean compressed = Arrays.binarySearch(COMPRESSED, i) >= 0;
      frames.add(compressed ? framed(1, gzip(MESSAGES[i])) : framed(0, MESSAGES[i]));
    }
    return frames;
  }
}
