package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a transcript says of calls, line by line. */
@Timeout(60)
final class TranscriptTest {
  private final Testbed testbed = Testbed.inProcess();

  @AfterEach
  void close() {
    testbed.close();
  }

  private List<String> linesOf(int call) {
    return testbed.transcript().lines().stream()
        .map(line -> line.replaceFirst("\\+\\d+ ms ", ""))
        .filter(line -> line.startsWith("#" + call + " "))
        .toList();
  }

  private static String say(ManagedChannel channel, String word) {
    return BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, word);
  }

  @Test
  void aStreamIsShownMessageByMessage() {
    ManagedChannel channel = testbed.channelTo(Words.echo());
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT)) {
      call.send("one");
      assertThat(call.next()).isEqualTo("one");
      call.send("two");
      assertThat(call.next()).isEqualTo("two");
      call.halfClose();
      assertThat(call.hasNext()).isFalse();
    }
    assertThat(linesOf(1))
        .containsSubsequence(
            "#1 test.Words/Talk",
            "#1 -> message: one",
            "#1 <- message: one",
            "#1 -> message: two",
            "#1 <- message: two",
            "#1 ended OK");
  }

  @Test
  void aFailureIsShownWithItsStatus() {
    ManagedChannel channel =
        testbed.channelTo(
            Words.saying(word -> {
              throw Status.NOT_FOUND.withDescription("no " + word).asException();
            }));
    assertThatThrownBy(() -> say(channel, "word")).isInstanceOf(StatusException.class);
    assertThat(linesOf(1)).endsWith("#1 ended NOT_FOUND: no word");
  }

  @Test
  void callsAreNumbered() {
    ManagedChannel channel = testbed.channelTo(Words.echo());
    say(channel, "one");
    say(channel, "two");
    assertThat(linesOf(1)).contains("#1 -> message: one").doesNotContain("#1 -> message: two");
    assertThat(linesOf(2)).contains("#2 -> message: two");
  }

  @Test
  void aLongMessageIsCut() {
    say(testbed.channelTo(Words.echo()), "x".repeat(1_000));
    assertThat(linesOf(1)).contains("#1 -> message: " + "x".repeat(200) + "... (1000 characters)");
  }

  @Test
  void linesOfAMessageAreJoined() {
    say(testbed.channelTo(Words.echo()), " one \r\n\n  two\nthree\n");
    assertThat(linesOf(1)).contains("#1 -> message: one, two, three");
  }

  @Test
  void longWhiteSpaceIsCutBeforeLinesAreJoined() {
    say(testbed.channelTo(Words.echo()), "a" + " ".repeat(100_000) + "b\nc");
    assertThat(linesOf(1))
        .contains("#1 -> message: a" + " ".repeat(199) + "... (100004 characters)");
  }

  @Test
  void theOldestLinesAreDroppedAndCounted() {
    ManagedChannel channel = testbed.channelTo(Words.echo());
    for (int i = 0; i < 600; i++) {
      say(channel, "word");
    }
    assertThat(testbed.transcript().lines()).hasSize(2_000);
    assertThat(testbed.transcript().toString()).matches("(?s)\\.\\.\\. \\d+ lines before\n\\+.*");
    assertThat(linesOf(600)).contains("#600 ended OK");
  }
}
