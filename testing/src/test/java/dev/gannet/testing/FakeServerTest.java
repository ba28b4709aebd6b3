package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fake server answers by its script, and is a real server otherwise. */
@Timeout(60)
@ParameterizedClass
@EnumSource
final class FakeServerTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");

  enum Kind {
    PROCESS,
    LOOPBACK;

    Testbed make() {
      return switch (this) {
        case PROCESS -> Testbed.inProcess();
        case LOOPBACK -> Testbed.onLoopback();
      };
    }
  }

  private final Testbed testbed;
  private final FakeServer fake;
  private final ManagedChannel channel;

  FakeServerTest(Kind kind) {
    testbed = kind.make();
    fake = testbed.fake(Words.echo());
    channel = testbed.channelTo(fake.address());
  }

  @AfterEach
  void close() {
    testbed.close();
  }

  private String say(String word) {
    return BlockingCalls.unary(channel, Words.SAY, CallOptions.DEFAULT, word);
  }

  @Test
  void repliesAreSentInTheirOrderAndTheLastOneIsRepeated() {
    fake.on(Words.SAY, Reply.failure(Status.ABORTED.withDescription("later")), Reply.of("now"));
    assertThatThrownBy(() -> say("a")).hasMessage("ABORTED: later");
    assertThat(say("b")).isEqualTo("now");
    assertThat(say("c")).isEqualTo("now");
    assertThat(fake.calls(Words.SAY)).extracting(ReceivedCall::requests).hasSize(3);
  }

  @Test
  void methodsWithoutAScriptAreServedByTheService() {
    assertThat(say("echo")).isEqualTo("echo");
    assertThat(fake.calls(Words.SAY).getFirst().requests()).containsExactly("echo");
  }

  @Test
  void aReplyMayDependOnTheRequests() {
    fake.onEach(Words.SAY, requests -> Reply.of(requests.getFirst() + "!"));
    assertThat(say("hello")).isEqualTo("hello!");
  }

  @Test
  void headersAndTrailersAreSentWithTheReply() {
    Metadata tenant = new Metadata();
    tenant.set(TENANT, "acme");
    fake.on(
        Words.SAY,
        Reply.of("x").withHeaders(tenant).withTrailers(tenant),
        Reply.<String>failure(Status.NOT_FOUND).withTrailers(tenant));
    var response = BlockingCalls.response(channel, Words.SAY, CallOptions.DEFAULT, "x");
    assertThat(response.headers().get(TENANT)).hasValue("acme");
    assertThat(response.trailers().get(TENANT)).hasValue("acme");
    assertThatThrownBy(() -> say("x"))
        .isInstanceOfSatisfying(
            StatusException.class, e -> assertThat(e.trailers().get(TENANT)).hasValue("acme"));
  }

  @Test
  void aReplyThatIsLateMissesTheDeadline() {
    fake.on(Words.SAY, Reply.of("late").after(Duration.ofSeconds(50)));
    assertThatThrownBy(() ->
            BlockingCalls.unary(
                channel, Words.SAY, CallOptions.DEFAULT.withDeadline(Duration.ofMillis(50)), "x"))
        .hasMessageStartingWith("DEADLINE_EXCEEDED");
  }

  @Test
  void aDelayedReplyThatTheMethodDoesNotAllowEndsTheCall() {
    fake.on(Words.SAY, Reply.of("one", "too many").after(Duration.ofMillis(5)));
    assertThatThrownBy(() -> say("x")).hasMessageStartingWith("INTERNAL");
  }

  @Test
  void aDelayedReplyIsSent() {
    fake.on(Words.SAY, Reply.of("late").after(Duration.ofMillis(5)));
    assertThat(say("x")).isEqualTo("late");
  }

  @Test
  void withoutAReplyTheCallStaysOpenUntilItsClientEndsIt() throws InterruptedException {
    fake.on(Words.TALK, Reply.none());
    BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT);
    call.send("x");
    ReceivedCall<String> received =
        fake.awaitCalls(Words.TALK, 1, Duration.ofSeconds(10)).getFirst();
    call.close();
    while (!received.isCancelled()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReplyAtOnceIsSentBeforeTheEndOfTheRequests() {
    fake.on(Words.TALK, Reply.of("a", "b").thenFail(Status.DATA_LOSS).atOnce());
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, Words.TALK, CallOptions.DEFAULT)) {
      assertThat(call.next()).isEqualTo("a");
      assertThat(call.next()).isEqualTo("b");
      assertThatThrownBy(call::hasNext).hasMessage("DATA_LOSS");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServerThatGoesAwayAnswersTheCallThatRuns(boolean byScript) {
    assertThat(say("first")).isEqualTo("first");
    if (byScript) {
      fake.on(Words.SAY, Reply.of("bye").goingAway(), Reply.of("hello again"));
      assertThat(say("x")).isEqualTo("bye");
    } else {
      fake.goAway();
      fake.on(Words.SAY, Reply.of("hello again"));
    }
    assertThat(say("x")).isEqualTo("hello again");
  }

  @Test
  void aServerThatIsStoppedIsUnavailableUntilItStarts() {
    assertThat(say("first")).isEqualTo("first");
    fake.stop();
    assertThatThrownBy(() -> say("x")).hasMessageStartingWith("UNAVAILABLE");
    fake.start();
    channel.resetConnectBackoff();
    assertThat(
            BlockingCalls.unary(
                channel, Words.SAY, CallOptions.DEFAULT.withWaitForReady(true), "again"))
        .isEqualTo("again");
  }

  @Test
  void aScriptNeedsAMethodOfTheService() {
    assertThatThrownBy(() -> fake.on(Words.SAY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("one reply");
  }
}
