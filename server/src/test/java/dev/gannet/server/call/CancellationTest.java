package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a cancellation does: actions, interrupts, and waits that end. */
final class CancellationTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  private final List<String> ran = new ArrayList<>();

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  @Test
  void cancellationActionsRunOnceInTheirOrder() {
    TestCall call = TestCall.bidi().comes();
    CallContext context = call.call().context();
    context.onCancelled(() -> ran.add("first"));
    context.onCancelled(() -> ran.add("taken back")).close();
    context.onCancelled(() -> {
      throw new IllegalStateException("its own fault");
    });
    context.onCancelled(() -> ran.add("last"));
    call.isCutOff();
    call.isCutOff();
    assertThat(ran).containsExactly("first", "last");
  }

  @Test
  void anActionAddedAfterTheCancellationRunsAtOnce() {
    TestCall call = TestCall.bidi().comes().isCutOff();
    call.call().context().onCancelled(() -> ran.add("late"));
    assertThat(ran).containsExactly("late");
  }

  @Test
  void anAnsweredCallIsNotCancelled() {
    TestCall call = TestCall.bidi().comes();
    call.call().context().onCancelled(() -> ran.add("action"));
    call.closes(Status.OK);
    call.hasLeft();
    assertThat(ran).isEmpty();
    assertThat(call.heard).endsWith("complete");
  }

  @Test
  void aCallWhoseResponseCannotBeSentIsCancelled() {
    TestCall call = TestCall.bidi().comes();
    call.call().context().onCancelled(() -> ran.add("action"));
    call.closes(Status.OK);
    call.isCutOff();
    assertThat(ran).containsExactly("action");
    assertThat(call.heard).endsWith("cancel");
    assertThat(call.call().isCancelled()).isTrue();
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void cancellationDropsWaitingMessages() {
    TestCall call = TestCall.bidi().comes();
    call.events().add(CallEvent.Message.parsed("a", 1));
    call.events().add(new CallEvent.HalfClosed());
    call.isCutOff();
    assertThat(call.heard).containsExactly("begin", "ready", "cancel");
    assertThat(call.stream.consumedBytes).isOne();
  }

  @Test
  void aHandlerOnAVirtualThreadOfOursIsInterrupted() {
    TestCall call = TestCall.onVirtualThread(MethodType.BIDI_STREAMING);
    call.at(
            "a",
            it -> {
              call.events().add(CallEvent.Closed.atOnce(Status.CANCELLED));
              ran.add("interrupted: " + Thread.interrupted());
            })
        .comes()
        .hears("a");
    assertThat(ran).containsExactly("interrupted: true");
  }

  @Test
  void aHandlerOnAnExecutorIsNotInterrupted() {
    TestCall call = TestCall.bidi();
    call.at(
            "a",
            it -> {
              call.events().add(CallEvent.Closed.atOnce(Status.CANCELLED));
              ran.add("interrupted: " + Thread.interrupted());
            })
        .comes()
        .hears("a");
    assertThat(ran).containsExactly("interrupted: false");
  }

  @Test
  void aWaitingHandlerGetsFurtherEvents() {
    TestCall call = TestCall.bidi();
    AtomicInteger heard = new AtomicInteger();
    call.at("a", it -> heard.incrementAndGet())
        .at(
            "ready",
            it -> {
              it.awaitEvent(() -> heard.get() > 0);
              ran.add("waited");
            })
        .comesWith("a");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    assertThat(ran).containsExactly("waited");
  }

  @Test
  @Timeout(30)
  void aThreadThatWaitsGetsTheMessageThatTheHandlerRequestsMeanwhile() {
    TestCall call = TestCall.unary();
    call.requestedAtBegin = 0;
    AtomicInteger heard = new AtomicInteger();
    call.at("a", it -> heard.incrementAndGet())
        .at(
            "ready",
            it -> {
              Thread waits = new Thread(() -> awaitMessage(it, heard));
              waits.start();
              while (waits.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
              }
              it.request(1);
              waits.join();
              ran.add("waited");
            })
        .comesWith("a")
        .halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready", "a", "half-close");
    assertThat(ran).containsExactly("waited");
  }

  private static void awaitMessage(ServerCall<?, ?> call, AtomicInteger heard) {
    try {
      call.awaitEvent(() -> heard.get() > 0);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aWaitingHandlerIsWokenByTheResponse() {
    TestCall call = TestCall.bidi();
    call.at("a", it -> it.close(Status.OK, new Metadata()))
        .at("ready", it -> it.awaitEvent(() -> false))
        .comesWith("a");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void aWaitingHandlerIsInterrupted() {
    TestCall call = TestCall.onVirtualThread(MethodType.BIDI_STREAMING);
    call.at(
            "ready",
            it -> {
              call.events().add(CallEvent.Closed.atOnce(Status.CANCELLED));
              it.awaitEvent(() -> false);
            })
        .comes();
    assertThat(call.heard).contains("interrupted");
  }

  @Test
  void aWaitWithATimeoutEndsWhenItsConditionIsTrue() {
    TestCall call = TestCall.bidi();
    AtomicInteger heard = new AtomicInteger();
    call.at("a", it -> heard.incrementAndGet())
        .at(
            "ready",
            it -> {
              it.awaitEvent(() -> heard.get() > 0, Duration.ofDays(1));
              ran.add("waited");
            })
        .comesWith("a");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    assertThat(ran).containsExactly("waited");
  }

  @Test
  void aWaitWithATimeoutEndsWithTheResponse() {
    TestCall call = TestCall.bidi();
    call.at("a", it -> it.close(Status.OK, new Metadata()))
        .at("ready", it -> it.awaitEvent(() -> false, Duration.ofDays(1)))
        .comesWith("a");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void aWaitWhoseTimeIsOverLeavesTheCallOpen() {
    TestCall call = TestCall.bidi();
    call.at("ready", it -> it.awaitEvent(() -> false, Duration.ofDays(-1))).comes().hears("a");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
    assertThat(call.stream.told).isEmpty();
  }

  @Test
  void theReasonOfTheCancellationIsKnownAfterIt() {
    TestCall call = TestCall.bidi().comes();
    CallContext context = call.call().context();
    assertThat(context.cancellation()).isEmpty();
    context.onCancelled(() -> ran.add("action"));
    assertThat(context.cancellation()).isEmpty();
    call.isCutOff();
    assertThat(context.cancellation().orElseThrow()).hasToString("CANCELLED: cut off");
  }

  @Test
  void anActionForTheShutdownThatIsAddedAfterTheAnswerNeverRuns() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.call().context().onServerDraining(() -> ran.add("action"));
    call.events().draining().begin();
    assertThat(ran).isEmpty();
  }

  @Test
  void anActionForTheShutdownThatIsAddedToACancelledCallNeverRuns() {
    TestCall call = TestCall.bidi().comes().isCutOff();
    call.call().context().onServerDraining(() -> ran.add("action"));
    call.events().draining().begin();
    assertThat(ran).isEmpty();
  }

  @Test
  void waitingOnAnEventLoopIsRefused() {
    TestCall inline = TestCall.onLoop(MethodType.BIDI_STREAMING).comes();
    assertThatThrownBy(() -> inline.call().awaitEvent(() -> true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("runs on an event loop (Dispatch.inline())");
    TestCall direct = TestCall.bidi().comes();
    direct.stream.onLoop = true;
    assertThatThrownBy(() -> direct.call().awaitEvent(() -> true))
        .isInstanceOf(IllegalStateException.class);
  }
}
