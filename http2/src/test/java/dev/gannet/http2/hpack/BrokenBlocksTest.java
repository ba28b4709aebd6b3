package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every rule a block can break costs the connection, and nothing is thrown. */
final class BrokenBlocksTest {
  private final HpackDecoder decoder = new HpackDecoder(4096, 8192, 100);

  @ParameterizedTest
  @ValueSource(strings = {"80", "82 80"})
  void indexZeroIsBroken(String hex) {
    breaks(hex, HeaderBlockFault.INDEX_ZERO);
  }

  @ParameterizedTest
  @CsvSource({
    "be, just past the static table",
    "ff00, 127",
    "7f00 01 61, as the name of an indexed field",
    "0f2f 01 61, as the name of a field not indexed",
    "1f2f 01 61, as the name of a field never indexed",
    "4001610162 bf, past the only entry"
  })
  void anIndexPastTheTableIsBroken(String hex, String why) {
    assertThat(why).isNotEmpty();
    breaks(hex, HeaderBlockFault.INDEX_PAST_TABLE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "ff80", "ff808080", "7f", "0f80", "3f", "40", "4001", "400161"})
  void aBlockThatEndsInsideAFieldIsBroken(String hex) {
    HpackDecoder fresh = new HpackDecoder(4096, 8192, 100);
    assertThat(fresh.decode(Octets.block(hex)))
        .isIn(HeaderBlockFault.TRUNCATED.broken(), HeaderBlockFault.STRING_PAST_END.broken());
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff8080808000", "ffffffffff01", "407f8080808000", "3f8080808000"})
  void anIntegerOfMoreThanFiveOctetsIsBroken(String hex) {
    breaks(hex, HeaderBlockFault.INTEGER_TOO_LONG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff82ffff7f", "ffffffff7f", "407fffffff7f"})
  void anIntegerAboveTwoToThe28IsBroken(String hex) {
    breaks(hex, HeaderBlockFault.INTEGER_TOO_LARGE);
  }

  @Test
  void anIntegerOfExactlyTwoToThe28IsReadAsOne() {
    breaks("ff81ffff7f", HeaderBlockFault.INDEX_PAST_TABLE);
  }

  @Test
  void anIntegerPaddedToFiveOctetsIsRead() {
    // 31 + 0 for a table of 31 octets
    assertThat(decoder.decode(Octets.block("3f80808000"))).isEqualTo(HeaderList.EMPTY);
    assertThat(decoder.table().capacityBytes()).isEqualTo(31);
  }

  @ParameterizedTest
  @ValueSource(strings = {"4002 61", "400161 0261", "40ff00 61", "0f0a 7f81ffff7f 61", "4081"})
  void aStringPastTheEndOfTheBlockIsBroken(String hex) {
    breaks(hex, HeaderBlockFault.STRING_PAST_END);
  }

  @Test
  void huffmanPaddingOfEightBitsIsBroken() {
    breaks("0001 61 82 1fff", HeaderBlockFault.HUFFMAN_PADDING_LONG);
  }

  @Test
  void huffmanPaddingThatIsNotAllOnesIsBroken() {
    breaks("0081 18 00", HeaderBlockFault.HUFFMAN_PADDING_BITS);
  }

  @Test
  void eosInAHuffmanStringIsBroken() {
    breaks("0084 ffffffff 00", HeaderBlockFault.HUFFMAN_EOS);
  }

  @Test
  void aHuffmanStringThatIsNotKeptIsStillChecked() {
    HpackDecoder small = new HpackDecoder(4096, 40, 1);
    assertThat(small.decode(Octets.block("0001 61 8a 1818181818 1818181818")))
        .isInstanceOf(Decoded.TooLarge.class);
    assertThat(small.decode(Octets.block("82 0001 61 82 1fff")))
        .isEqualTo(HeaderBlockFault.HUFFMAN_PADDING_LONG.broken());
  }

  @Test
  void aSizeUpdateAfterAFieldIsBroken() {
    breaks("82 20", HeaderBlockFault.SIZE_UPDATE_LATE);
  }

  @Test
  void aThirdSizeUpdateIsBroken() {
    breaks("20 21 22 82", HeaderBlockFault.SIZE_UPDATE_REPEATED);
  }

  @Test
  void aSizeUpdateAboveOurSettingIsBroken() {
    // 31 + 0x62 + 0x1f * 128 = 4097
    breaks("3fe21f", HeaderBlockFault.SIZE_UPDATE_TOO_LARGE);
  }

  @Test
  void afterABrokenBlockNoBlockDecodes() {
    assertThat(decoder.decode(Octets.block("82"))).isInstanceOf(HeaderList.class);
    breaks("80", HeaderBlockFault.INDEX_ZERO);
    breaks("82", HeaderBlockFault.INDEX_ZERO);
    breaks("", HeaderBlockFault.INDEX_ZERO);
  }

  @Test
  void theDetailNamesTheRuleAndContainsNothingFromThePeer() {
    Decoded decoded = decoder.decode(Octets.block("0f2f 01 61"));
    assertThat(decoded)
        .isEqualTo(new Decoded.Broken("index past the end of the table (RFC 7541 §2.3.3)"));
  }

  @Test
  void anyOctetsAreAnsweredAndConsumed() {
    long seed = 20260141;
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      HpackDecoder fresh = new HpackDecoder(random.nextInt(300), 200, 5);
      for (int blocks = 0; blocks < 4; blocks++) {
        ByteBuffer block = ByteBuffer.allocate(random.nextInt(40));
        random.nextBytes(block.array());
        Decoded decoded = fresh.decode(block);
        assertThat(decoded).as("seed %d round %d", seed, round).isNotNull();
        assertThat(block.remaining()).isZero();
      }
    }
  }

  private void breaks(String hex, HeaderBlockFault fault) {
    assertThat(decoder.decode(Octets.block(hex))).isEqualTo(fault.broken());
  }
}
