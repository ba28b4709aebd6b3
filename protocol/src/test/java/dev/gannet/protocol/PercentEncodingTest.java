package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a status on its way. */
final class PercentEncodingTest {
  private static final int MAX = PercentEncoding.MAX_ENCODED_BYTES;

  @ParameterizedTest
  @ValueSource(strings = {"", "no such user", "!\"#$&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~"})
  void printableAsciiStaysTheSameObject(String text) {
    assertThat(PercentEncoding.encode(text)).isSameAs(text);
    assertThat(PercentEncoding.decode(text)).isSameAs(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100%|100%25",
        "%41|%2541",
        "grüß|gr%C3%BC%C3%9F",
        "you don't know 日本|you don't know %E6%97%A5%E6%9C%AC",
        "☺ and 🙂|%E2%98%BA and %F0%9F%99%82",
      })
  void otherCharactersBecomeUpperCaseHexOfTheirUtf8(String text, String encoded) {
    assertThat(PercentEncoding.encode(text)).isEqualTo(encoded);
    assertThat(PercentEncoding.decode(encoded)).isEqualTo(text);
  }

  @Test
  void controlCharactersAreEncoded() {
    assertThat(PercentEncoding.encode("\t\nx\r\0\u007f\u0080")).isEqualTo("%09%0Ax%0D%00%7F%C2%80");
  }

  @ParameterizedTest
  @CsvSource({"' ', %20", "'  ', %20%20", "' a b ', %20a b%20", "'  a', %20 a"})
  void leadingAndTrailingSpacesAreEncoded(String text, String encoded) {
    assertThat(PercentEncoding.encode(text)).isEqualTo(encoded);
    assertThat(PercentEncoding.decode(encoded)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\ud83d", "\ude42", "\ude42\ud83d"})
  void halfASurrogatePairBecomesTheReplacementCharacter(String text) {
    assertThat(PercentEncoding.encode(text)).isEqualTo("%EF%BF%BD".repeat(text.length()));
  }

  @Test
  void textUpToTheMaximumLengthIsNotCut() {
    String plain = "x".repeat(MAX);
    assertThat(PercentEncoding.encode(plain)).isSameAs(plain);
    assertThat(PercentEncoding.encode("x".repeat(MAX - 3) + "%")).hasSize(MAX).endsWith("x%25");
    assertThat(PercentEncoding.encode("x".repeat(MAX - 6) + "ü")).hasSize(MAX).endsWith("%BC");
  }

  @Test
  void longerTextIsCutBetweenTwoCharacters() {
    assertThat(PercentEncoding.encode("x".repeat(MAX + 1))).isEqualTo("x".repeat(MAX));
    assertThat(PercentEncoding.encode("x".repeat(MAX - 2) + "%")).isEqualTo("x".repeat(MAX - 2));
    assertThat(PercentEncoding.encode("x".repeat(MAX - 5) + "üy")).isEqualTo("x".repeat(MAX - 5));
    assertThat(PercentEncoding.encode("x".repeat(MAX - 11) + "🙂y"))
        .isEqualTo("x".repeat(MAX - 11));
  }

  @Test
  void textIsNotCutAfterASpace() {
    assertThat(PercentEncoding.encode("x".repeat(MAX - 2) + "  yz")).isEqualTo("x".repeat(MAX - 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%G1", "%1G", "50%", "%%", "% 41", "%-1", "a%zzb"})
  void aBrokenEscapeStaysAsItIs(String value) {
    assertThat(PercentEncoding.decode(value)).isEqualTo(value);
  }

  @Test
  void validEscapesBetweenBrokenOnesAreDecoded() {
    assertThat(PercentEncoding.decode("%%41%4%c3%bc%")).isEqualTo("%A%4ü%");
  }

  @ParameterizedTest
  @CsvSource({"%FF, \ufffd", "%C3, \ufffd", "a%C3b, a\ufffdb", "%F0%9F%99, \ufffd"})
  void invalidUtf8IsReplaced(String value, String text) {
    assertThat(PercentEncoding.decode(value)).isEqualTo(text);
  }

  @Test
  void utf8ThatWasSentUnescapedIsRead() {
    byte[] octets = "grüß 🙂".getBytes(StandardCharsets.UTF_8);
    assertThat(PercentEncoding.decode(new String(octets, StandardCharsets.ISO_8859_1)))
        .isEqualTo("grüß 🙂");
  }

  @Test
  void aCharacterOutsideLatin1IsNotReadAsAHexDigit() {
    assertThat(PercentEncoding.decode("%\uff141")).isEqualTo("%?1");
  }

  @Test
  void longTextOfAPeerIsCutBetweenTwoCharacters() {
    int cap = PercentEncoding.MAX_DECODED_BYTES;
    assertThat(PercentEncoding.decode("x".repeat(cap))).hasSize(cap);
    assertThat(PercentEncoding.decode("x".repeat(cap + 1))).isEqualTo("x".repeat(cap));
    assertThat(PercentEncoding.decode("%41".repeat(cap + 1))).isEqualTo("A".repeat(cap));
    assertThat(PercentEncoding.decode("x" + "%C3%BC".repeat(cap)))
        .isEqualTo("x" + "ü".repeat(cap / 2 - 1));
  }

  @Test
  void anyWellFormedTextIsReadBack() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      String text =
          random
              .ints(random.nextInt(40), 0, 0x11_0000)
              .map(c -> random.nextBoolean() ? c % 0x100 : c)
              .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();
      String encoded = PercentEncoding.encode(text);
      assertThat(encoded).as("seed %d", seed).matches("[ -~]*");
      assertThat(PercentEncoding.decode(encoded)).as("seed %d", seed).isEqualTo(text);
    }
  }

  @Test
  void noTextMakesEncodingOrDecodingFail() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 1_000; i++) {
      StringBuilder text = new StringBuilder();
      random.ints(random.nextInt(6_000), 0, 0x1_0000).forEach(c -> text.append(noise(c)));
      assertThat(PercentEncoding.encode(text.toString()))
          .as("seed %d", seed)
          .hasSizeLessThanOrEqualTo(MAX)
          .matches("[ -~]*");
      assertThat(PercentEncoding.decode(text.toString()))
          .as("seed %d", seed)
          .hasSizeLessThanOrEqualTo(PercentEncoding.MAX_DECODED_BYTES);
    }
  }

  private static char noise(int c) {
    return switch (c & 3) {
      case 0 -> '%';
      case 1 -> "0123456789abcdefABCDEF g".charAt((c >> 2) % 24);
      case 2 -> (char) (c >> 8);
      default -> (char) c;
    };
  }
}
