package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.call.PickedCall;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.tasks.SerialTasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What may happen between a pick and what follows from it. The picker of each test does it there,
 * as another thread would.
 */
final class CallPickerTest {
  private final TestChannel test = new TestChannel();
  private final SerialTasks tasks = new SerialTasks("test:///name");
  private final List<String> woken = new ArrayList<>();
  private final CallPicker picker =
      new CallPicker(tasks, test.loop::nanoTime, () -> woken.add("exit idle"));
  private final ManagedSubchannel subchannel = ready(picker.pending());
  private final AtomicInteger picks = new AtomicInteger();

  private PickedCall call(CallOptions options) {
    return PickedCall.on(test, options);
  }

  /** Of the channel whose calls wait there. */
  private static ManagedSubchannel ready(PendingCalls pending) {
    TestChannel other = new TestChannel();
    ManagedSubchannel made =
        new ManagedSubchannel(
            other.settings(),
            new SubchannelOwner(other, pending),
            Runnable::run,
            Endpoint.of(TestResolver.address(1)),
            (it, now) -> {},
            CallTracker.NONE);
    made.connect();
    other.dial().becomesReady();
    return made;
  }

  private final PickedCall call = call(CallOptions.DEFAULT);
  private final PickedCall patient = call(CallOptions.DEFAULT.withWaitForReady(true));

  private void publish(ConnectivityState state, Picker next) {
    tasks.run(() -> picker.publish(state, next, "mine"));
  }

  /**
   * Has no default: a case that is added does not compile here before somebody has looked at {@link
   * CallPicker}, which has a chain of {@code instanceof} in place of such a switch (ADR 18).
   */
  private static boolean waits(Pick pick, boolean waitForReady) {
    return switch (pick) {
      case Pick.Use use -> false;
      case Pick.Fail fail -> waitForReady;
      case Pick.Drop drop -> false;
      case Pick.Queue queue -> true;
    };
  }

  @Test
  void everyKindOfPickIsHandled() {
    Status why = Status.UNAVAILABLE.withDescription("why");
    for (Pick pick : List.of(Pick.use(subchannel), Pick.fail(why), Pick.drop(why), Pick.queue())) {
      for (boolean waitForReady : List.of(false, true)) {
        PickedCall made = call(CallOptions.DEFAULT.withWaitForReady(waitForReady));
        publish(ConnectivityState.READY, args -> pick);
        picker.pick(made.attempt());
        assertThat(picker.pending().count()).isEqualTo(waits(pick, waitForReady) ? 1 : 0);
        made.ends(picker);
      }
    }
  }

  @Test
  void aWaitingCallWakesAnIdleChannelOnce() {
    picker.pick(call.attempt());
    assertThat(woken).hasSize(1);
    publish(ConnectivityState.CONNECTING, Picker.queueing());
    picker.pick(patient.attempt());
    assertThat(woken).hasSize(1);
    publish(ConnectivityState.IDLE, Picker.queueing());
    assertThat(woken).hasSize(2);
    publish(ConnectivityState.IDLE, Picker.queueing());
    assertThat(woken).hasSize(2);
  }

  @Test
  void aCallThatEndsWhileItIsPickedIsNotPending() {
    publish(
        ConnectivityState.CONNECTING,
        args -> {
          call.ends(picker);
          return Pick.queue();
        });
    picker.pick(call.attempt());
    assertThat(picker.pending().count()).isZero();
  }

  @Test
  void anAttemptThatIsNotNeededAnyMoreWhileItIsPickedIsNotPending() {
    PickedCall made = PickedCall.retriedOn(new TestChannel());
    PendingAttempt second = made.attempt();
    publish(
        ConnectivityState.CONNECTING,
        args -> {
          if (picks.getAndIncrement() == 0) {
            second.failBeforeStart(Status.CANCELLED.withDescription("another attempt continues"));
            picker.forget(second);
          }
          return Pick.queue();
        });
    picker.pick(second);
    assertThat(made.hasEnded()).isFalse();
    assertThat(picker.pending().count()).isZero();
  }

  @Test
  void aPickerPublishedWhileACallBecomesPendingIsUsed() {
    publish(
        ConnectivityState.CONNECTING,
        args -> {
          if (picks.getAndIncrement() == 0) {
            publish(ConnectivityState.READY, Picker.using(subchannel)); // finds no pending call
          }
          return Pick.queue();
        });
    picker.pick(call.attempt());
    assertThat(call.isStarted()).isTrue();
    assertThat(picker.pending().count()).isZero();
  }

  @Test
  void aCallThatEndsWhileItIsPickedFromThePendingIsNotStarted() {
    publish(ConnectivityState.CONNECTING, Picker.queueing());
    picker.pick(call.attempt());
    publish(
        ConnectivityState.READY,
        args -> {
          call.ends(picker);
          return Pick.use(subchannel);
        });
    assertThat(call.isStarted()).isFalse();
  }

  @Test
  void aCallThatEndsWhileItIsPickedFromThePendingDoesNotFail() {
    publish(ConnectivityState.CONNECTING, Picker.queueing());
    picker.pick(patient.attempt());
    publish(
        ConnectivityState.TRANSIENT_FAILURE,
        args -> {
          patient.ends(picker);
          return Pick.drop(Status.INTERNAL);
        });
    assertThat(patient.call().ends).containsExactly(Status.ABORTED);
  }

  @Test
  void aCallIsStartedOnceIfSeveralThreadsPickForIt() {
    publish(ConnectivityState.CONNECTING, Picker.queueing());
    picker.pick(call.attempt());
    publish(
        ConnectivityState.READY,
        args -> {
          if (picks.getAndIncrement() == 0) {
            picker.pickPending(); // as another thread does
          }
          return Pick.use(subchannel);
        });
    FakeTransport transport = (FakeTransport) Objects.requireNonNull(subchannel.transport());
    assertThat(call.streamsOn(transport)).isOne();
  }

  @Test
  void aSubchannelOfAnotherChannelEndsCallsWhetherTheyHaveWaitedOrNot() {
    ManagedSubchannel foreign = ready(new PendingCalls());
    picker.pick(patient.attempt());
    publish(ConnectivityState.READY, Picker.using(foreign));
    picker.pick(call.attempt());
    for (PickedCall each : List.of(patient, call)) {
      assertThat(each.isStarted()).isFalse();
      assertThat(each.call().status())
          .hasToString(
              "INTERNAL: the load-balancing policy picked a subchannel that the channel did not"
                  + " create");
    }
    assertThat(picker.pending().count()).isZero();
  }

  @Test
  void failedPicksOfNewCallsCountAsAFailure() {
    publish(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(Status.UNAVAILABLE));
    assertThat(picker.countFailures()).isZero();
    picker.pick(call.attempt());
    assertThat(picker.countFailures()).isOne();
    assertThat(picker.countFailures()).isOne();
    picker.pick(patient.attempt());
    assertThat(picker.failure(patient.attempt())).hasValue(Status.UNAVAILABLE);
    assertThat(picker.countFailures()).isOne();
  }

  @Test
  void aFailedPickOfAWaitingCallIsNoFailure() {
    picker.pick(call.attempt());
    publish(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(Status.UNAVAILABLE));
    assertThat(picker.countFailures()).isZero();
    assertThat(call.call().status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void pendingCallsFailTogetherWhetherTheyWaitForReadyOrNot() {
    picker.pick(call.attempt());
    picker.pick(patient.attempt());
    assertThat(picker.pending().longestNanos(test.loop.nanoTime())).hasValue(0);
    tasks.run(() -> picker.failPending(Status.UNAVAILABLE));
    assertThat(call.call().status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(patient.call().status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(picker.failure(call.attempt())).isEmpty();
  }
}
