package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When a call goes to its handler, and what becomes of those that never do. */
final class HandOverTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @ParameterizedTest
  @EnumSource(names = {"UNARY", "SERVER_STREAMING"})
  void aHandlerOfASingleRequestStartsWhenTheRequestIsComplete(MethodType type) {
    TestCall call = TestCall.of(type).comes();
    call.hears("request");
    assertThat(call.hasBegun()).isFalse();
    call.halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready", "request", "half-close");
  }

  @ParameterizedTest
  @EnumSource
  void aLastMessageEndsTheRequestWithoutAnotherEvent(MethodType type) {
    TestCall call = TestCall.of(type).comes();
    call.hears(CallEvent.Message.handed("request", CallEvent.Following.HALF_CLOSE));
    assertThat(call.heard).containsExactly("begin", "ready", "request", "half-close");
  }

  @Test
  void aMessageThatIsNotTheLastDoesNotCompleteTheRequest() {
    TestCall call = TestCall.unary().comes();
    call.hears(CallEvent.Message.handed("request", CallEvent.Following.MORE));
    assertThat(call.hasBegun()).isFalse();
  }

  @Test
  void aCallCancelledDuringItsLastMessageIsNotHalfClosed() {
    TestCall call = TestCall.bidi();
    call.at("request", it -> call.events().add(CallEvent.Closed.atOnce(Status.CANCELLED)));
    call.comes();
    call.hears(CallEvent.Message.handed("request", CallEvent.Following.HALF_CLOSE));
    assertThat(call.heard).contains("request").doesNotContain("half-close");
  }

  @ParameterizedTest
  @EnumSource(names = {"CLIENT_STREAMING", "BIDI_STREAMING"})
  void aHandlerOfAStreamStartsWithTheHeaders(MethodType type) {
    TestCall call = TestCall.of(type).comes();
    assertThat(call.heard).containsExactly("begin", "ready");
    call.hears("a").hears("b").halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready", "a", "b", "half-close");
  }

  @Test
  void nothingIsHandedOverBeforeTheEndOfTheBatch() {
    TestCall call = TestCall.bidi().comes();
    call.events().add(CallEvent.Message.parsed("a", 1));
    call.loop.runUntilIdle();
    assertThat(call.heard).doesNotContain("a");
    call.events().flush();
    call.loop.runUntilIdle();
    assertThat(call.heard).endsWith("a");
  }

  @Test
  void aBatchWithoutEventsStartsNoThread() {
    TestCall call = TestCall.bidi().comes();
    call.events().flush();
    assertThat(call.loop.pendingTasks()).isZero();
  }

  @Test
  void aCallCancelledBeforeItsRequestIsCompleteNeverStarts() {
    TestCall call = TestCall.unary().comes();
    call.hears("request").isCutOff();
    assertThat(call.hasBegun()).isFalse();
    assertThat(call.stream.handlersEnded).isOne();
    assertThat(call.stream.consumedBytes).isEqualTo("request".length());
    call.events().flush();
    assertThat(call.stream.handlersEnded).isOne();
    assertThat(call.loop.pendingTasks()).isZero();
  }

  @Test
  void aCallCancelledBeforeItsThreadRunsNeverStarts() {
    TestCall call = TestCall.unary().comes();
    call.events().add(CallEvent.Message.parsed("request", 7));
    call.events().add(new CallEvent.HalfClosed());
    call.events().flush();
    call.isCutOff();
    assertThat(call.hasBegun()).isFalse();
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void aSingleRequestIsAlwaysRequested() {
    TestCall unary = TestCall.unary().comes();
    assertThat(unary.events().isMessageRequested()).isTrue();
    TestCall bidi = TestCall.bidi();
    bidi.requestedAtBegin = 0;
    bidi.comes();
    assertThat(bidi.events().isMessageRequested()).isFalse();
    bidi.call().request(1);
    assertThat(bidi.events().isMessageRequested()).isTrue();
    assertThat(bidi.stream.requests).isOne();
  }

  @Test
  void theSingleMessageIsRequestedInsideAnEventOfALoop() {
    TestCall call = TestCall.onLoop(MethodType.UNARY).comes().asks("request");
    assertThat(call.heard).containsExactly("begin", "ready", "request", "half-close");
  }

  @Test
  void theSingleMessageMayBeRequestedAfterTheEventsOfALoop() {
    TestCall call = TestCall.onLoop(MethodType.UNARY);
    call.requestedAtBegin = 0;
    call.comes().asks("request");
    assertThat(call.heard).containsExactly("begin", "ready");
    call.call().request(1);
    assertThat(call.heard).containsExactly("begin", "ready", "request", "half-close");
  }

  @Test
  void messagesWaitUntilTheyAreRequested() {
    TestCall call = TestCall.bidi();
    call.requestedAtBegin = 0;
    call.comes().hears("a").hears("b");
    assertThat(call.heard).containsExactly("begin", "ready");
    call.call().request(1);
    call.loop.runUntilIdle();
    assertThat(call.heard).endsWith("ready", "a");
    assertThat(call.stream.consumedBytes).isOne();
  }

  @Test
  void aCallWhoseExecutorRejectsItEndsWithResourceExhausted() {
    TestCall call = TestCall.unary().comes();
    call.refusing = true;
    call.asks("request");
    assertThat(call.stream.told)
        .containsExactly(
            "fail RESOURCE_EXHAUSTED: the server cannot run the call: its executor rejected it, or"
                + " no thread can be started");
    assertThat(call.stream.handlersEnded).isOne();
    call.isCutOff();
    assertThat(call.hasBegun()).isFalse();
  }

  @Test
  void ifTheExecutorRejectsATaskTheEndIsDeliveredOnTheCurrentThread() {
    TestCall call = TestCall.bidi().comes();
    call.refusing = true;
    call.isCutOff();
    assertThat(call.heard).endsWith("cancel");
    assertThat(call.stream.handlersEnded).isPositive();
  }

  @Test
  void aRequestForMessagesWhoseTaskIsRejectedEndsTheCall() {
    TestCall call = TestCall.bidi();
    call.requestedAtBegin = 0;
    call.comes().hears("a");
    call.refusing = true;
    call.call().request(1);
    assertThat(call.stream.told)
        .containsExactly(
            "fail RESOURCE_EXHAUSTED: the server cannot run the call: its executor rejected it, or"
                + " no thread can be started");
  }

  @Test
  void theEndIsDeliveredOnce() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.hasLeft();
    assertThat(call.heard).endsWith("ready", "complete");
    assertThat(call.stream.handlersEnded).isZero();
  }

  @Test
  void aCancelledCallFreesItsSlotWhenItsHandlerHasReturned() {
    TestCall call = TestCall.bidi().comes();
    int[] during = {0};
    call.at("cancel", it -> during[0] = call.stream.handlersEnded).isCutOff();
    assertThat(call.heard).endsWith("cancel");
    assertThat(during[0]).isZero();
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void readinessIsReportedAgain() {
    TestCall call = TestCall.bidi().comes();
    call.hears(new CallEvent.Ready());
    assertThat(call.heard).containsExactly("begin", "ready", "ready");
  }
}
