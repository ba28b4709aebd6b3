package dev.gannet.protocol;

import static dev.gannet.protocol.Frames.counting;
import static dev.gannet.protocol.Frames.framed;
import static dev.gannet.protocol.Frames.gzip;
import static dev.gannet.protocol.Frames.joined;
import static dev.gannet.protocol.MessageSizeLimit.OF_RECEIVED_REQUESTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.Frames.Received;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come compressed. */
final class GzipMessagesTest {
  private static final int LIMIT = 10_000;
  private static final int HEADER_BYTES = 10;
  private static final int FLAGS_AT = 3;
  private static final int RATIO = 100;
  private static final int ANY = MessageEncoding.ANY_RATIO;
  private static final int MANY_MIB = 4 << 20; // that may be any times what came

  private final Received received = new Received(LIMIT);

  @Test
  void compressedMessagesAreReadBack() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] message = new byte[random.nextInt(1 << (1 + random.nextInt(13)))];
      int variety = 1 + random.nextInt(256);
      for (int at = 0; at < message.length; at++) {
        message[at] = (byte) random.nextInt(variety);
      }
      Received one = new Received();
      ByteBuffer frame =
          MessageFrame.compressed(
              MessageFrame.frame(Frames.BYTES, message, ArraySource.HEAP), MessageEncoding.GZIP);
      int wireBytes = frame.remaining();
      assertThat(
              new MessageDeframer(
                      MessageEncoding.GZIP, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP)
                  .push(frame, one))
          .as("seed %d", seed)
          .isEmpty();
      assertThat(one.all()).as("seed %d", seed).isDeepEqualTo(new byte[][] {message});
      assertThat(one.wireBytes()).as("seed %d", seed).containsExactly(wireBytes);
    }
  }

  @Test
  void aMessageWithoutTheCompressedFlagIsNotDecompressed() {
    assertThat(push(framed(0, counting(9)))).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {counting(9)});
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 255, 256, 257, LIMIT - 1, LIMIT})
  void aMessageUpToTheLimitIsRead(int sizeBytes) {
    assertThat(push(framed(1, gzip(new byte[sizeBytes])))).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {new byte[sizeBytes]});
  }

  @ParameterizedTest
  @ValueSource(ints = {LIMIT + 1, 2 * LIMIT, 1_000 * LIMIT})
  void aMessageThatGrowsOverTheLimitIsRefused(int sizeBytes) {
    assertThat(push(framed(1, Arrays.copyOf(gzip(new byte[sizeBytes]), LIMIT))))
        .hasValue(
            "RESOURCE_EXHAUSTED: decompressed request message exceeds the server's"
                + " maxInboundMessageBytes (10000); raise it in ServerBuilder");
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void anEmptyMessageFitsALimitOfZero() {
    MessageDeframer deframer =
        new MessageDeframer(MessageEncoding.GZIP, 0, OF_RECEIVED_REQUESTS, ArraySource.HEAP);
    assertThat(deframer.push(ByteBuffer.wrap(framed(0)), received)).isEmpty();
    assertThat(read(ByteBuffer.wrap(gzip(new byte[0])), 0, RATIO))
        .isInstanceOf(Unzipped.Whole.class);
    assertThat(read(ByteBuffer.wrap(gzip(new byte[1])), 0, RATIO))
        .isEqualTo(new Unzipped.TooLarge(0));
  }

  @Test
  void decompressionOfABombStopsAtTheLimit() {
    ByteBuffer bomb = ByteBuffer.wrap(sayingThatItIsEmpty(gzip(new byte[50_000_000])));
    int sizeBytes = bomb.remaining();
    assertThat(read(bomb, LIMIT, RATIO)).isEqualTo(new Unzipped.TooLarge(LIMIT));
    assertThat(bomb.position()).isBetween(HEADER_BYTES + 1, sizeBytes / 100);
  }

  @Test
  void aMessageFarLargerThanItsTrailerStatesIsRefusedLongBeforeTheLimit() {
    ByteBuffer bomb = ByteBuffer.wrap(sayingThatItIsEmpty(gzip(new byte[50_000_000])));
    int sizeBytes = bomb.remaining();
    assertThat(read(bomb, Integer.MAX_VALUE - 13, RATIO))
        .isEqualTo(new Unzipped.Broken("it contains far more data than its end states"));
    assertThat(bomb.position()).isBetween(HEADER_BYTES + 1, sizeBytes / 50);
  }

  @Test
  void smallMessagesMayBeMuchLargerThanTheirTrailerStates() {
    byte[] first = new byte[4_000];
    byte[] last = counting(9);
    ByteBuffer both = ByteBuffer.wrap(joined(gzip(first), gzip(last)));
    assertThat(read(both, 1 << 20, RATIO))
        .isEqualTo(new Unzipped.Whole(ByteBuffer.wrap(joined(first, last))));
  }

  @Test
  void membersBeforeTheLastMayGrowSixteenfold() {
    assertThat(readTwoMembers(12)).isInstanceOf(Unzipped.Whole.class);
    assertThat(readTwoMembers(40)).isInstanceOf(Unzipped.Broken.class);
  }

  /** Of a first member that holds about so many times what it takes. */
  private static Unzipped readTwoMembers(int times) {
    byte[] chance = new byte[10_000];
    new Random(1).nextBytes(chance);
    byte[] first = Arrays.copyOf(chance, times * chance.length);
    return read(ByteBuffer.wrap(joined(gzip(first), gzip(counting(9)))), 1 << 20, RATIO);
  }

  @Test
  void upToFourKibibytesMoreThanTheTrailerStatesAreAllowed() {
    byte[] first = gzip(new byte[4 << 10]);
    assertThat(read(ByteBuffer.wrap(joined(first, gzip(new byte[0]))), 1 << 20, ANY))
        .isInstanceOf(Unzipped.Whole.class);
    assertThat(read(ByteBuffer.wrap(joined(first, gzip(new byte[1]))), 1 << 20, ANY))
        .isEqualTo(new Unzipped.Broken("it contains far more data than its end states"));
  }

  @Test
  void theDecompressedSizeIsKnownBeforeDecompression() {
    ByteBuffer bomb = ByteBuffer.wrap(gzip(new byte[1 << 20]));
    int sizeBytes = bomb.remaining();
    assertThat(MessageEncoding.GZIP.decodedBytes(bomb, 4 << 20)).isEqualTo(1 << 20);
    assertThat(MessageEncoding.GZIP.decodedBytes(bomb, (1 << 20) - 1)).as("refused").isZero();
    assertThat(MessageEncoding.IDENTITY.decodedBytes(bomb, 4 << 20)).isEqualTo(sizeBytes);
    assertThat(bomb.remaining()).isEqualTo(sizeBytes);
  }

  @Test
  void manyMembersTogetherMayGrowOnlySixteenfold() {
    byte[] kibibytes = gzip(new byte[7_000]);
    byte[][] members = new byte[600][];
    Arrays.fill(members, kibibytes);
    byte[] message = joined(members);
    assertThat(MessageEncoding.GZIP.decodedBytes(ByteBuffer.wrap(message), 4 << 20))
        .isEqualTo(7_000);
    assertThat(read(ByteBuffer.wrap(message), 4 << 20, ANY))
        .isEqualTo(new Unzipped.Broken("it contains far more data than its end states"));
  }

  @Test
  void onlyTheArrayOfTheMessageIsKept() {
    Lending arrays = new Lending();
    byte[] message = new byte[1_000_000];
    byte[] zipped = gzip(message);
    Unzipped.Whole whole =
        (Unzipped.Whole) GzipReader.read(ByteBuffer.wrap(zipped), 4 << 20, ANY, arrays);
    assertThat(arrays.lent).containsExactly(whole.message().array());
    byte[] damaged = zipped.clone();
    damaged[damaged.length - 5] ^= 1;
    arrays.lent.clear();
    assertThat(GzipReader.read(ByteBuffer.wrap(damaged), 4 << 20, ANY, arrays))
        .isInstanceOf(Unzipped.Broken.class);
    assertThat(arrays.lent).isEmpty();
  }

  /** Longer arrays than were asked for, as those may be that lay ready. */
  private static final class Lending implements ArraySource {
    private final List<byte[]> lent = new ArrayList<>();

    @Override
    public byte[] take(int leastBytes) {
      byte[] array = new byte[leastBytes + 1_000];
      lent.add(array);
      return array;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // each array is itself alone
    public void give(byte[] array) {
      lent.removeIf(it -> it == array);
    }
  }

  @Test
  void aBorrowedArrayLongerThanTheLimitDoesNotRaiseTheLimit() {
    byte[] first = gzip(new byte[LIMIT]);
    ByteBuffer both = ByteBuffer.wrap(joined(first, gzip(new byte[1])));
    assertThat(GzipReader.read(both, LIMIT, ANY, new Lending()))
        .isEqualTo(new Unzipped.Broken("it contains far more data than its end states"));
  }

  private static byte[] sayingThatItIsEmpty(byte[] zipped) {
    Arrays.fill(zipped, zipped.length - Integer.BYTES, zipped.length, (byte) 0);
    return zipped;
  }

  @Test
  void aMessageThatIsTooLongByItsTrailerIsNotDecompressed() {
    byte[] bomb = gzip(new byte[1_000 * LIMIT]);
    bomb[HEADER_BYTES] = 0x07; // a last block of the type that does not exist
    assertThat(read(ByteBuffer.wrap(bomb), LIMIT, RATIO)).isEqualTo(new Unzipped.TooLarge(LIMIT));
  }

  @Test
  void withoutARatioOnlyTheSizeLimitApplies() {
    byte[] letters = new byte[12 << 20];
    Arrays.fill(letters, (byte) 'a');
    assertThat(read(ByteBuffer.wrap(gzip(letters)), 16 << 20, ANY))
        .isEqualTo(new Unzipped.Whole(ByteBuffer.wrap(letters)));
    assertThat(read(ByteBuffer.wrap(gzip(letters)), (12 << 20) - 1, ANY))
        .isEqualTo(new Unzipped.TooLarge((12 << 20) - 1));
  }

  @Test
  void aRatioLimitRefusesBombs() {
    byte[] bomb = gzip(new byte[50_000_000]);
    assertThat(bomb.length * 100L).isBetween((long) MANY_MIB, 50_000_000L);
    assertThatThrownBy(() -> decode(bomb, RATIO))
        .hasMessage(
            "RESOURCE_EXHAUSTED: decompressed request message exceeds "
                + bomb.length * 100
                + " bytes, its compressed size multiplied by the server's maxDecompressionRatio"
                + " (100), which TransportLimits sets");
    assertThat(read(ByteBuffer.wrap(sayingThatItIsEmpty(bomb)), Integer.MAX_VALUE - 13, RATIO))
        .isInstanceOf(Unzipped.Broken.class);
  }

  @Test
  void theRatioLimitDoesNotApplyUpToFourMebibytes() {
    byte[] message = new byte[MANY_MIB];
    assertThat(read(ByteBuffer.wrap(gzip(message)), Integer.MAX_VALUE - 13, RATIO))
        .isEqualTo(new Unzipped.Whole(ByteBuffer.wrap(message)));
    assertThat(read(ByteBuffer.wrap(gzip(new byte[MANY_MIB + 1])), Integer.MAX_VALUE - 13, RATIO))
        .isEqualTo(new Unzipped.TooLarge(MANY_MIB));
  }

  @Test
  void aLongMessageMayGrowUpToTheRatio() {
    Random random = new Random(1);
    byte[] message = new byte[2 * MANY_MIB];
    for (int at = 0; at < message.length; at += 200) {
      message[at] = (byte) random.nextInt();
    }
    byte[] zipped = gzip(message);
    assertThat(message.length / zipped.length).isBetween(16, 99);
    assertThat(read(ByteBuffer.wrap(zipped), Integer.MAX_VALUE - 13, RATIO))
        .isInstanceOf(Unzipped.Whole.class);
  }

  @Test
  void aMessageMayEndWithAShortMember() {
    byte[] first = counting(4_000);
    byte[] last = counting(1);
    assertThat(push(framed(1, joined(gzip(first), gzip(last))))).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {joined(first, last)});
  }

  @Test
  void theLimitAppliesToAllMembersTogether() {
    byte[] chance = new byte[LIMIT / 4];
    new Random(1).nextBytes(chance);
    byte[] half = Arrays.copyOf(chance, LIMIT / 2);
    byte[] member = gzip(half);
    assertThat(push(framed(1, joined(member, member)))).isEmpty();
    assertThat(received.all()).isDeepEqualTo(new byte[][] {joined(half, half)});
    assertThat(push(framed(1, joined(member, member, gzip(new byte[1])))))
        .hasValue(
            "RESOURCE_EXHAUSTED: decompressed request message exceeds the server's"
                + " maxInboundMessageBytes (10000); raise it in ServerBuilder");
  }

  @Test
  void aMessageCutOffAnywhereIsBroken() {
    byte[] whole = gzip(counting(300));
    for (int length = 0; length < whole.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(whole, 0, length);
      assertThat(read(part, 1 << 20, RATIO))
          .as("%d of %d bytes", length, whole.length)
          .isInstanceOf(Unzipped.Broken.class);
      assertThat(push(framed(1, Arrays.copyOf(whole, length)))).isPresent();
    }
    assertThat(received.messages()).isEmpty();
  }

  @Test
  void bytesAfterTheLastMemberAreBroken() {
    byte[] whole = gzip(counting(300));
    for (byte[] garbage : new byte[][] {{0}, {0x1f}, counting(40), new byte[40]}) {
      assertThat(push(framed(1, joined(whole, garbage))))
          .hasValue(
              "INTERNAL: a message cannot be decompressed: a gzip header is missing or malformed");
    }
  }

  @Test
  void aWrongChecksumOrLengthIsBroken() {
    for (int fromEnd = 1; fromEnd <= 8; fromEnd++) {
      byte[] damaged = gzip(counting(300));
      damaged[damaged.length - fromEnd] ^= 0x10;
      assertThat(push(framed(1, damaged)))
          .hasValue("INTERNAL: a message cannot be decompressed: its checksum or length is wrong");
    }
  }

  @Test
  void malformedDataAreBroken() {
    byte[] damaged = gzip(counting(300));
    damaged[HEADER_BYTES] = 0x07; // a last block of the type that does not exist
    assertThat(push(framed(1, damaged)))
        .hasValue("INTERNAL: a message cannot be decompressed: its compressed data are malformed");
  }

  @Test
  void aDamagedMagicNumberOrMethodOrReservedFlagIsBroken() {
    for (int at = 0; at <= FLAGS_AT; at++) {
      byte[] damaged = gzip(counting(300));
      damaged[at] ^= 0x20;
      assertThat(push(framed(1, damaged)))
          .hasValue(
              "INTERNAL: a message cannot be decompressed: a gzip header is missing or malformed");
    }
  }

  @Test
  void allOptionalPartsOfAHeaderAreSkipped() {
    byte[] extra = {3, 0, 'a', 'b', 'c'};
    byte[] name = {'n', 0};
    byte[] comment = {0};
    byte[] message = counting(300);
    assertThat(push(framed(1, withHeader(0x04, message, extra)))).isEmpty();
    assertThat(push(framed(1, withHeader(0x08, message, name)))).isEmpty();
    assertThat(push(framed(1, withHeader(0x10, message, comment)))).isEmpty();
    assertThat(push(framed(1, withHeader(0x1c, message, extra, name, comment)))).isEmpty();
    byte[] checked = withHeader(0x1e, message, extra, name, comment, new byte[2]);
    int crcAt = HEADER_BYTES + extra.length + name.length + comment.length;
    assertThat(push(framed(1, withHeaderCrc(checked, crcAt)))).isEmpty();
    assertThat(received.messages()).hasSize(5).allMatch(read -> Arrays.equals(read, message));
    checked[crcAt] ^= 1;
    assertThat(push(framed(1, checked))).isPresent();
  }

  @Test
  void headersCutOffAnywhereAreBroken() {
    byte[] header =
        Arrays.copyOf(
            withHeader(0x1e, counting(1), new byte[] {2, 0, 1, 1}, new byte[] {'n', 0}),
            HEADER_BYTES + 6);
    for (int length = 0; length <= header.length; length++) {
      assertThat(push(framed(1, Arrays.copyOf(header, length)))).as("%d bytes", length).isPresent();
    }
  }

  private static byte[] withHeader(int flags, byte[] message, byte[]... parts) {
    byte[] plain = gzip(message);
    byte[] header = Arrays.copyOf(plain, HEADER_BYTES);
    header[FLAGS_AT] = (byte) flags;
    return joined(header, joined(parts), Arrays.copyOfRange(plain, HEADER_BYTES, plain.length));
  }

  private static byte[] withHeaderCrc(byte[] gzip, int at) {
    CRC32 crc = new CRC32();
    crc.update(gzip, 0, at);
    ByteBuffer.wrap(gzip).order(ByteOrder.LITTLE_ENDIAN).putShort(at, (short) crc.getValue());
    return gzip;
  }

  private static Unzipped read(ByteBuffer in, int limitBytes, int maxRatio) {
    return GzipReader.read(in, limitBytes, maxRatio, ArraySource.HEAP);
  }

  private static ByteBuffer decode(byte[] zipped, int maxRatio) {
    return MessageEncoding.GZIP.decode(
        ByteBuffer.wrap(zipped),
        Integer.MAX_VALUE - 13,
        maxRatio,
        OF_RECEIVED_REQUESTS,
        ArraySource.HEAP);
  }

  private Optional<String> push(byte[] data) {
    try {
      return new MessageDeframer(
              MessageEncoding.GZIP, LIMIT, OF_RECEIVED_REQUESTS, ArraySource.HEAP)
          .push(ByteBuffer.wrap(data), received)
          .map(Status::toString);
    } catch (StatusException e) {
      return Optional.of(e.status().toString());
    }
  }
}
