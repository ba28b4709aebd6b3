package dev.gannet.http2.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Huffman code and its padding (RFC 7541 §5.2, Appendix B). */
final class HuffmanTest {
  private final HuffmanReader reader = new HuffmanReader();

  @ParameterizedTest
  @CsvSource({
    "0, 1ff8, 13",
    "1, 7fffd8, 23",
    "9, ffffea, 24",
    "10, 3ffffffc, 30",
    "13, 3ffffffd, 30",
    "22, 3ffffffe, 30",
    "32, 14, 6",
    "33, 3f8, 10",
    "48, 0, 5",
    "92, 7fff0, 19",
    "97, 3, 5",
    "122, 7b, 7",
    "127, ffffffc, 28",
    "128, fffe6, 20",
    "199, 1ffffec, 25",
    "255, 3ffffee, 26",
    "256, 3fffffff, 30"
  })
  void codesAreThoseOfAppendixB(int symbol, String code, int bits) {
    assertThat(HuffmanCode.code(symbol)).isEqualTo(Integer.parseInt(code, 16));
    assertThat(HuffmanCode.bits(symbol)).isEqualTo(bits);
  }

  @Test
  void everyOctetIsReadBackAloneAndTwice() {
    for (int octet = 0; octet < 256; octet++) {
      comesBack(String.valueOf((char) octet));
      comesBack(String.valueOf((char) octet).repeat(2));
      comesBack("a" + (char) octet + "b");
    }
  }

  @Test
  void anyOctetsAreReadBack() {
    long seed = 7541;
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(60);
      int bound = random.nextBoolean() ? 128 : 256;
      for (int i = 0; i < length; i++) {
        text.append((char) random.nextInt(bound));
      }
      comesBack(text.toString());
    }
  }

  @Test
  void anEmptyStringTakesNoOctets() {
    assertThat(HuffmanWriter.encodedBytes("")).isZero();
    comesBack("");
  }

  @Test
  void octetsThatDoNotFitAreCountedButNotStored() {
    byte[] octets = encoded("abcdefgh");
    byte[] room = new byte[3];
    assertThat(reader.decode(octets, 0, octets.length, room)).isEqualTo(8);
    assertThat(room).containsExactly('a', 'b', 'c');
  }

  @ParameterizedTest
  @ValueSource(strings = {"ff", "1fff", "07ff", "ffff", "ffffff"})
  void paddingOfEightBitsOrMoreIsBroken(String hex) {
    breaks(hex, HeaderBlockFault.HUFFMAN_PADDING_LONG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"18", "1e", "06", "00"})
  void paddingThatIsNotAllOnesIsBroken(String hex) {
    breaks(hex, HeaderBlockFault.HUFFMAN_PADDING_BITS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"3fffffff", "ffffffff", "fffffffc", "1fffffffff"})
  void eosInsideAStringIsBroken(String hex) {
    HeaderBlockFault expected =
        hex.equals("3fffffff")
            ? HeaderBlockFault.HUFFMAN_PADDING_LONG
            : HeaderBlockFault.HUFFMAN_EOS;
    breaks(hex, expected);
  }

  @Test
  void aLongCodeCutOffIsBroken() {
    byte[] whole = encoded("\n");
    assertThat(whole).hasSize(4);
    assertThat(reader.decode(whole, 0, 3, new byte[8])).isEqualTo(HuffmanReader.FAILED);
  }

  private void breaks(String hex, HeaderBlockFault fault) {
    byte[] octets = Octets.bytes(hex);
    assertThat(reader.decode(octets, 0, octets.length, new byte[16]))
        .isEqualTo(HuffmanReader.FAILED);
    assertThat(reader.fault()).isEqualTo(fault);
  }

  private void comesBack(String text) {
    byte[] octets = encoded(text);
    assertThat(HuffmanReader.mostDecodedBytes(octets.length)).isGreaterThanOrEqualTo(text.length());
    byte[] decoded = new byte[text.length()];
    assertThat(reader.decode(octets, 0, octets.length, decoded)).isEqualTo(text.length());
    assertThat(new String(decoded, StandardCharsets.ISO_8859_1)).isEqualTo(text);
  }

  private static byte[] encoded(String text) {
    byte[] octets = new byte[HuffmanWriter.encodedBytes(text)];
    HuffmanWriter.encode(text, octets, 0);
    return octets;
  }
}
