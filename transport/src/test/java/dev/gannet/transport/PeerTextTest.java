package dev.gannet.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a peer says stays one short line that shows what it is. */
final class PeerTextTest {
  @Test
  void ordinaryTextIsUnchanged() {
    assertThat(PeerText.escaped("max_age: größer, 大きい 🐦")).isEqualTo("max_age: größer, 大きい 🐦");
  }

  @Test
  void lineEndsAndControlCharactersAreShownAsQuestionMarks() {
    assertThat(PeerText.escaped("a\r\nb\u0000c\u001b[31md\u0085e")).isEqualTo("a??b?c?[31md?e");
  }

  @Test
  void directionAndLineCharactersAreReplacedAsWell() {
    assertThat(PeerText.escaped("a\u202eb\u2028c\u2029d\u200be")).isEqualTo("a?b?c?d?e");
  }

  @Test
  void anUnpairedSurrogateIsReplaced() {
    assertThat(PeerText.escaped("a\ud800b")).isEqualTo("a?b");
  }

  @Test
  void twoHundredCharactersAreTheMost() {
    assertThat(PeerText.escaped("x".repeat(100_000))).isEqualTo("x".repeat(200) + '…');
    assertThat(PeerText.escaped("🐦".repeat(200))).isEqualTo("🐦".repeat(200));
  }
}
