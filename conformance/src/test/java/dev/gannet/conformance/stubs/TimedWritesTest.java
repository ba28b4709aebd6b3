package dev.gannet.conformance.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking streams: writes and waits for the response that give up after a time. */
@Timeout(60)
final class TimedWritesTest {
  private static final Duration SHORT = Duration.ofMillis(20);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final String KIB = "x".repeat(1 << 10);

  private final Numbers numbers = new Numbers();

  @AfterEach
  void stop() {
    numbers.close();
  }

  private BidiStreamingCall<String, String> echo(CallOptions options) {
    return BlockingCalls.bidiStreaming(numbers.channel(), Numbers.ECHO, options);
  }

  /** Writes until that fails, and returns how much was written. */
  private static int fill(BidiStreamingCall<String, String> call, Duration timeout)
      throws TimeoutException {
    int sent = 0;
    while (sent < 1 << 20) { // the windows hold much less
      try {
        call.send(sent + KIB, timeout);
        sent++;
      } catch (TimeoutException e) {
        assertThat(e).hasMessage("no room for a request of test.Numbers/Echo within 20 ms");
        return sent;
      }
    }
    throw new AssertionError("the stream never was full");
  }

  @Test
  void aTimedWriteThrowsAfterItsTimeWithoutEndingTheStream() throws TimeoutException {
    try (BidiStreamingCall<String, String> call = echo(CallOptions.DEFAULT)) {
      int sent = fill(call, SHORT);
      assertThatThrownBy(() -> call.send(KIB, Duration.ZERO)).isInstanceOf(TimeoutException.class);
      for (int i = 0; i < sent; i++) {
        assertThat(call.next()).isEqualTo(i + KIB); // what gave up was not sent
      }
      call.send("last", LONG);
      call.halfClose();
      assertThat(call.next()).isEqualTo("last");
      assertThat(call.hasNext()).isFalse();
    }
  }

  @Test
  void aWaitingWriteContinuesWhenAnotherThreadReads() throws Exception {
    try (BidiStreamingCall<String, String> call = echo(CallOptions.DEFAULT)) {
      int sent = fill(call, SHORT);
      CompletableFuture<Boolean> written = new CompletableFuture<>();
      Thread writer =
          Thread.startVirtualThread(() -> {
            try {
              call.send("last", LONG);
              call.halfClose();
              written.complete(true);
            } catch (TimeoutException e) {
              written.completeExceptionally(e);
            }
          });
      List<String> read = new ArrayList<>();
      call.forEach(read::add);
      assertThat(written.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(read).hasSize(sent + 1).endsWith("last");
      writer.join();
    }
  }

  @Test
  void aTimedWriteOfACallThatFailsThrowsItsStatus() throws TimeoutException {
    CallOptions hurried = CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(1));
    try (BidiStreamingCall<String, String> call = echo(hurried)) {
      assertThatThrownBy(
              () -> {
                while (true) {
                  call.send(KIB, LONG);
                }
              })
          .isInstanceOfSatisfying(
              StatusException.class,
              it -> assertThat(it.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    }
  }

  @Test
  void aHandlerCanContinueAfterATimedWrite() throws Exception {
    try (Incoming<String> responses =
        BlockingCalls.serverStreaming(numbers.channel(), Numbers.FLOOD, CallOptions.DEFAULT, KIB)) {
      assertThat(numbers.floodStopped.get(LONG.toSeconds(), TimeUnit.SECONDS))
          .hasMessage("no room for a response of test.Numbers/Flood within 20 ms");
      int read = 0;
      String last = "";
      for (String response : responses) {
        last = response;
        read++;
      }
      assertThat(last).isEqualTo(Integer.toString(read - 1));
    }
  }

  @Test
  void aTimedWaitForTheResponseCanBeRepeated() throws TimeoutException {
    try (ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(numbers.channel(), Numbers.SLOW, CallOptions.DEFAULT)) {
      call.send("a", LONG);
      assertThatThrownBy(() -> call.finish(SHORT))
          .isInstanceOf(TimeoutException.class)
          .hasMessage("no response of test.Numbers/Slow within 20 ms");
      assertThatThrownBy(() -> call.finish(Duration.ZERO)).isInstanceOf(TimeoutException.class);
      numbers.mayAnswer.complete(true);
      assertThat(call.finish(LONG)).isEqualTo("1");
      assertThatThrownBy(() -> call.finish(LONG)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aWaitForTheResponseMayEndOnAnotherThread() throws Exception {
    try (ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(numbers.channel(), Numbers.SLOW, CallOptions.DEFAULT)) {
      assertThatThrownBy(() -> call.finish(SHORT)).isInstanceOf(TimeoutException.class);
      CompletableFuture<String> response = new CompletableFuture<>();
      Thread other = Thread.startVirtualThread(() -> response.complete(call.finish()));
      numbers.mayAnswer.complete(true);
      assertThat(response.get(LONG.toSeconds(), TimeUnit.SECONDS)).isEqualTo("0");
      other.join();
    }
  }
}
