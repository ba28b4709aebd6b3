package dev.gannet.serviceconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are no JSON (RFC 8259), or too large: each is refused, and the place is named. */
class MalformedJsonTest {
  private static void isRefused(String json, String... words) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ServiceConfigs.parse(json))
        .satisfies(thrown -> assertThat(thrown.getMessage()).contains(words))
        .satisfies(thrown ->
            assertThat(thrown.getMessage())
                .doesNotContain("Source:", "jackson", "JsonReadFeature"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1,} | line 1, column 8",
        "{'methodConfig': [{'timeout': }]} | methodConfig[0].timeout",
        "{'methodConfig': [{}, {'name': [{'service': tru}]}]} | methodConfig[1].name[0].service",
        "{'methodConfig': [01]} | methodConfig[0]",
        "{'methodConfig': [{'timeout' '1s'}]} | methodConfig[0].timeout",
        "{'methodConfig': [{'timeout': '1s' 'x': 1}]} | methodConfig[0].timeout",
        "{'methodConfig': {'a': [0, 1, {'b': 1, 'b': 2}]}} | methodConfig.a[2].b",
        "{'x': [1e1000]} | at x[0]): an exponent has at most three digits: 1e1000",
        "{'x': 1e-1000} | at x): an exponent has at most three digits",
      })
  void theFieldIsNamedInWhichTheTextIsNoJson(String json, String words) {
    isRefused(json.replace('\'', '"'), "not JSON at character ", words);
  }

  @Test
  void lineAndColumnAreNamed() {
    isRefused("{\n  \"a\": 1,\n  \"b\": x\n}", "line 3, column 8, at b)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "{\"a\"", "{\"a\":", "{\"a\": \"b", "[", "[1,", ""})
  void aTextThatEndsTooEarlyIsRefused(String json) {
    isRefused(json, "not JSON at character " + json.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/* a comment */ {}",
        "{} // a comment",
        "# a comment\n{}",
        "{'a': 1}",
        "{a: 1}",
        "[Infinity]",
        "[0x10]",
        "[1_000]",
        "[\"\\q\"]",
        "[\"\u0001\"]",
        "\uFEFF{}",
        "{}{}",
        "{}]",
        "]",
        "[}",
        "{\"a\": 1]",
        "\u0000",
        "True"
      })
  void extensionsOfOtherParsersAreRefused(String json) {
    isRefused(json, "not JSON at character ");
  }

  @Test
  void theLengthOfANumberIsLimited() {
    isRefused("[" + "1".repeat(65) + "]", "not JSON at character ", "64");
    isRefused("[0." + "1".repeat(63) + "]", "not JSON at character ");
  }

  @Test
  void theDepthOfObjectsAndListsIsLimited() {
    isRefused("{\"a\":".repeat(33) + "1" + "}".repeat(33), "deeper than 32 levels");
    isRefused("[".repeat(30_000), "deeper than 32 levels");
  }

  @Test
  void duplicateNamesAreRefused() {
    isRefused("{\"a\": 1, \"\\u0061\": 2}", "the name 'a' appears twice in an object");
    isRefused("{\"x\": [{\"a\": null, \"a\": null}]}", "appears twice");
  }

  @Test
  void integersMayBeStringsOrHaveExponents() {
    ServiceConfig config =
        ServiceConfigs.parse(
            "{\"methodConfig\": [{\"name\": [{}], \"maxRequestMessageBytes\": \"1024\","
                + " \"maxResponseMessageBytes\": 2.048e3, \"timeout\": \"1s\"}]}");
    assertThat(config.methodConfig("a/B").maxRequestMessageBytes()).hasValue(1024);
    assertThat(config.methodConfig("a/B").maxResponseMessageBytes()).hasValue(2048);
    assertThat(config.methodConfig("a/B").timeout()).contains(Duration.ofSeconds(1));
  }
}
