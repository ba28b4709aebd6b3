package dev.gannet.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Any bytes in a header field. */
final class BinaryHeaderTest {
  @ParameterizedTest
  @CsvSource({"'', ''", "f, Zg", "fo, Zm8", "foo, Zm9v", "foob, Zm9vYg"})
  void bytesAreSentWithoutPadding(String bytes, String encoded) {
    assertThat(BinaryHeader.encode(ascii(bytes))).isEqualTo(encoded);
  }

  @Test
  void theStandardBase64AlphabetIsUsed() {
    assertThat(BinaryHeader.encode(new byte[] {(byte) 0xfb, (byte) 0xef, (byte) 0xff}))
        .isEqualTo("++//");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Zm9vYg==", "Zm9vYg"})
  void paddingMayBeThereOrNot(String value) {
    assertThat(texts(value)).containsExactly("foob");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Zg,Zm8,Zm9v", "Zg==,Zm8=,Zm9v", "Zg==, Zm8 ,\tZm9v"})
  void valuesJoinedByCommasAreSeparated(String value) {
    assertThat(texts(value)).containsExactly("f", "fo", "foo");
  }

  @Test
  void nothingBetweenCommasIsAnEmptyValue() {
    assertThat(texts("")).containsExactly("");
    assertThat(texts("Zg,,")).containsExactly("f", "", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Z",
        "=",
        "==",
        "Z=",
        "Zg=",
        "Zg===",
        "Zm9v=",
        "Zm9vY",
        "Z g",
        "Zm9\nv",
        "Zm-_",
        "Zé",
        "日",
        "Zg==Zg==",
        "Zg,Z",
        "*,Zg"
      })
  void oneInvalidValueMakesTheWholeHeaderInvalid(String value) {
    assertThat(BinaryHeader.decode(value)).isEmpty();
  }

  @Test
  void anyBytesAreReadBackWithOrWithoutPaddingAndJoined() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      List<byte[]> values =
          Stream.generate(() -> bytes(random)).limit(1 + random.nextInt(4)).toList();
      String joined =
          values.stream()
              .map(value ->
                  random.nextBoolean()
                      ? BinaryHeader.encode(value)
                      : Base64.getEncoder().encodeToString(value))
              .collect(Collectors.joining(","));
      assertThat(BinaryHeader.decode(joined).orElseThrow().toArray(byte[][]::new))
          .as("seed %d: %s", seed, joined)
          .isDeepEqualTo(values.toArray(byte[][]::new));
    }
  }

  @Test
  void noTextMakesDecodingThrow() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      StringBuilder text = new StringBuilder();
      random.ints(random.nextInt(12), 0, 8).forEach(c -> text.append("AZaz+=,é".charAt(c)));
      assertThat(BinaryHeader.decode(text.toString())).as("seed %d: %s", seed, text).isNotNull();
    }
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(40)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static List<String> texts(String value) {
    return BinaryHeader.decode(value).orElseThrow().stream()
        .map(bytes -> new String(bytes, StandardCharsets.US_ASCII))
        .toList();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
