package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A sign of life that is asked for by the application. */
final class ChannelPingTest {
  private final TestChannel test = new TestChannel();

  private static Status failureOf(CompletableFuture<Duration> ping) {
    assertThat(ping).isCompletedExceptionally();
    return ((StatusException) ping.exceptionNow()).status();
  }

  @Test
  void aPingCompletesWithTheRoundTripTime() {
    FakeTransport transport = test.connected();
    CompletableFuture<Duration> ping = test.channel().ping();
    assertThat(ping).isNotDone();
    transport.pings.getFirst().onAnswer(1_000_000);
    assertThat(ping).isCompletedWithValue(Duration.ofMillis(1));
  }

  @Test
  void withoutAConnectionAPingFailsAtOnceAndDoesNotConnect() {
    assertThat(failureOf(test.channel().ping()).description().orElseThrow())
        .contains("the channel is IDLE");
    assertThat(test.connector.dials).isEmpty();
    test.call();
    assertThat(failureOf(test.channel().ping()).code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void afterShutdownAPingFailsWithTheStatusOfTheShutdown() {
    test.connected();
    test.channel().shutdown();
    assertThat(failureOf(test.channel().ping()).description()).hasValue("the channel is shut down");
    test.channel().shutdownNow();
    assertThat(failureOf(test.channel().ping()).description())
        .hasValue("the channel was closed before the call ended");
  }

  @Test
  void aPingFailsWhenItsConnectionIsLost() {
    FakeTransport transport = test.connected();
    CompletableFuture<Duration> ping = test.channel().ping();
    transport.pings.getFirst().onFailed(Status.UNAVAILABLE.withDescription("lost"));
    assertThat(failureOf(ping).description()).hasValue("lost");
  }

  @Test
  void aPingWithoutAnAnswerFailsAfterTheTimeout() {
    FakeTransport transport = test.connected();
    CompletableFuture<Duration> ping = test.channel().ping();
    assertThat(transport.pings.getFirst().isOver()).isFalse();
    test.advance(Duration.ofSeconds(20));
    assertThat(failureOf(ping).code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(transport.pings.getFirst().isOver()).isTrue();
  }

  @Test
  void theAnswerIsNotLostIfTheExecutorRejectsTasks() {
    FakeTransport transport = test.connected();
    ChannelPing ping =
        new ChannelPing(task -> {
          throw new RejectedExecutionException();
        });
    CompletableFuture<Duration> answer =
        ping.send(transport, test.settings().scheduler(), Duration.ofSeconds(1).toNanos());
    transport.pings.getFirst().onAnswer(1);
    assertThat(answer).isCompletedWithValue(Duration.ofNanos(1));
  }
}
