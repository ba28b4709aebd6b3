package dev.gannet.protocol;

import static dev.gannet.protocol.Frames.counting;
import static dev.gannet.protocol.Frames.framed;
import static dev.gannet.protocol.Frames.joined;
import static dev.gannet.protocol.Frames.prefixed;
import static dev.gannet.protocol.MessageSizeLimit.OF_RECEIVED_REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.Status;
import dev.gannet.protocol.Frames.Received;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a length prefix may say, and what it costs. */
final class MessageLimitsTest {
  private static final int LIMIT = 4_194_304;

  private final Received received = new Received();

  @Test
  void aMessageOfExactlyTheLimitIsRead() {
    MessageDeframer deframer = deframer(100);
    assertThat(deframer.push(ByteBuffer.wrap(framed(0, counting(100))), received)).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(100)});
  }

  @Test
  void oneByteMoreIsRefusedAtItsPrefix() {
    MessageDeframer deframer = deframer(100);
    ByteBuffer data = ByteBuffer.wrap(joined(framed(0, counting(3)), prefixed(0, 101)));
    assertThat(deframer.push(data, received).map(Status::toString))
        .hasValue(
            "RESOURCE_EXHAUSTED: request message of 101 bytes exceeds the server's"
                + " maxInboundMessageBytes (100); raise it in ServerBuilder");
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(3)});
  }

  @Test
  void aLimitOfZeroAllowsEmptyMessages() {
    assertThat(deframer(0).push(ByteBuffer.wrap(framed(0)), received)).isEmpty();
    assertThat(received.wireBytes()).containsExactly(5);
    assertThat(deframer(0).push(ByteBuffer.wrap(prefixed(0, 1)), received)).isPresent();
  }

  @Test
  void lengthsAreUnsigned() {
    assertThat(deframer(LIMIT).push(ByteBuffer.wrap(prefixed(0, -1)), received))
        .map(Status::toString)
        .hasValue(
            "RESOURCE_EXHAUSTED: request message of 4294967295 bytes exceeds the server's"
                + " maxInboundMessageBytes (4194304); raise it in ServerBuilder");
  }

  @Test
  void theLimitCountsForCompressedBytesToo() {
    MessageDeframer deframer =
        new MessageDeframer(MessageEncoding.GZIP, 100, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    assertThat(deframer.push(ByteBuffer.wrap(prefixed(1, 101)), received).map(Status::code))
        .hasValue(Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void noLimitExceedsTheLongestArray() {
    MessageDeframer deframer = deframer(Integer.MAX_VALUE);
    assertThat(deframer.push(ByteBuffer.wrap(prefixed(0, Integer.MAX_VALUE)), received))
        .map(Status::toString)
        .hasValue(
            "RESOURCE_EXHAUSTED: request message of 2147483647 bytes exceeds the server's"
                + " maxInboundMessageBytes (2147483634); raise it in ServerBuilder");
  }

  @Test
  void aNegativeLimitIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> deframer(-1));
  }

  @Test
  void aPrefixAloneAllocatesNothing() {
    MessageDeframer deframer = deframer(Integer.MAX_VALUE);
    assertThat(deframer.push(ByteBuffer.wrap(prefixed(0, 2_000_000_000)), received)).isEmpty();
    assertThat(deframer.heldBytes()).isZero();
    assertThat(deframer.isIdle()).isFalse();
  }

  @Test
  void memoryGrowsWithTheReceivedBytesAndNotWithTheAnnouncedLength() {
    MessageDeframer deframer = deframer(Integer.MAX_VALUE);
    deframer.push(ByteBuffer.wrap(prefixed(0, 2_000_000_000)), received);
    for (int arrived = 1; arrived <= 200_000; arrived++) {
      deframer.push(ByteBuffer.allocate(1), received);
      assertThat(deframer.heldBytes())
          .isBetween(arrived, Math.max(5 * arrived / 2 + 1, MessageDeframer.MIN_BUFFER_BYTES));
    }
  }

  @Test
  void aPooledArrayIsUsedOnceAFifthOfTheMessageHasArrived() {
    MessageDeframer deframer =
        new MessageDeframer(
            MessageEncoding.IDENTITY, LIMIT, OF_RECEIVED_REQUESTS, new EverythingLiesReady());
    deframer.push(ByteBuffer.wrap(prefixed(0, 100_000)), received);
    for (int arrived = 1; arrived < 100_000; arrived++) {
      deframer.push(ByteBuffer.allocate(1), received);
      assertThat(deframer.heldBytes()).isLessThanOrEqualTo(Math.max(5 * arrived, 256));
    }
    assertThat(deframer.heldBytes()).isEqualTo(100_000);
  }

  @Test
  void noMoreMemoryIsHeldThanTheLengthOfTheMessage() {
    MessageDeframer deframer = deframer(LIMIT);
    byte[] frame = framed(0, counting(1_000));
    for (int i = 0; i < frame.length; i++) {
      deframer.push(ByteBuffer.wrap(frame, i, 1), received);
      assertThat(deframer.heldBytes()).isLessThanOrEqualTo(1_000);
    }
    assertThat(deframer.heldBytes()).isZero();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(1_000)});
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 0x80, 0xff})
  void aFlagOtherThanZeroOrOneIsMalformed(int flag) {
    assertThat(deframer(LIMIT).push(ByteBuffer.wrap(framed(flag)), received).map(Status::toString))
        .hasValue("INTERNAL: a message has the undefined compression flag " + flag + "");
  }

  @Test
  void aCompressedMessageInACallWithoutEncodingIsMalformed() {
    assertThat(deframer(LIMIT).push(ByteBuffer.wrap(framed(1)), received).map(Status::toString))
        .hasValue("INTERNAL: a message is compressed, but the headers have no grpc-encoding");
  }

  @Test
  void afterAFailureNothingIsDeliveredReportedOrHeld() {
    MessageDeframer deframer = deframer(100);
    byte[] good = framed(0, counting(3));
    ByteBuffer data = ByteBuffer.wrap(joined(framed(7), good));
    assertThat(deframer.push(data, received)).isPresent();
    assertThat(data.hasRemaining()).isFalse();
    ByteBuffer more = ByteBuffer.wrap(joined(good, prefixed(0, 50)));
    assertThat(deframer.push(more, received)).isEmpty();
    assertThat(more.hasRemaining()).isFalse();
    assertThat(deframer.end()).isEmpty();
    assertThat(deframer.isIdle()).isTrue();
    assertThat(deframer.heldBytes()).isZero();
    assertThat(received.messages()).isEmpty();
  }

  private static MessageDeframer deframer(int maxMessageBytes) {
    return new MessageDeframer(
        MessageEncoding.IDENTITY, maxMessageBytes, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
  }

  /** Grants every wish. */
  private static final class EverythingLiesReady implements ArraySource {
    @Override
    public byte[] take(int leastBytes) {
      return new byte[leastBytes];
    }

    @Override
    public byte[] take(int leastBytes, int wishedBytes) {
      return new byte[wishedBytes];
    }

    @Override
    public void give(byte[] array) {}
  }
}
