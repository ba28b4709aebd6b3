package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** A call that is ended while its handler runs. */
final class EndedCallTest {
  private static final Status EXPIRED = Status.UNAUTHENTICATED.withDescription("expired");

  private static void end(ServerCall<?, ?> call) {
    call.end(EXPIRED, new Metadata());
  }

  @Test
  void theStreamSendsTheStatusAndTheHandlerHasNotEnded() {
    TestCall call = TestCall.bidi().comes();
    end(call.call());
    assertThat(call.stream.told).containsExactly("fail " + EXPIRED);
    assertThat(call.call().isCancelled()).isTrue();
    assertThat(call.stream.handlersEnded).isZero();
    assertThat(call.heard).doesNotContain("cancel");
    call.hears(CallEvent.Closed.atOnce(EXPIRED));
    assertThat(call.heard).endsWith("cancel");
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void nothingIsSentAfterIt() {
    TestCall call = TestCall.bidi().comes();
    end(call.call());
    call.call().sendHeaders(new Metadata());
    call.call().sendMessage("too late");
    call.closes(Status.OK);
    call.call().fail(Status.NOT_FOUND.asException());
    assertThat(call.stream.told).containsExactly("fail " + EXPIRED);
    assertThat(call.call().isReady()).isFalse();
  }

  @Test
  void requestsThatComeAfterItAreNotDelivered() {
    TestCall call = TestCall.bidi().comes();
    end(call.call());
    call.hears("a").halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready");
  }

  @Test
  void itsStatusIsTheReasonOfTheCancellation() {
    TestCall call = TestCall.bidi().comes();
    CallContext context = call.call().context();
    end(call.call());
    assertThat(context.cancellation()).contains(EXPIRED);
    call.hears(CallEvent.Closed.atOnce(EXPIRED));
    assertThat(context.cancellation()).contains(EXPIRED);
  }

  @Test
  void itIsNotTheReasonIfTheCallWasAnsweredBefore() {
    TestCall call = TestCall.bidi().comes();
    CallContext context = call.call().context();
    call.closes(Status.OK);
    end(call.call());
    assertThat(context.cancellation()).isEmpty();
    call.isCutOff();
    assertThat(context.cancellation()).isEmpty();
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void theReasonIsTakenBackIfAnotherThreadAnswersTheCallMeanwhile() {
    CallExtras extras = new CallExtras();
    assertThat(extras.trySetCancellation(EXPIRED)).isTrue();
    assertThat(extras.trySetCancellation(Status.ABORTED)).isFalse();
    extras.takeBackCancellation(EXPIRED);
    assertThat(extras.cancellation()).isNull();
    extras.setCancellation(Status.CANCELLED);
    extras.takeBackCancellation(EXPIRED);
    assertThat(extras.cancellation()).isEqualTo(Status.CANCELLED);
  }

  @Test
  void aHandlerThatWaitsInsideAnEventIsWoken() {
    TestCall call = TestCall.bidi();
    call.at(
            "ready",
            it -> {
              end(it);
              it.awaitEvent(() -> false);
              call.heard.add("woken");
            })
        .comes();
    assertThat(call.heard).containsExactly("begin", "ready", "woken");
  }

  @Test
  void aHandlerOnAVirtualThreadOfOursIsInterruptedByItsEnd() {
    TestCall call = TestCall.onVirtualThread(MethodType.BIDI_STREAMING);
    call.at(
            "a",
            it -> {
              end(it);
              call.heard.add("interrupted: " + Thread.interrupted());
              call.events().add(CallEvent.Closed.atOnce(EXPIRED));
              call.heard.add("interrupted: " + Thread.interrupted());
            })
        .comes()
        .hears("a");
    assertThat(call.heard).contains("interrupted: false", "interrupted: true");
  }

  @Test
  void anEndThatTheLoopRejectsWakesItOnceMore() {
    TestCall call = TestCall.bidi().comes();
    call.stream.thrownByFail = Optional.of(new RejectedExecutionException("no memory"));
    end(call.call());
    assertThat(call.stream.forLoop).hasSize(1);
    assertThat(call.stream.handlersEnded).isZero();
    assertThat(call.call().isCancelled()).isTrue();
  }
}
