package dev.gannet.conformance.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking streams: reads that give up after a time, and two threads at one call. */
@Timeout(60)
final class TimedReadsTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Numbers numbers = new Numbers();

  @AfterEach
  void stop() {
    numbers.close();
  }

  private BidiStreamingCall<String, String> echo() {
    return BlockingCalls.bidiStreaming(numbers.channel(), Numbers.ECHO, CallOptions.DEFAULT);
  }

  @Test
  void aTimedReadThrowsAfterItsTimeWithoutEndingTheStream() throws TimeoutException {
    try (BidiStreamingCall<String, String> call = echo()) {
      assertThatThrownBy(() -> call.hasNext(SHORT))
          .isInstanceOf(TimeoutException.class)
          .hasMessage("no response of test.Numbers/Echo within 20 ms");
      assertThatThrownBy(() -> call.hasNext(Duration.ZERO)).isInstanceOf(TimeoutException.class);

      call.send("a");
      assertThat(call.hasNext(LONG)).isTrue();
      assertThat(call.next()).isEqualTo("a");
      call.halfClose();
      assertThat(call.hasNext(LONG)).isFalse();
    }
  }

  @Test
  void aTimedReadOfACallThatFailsThrows() {
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(
            numbers.channel(),
            Numbers.ECHO,
            CallOptions.DEFAULT.withDeadline(Duration.ofMillis(50)))) {
      assertThatThrownBy(() -> call.hasNext(LONG)).isInstanceOf(StatusException.class);
    }
  }

  @Test
  void aHandlerCanContinueAfterATimedRead() {
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(numbers.channel(), Numbers.PATIENT, CallOptions.DEFAULT)) {
      assertThat(call.next()).isEqualTo(Numbers.STILL_HERE);
      assertThat(call.next()).isEqualTo(Numbers.STILL_HERE);
      call.send("a");
      String said = call.next();
      while (said.equals(Numbers.STILL_HERE)) {
        said = call.next();
      }
      assertThat(said).isEqualTo("a");
      call.halfClose();
      call.forEach(rest -> assertThat(rest).isEqualTo(Numbers.STILL_HERE));
    }
  }

  @Test
  void oneThreadWritesWhileAnotherReads() throws InterruptedException {
    int messages = 5_000; // more than the windows hold, so that the writer waits for the reader
    String padding = "x".repeat(1_000);
    try (BidiStreamingCall<String, String> call = echo()) {
      Thread writer =
          Thread.startVirtualThread(() -> {
            for (int i = 0; i < messages; i++) {
              call.send(i + padding);
            }
            call.halfClose();
          });
      for (int i = 0; i < messages; i++) {
        assertThat(call.next()).isEqualTo(i + padding);
      }
      assertThat(call.hasNext()).isFalse();
      writer.join();
    }
  }
}
