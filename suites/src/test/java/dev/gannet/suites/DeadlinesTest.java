package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A call ends by its deadline, wherever it is, at either end. */
@ParameterizedClass
@EnumSource
final class DeadlinesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(1);

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();

  DeadlinesTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private ManagedChannel serving() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serve();
    return simulation.channel();
  }

  private ManagedChannel servingFor(Duration most) {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().maxCallDuration(most));
    return simulation.channel();
  }

  @Test
  void aServerMayLimitHowLongCallsLast() {
    ManagedChannel channel = servingFor(SECOND);
    MadeCall unary = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall streaming =
        MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND.multipliedBy(9)));
    simulation.run();
    assertThat(held.all())
        .allMatch(call -> call.call().context().deadline().orElseThrow().remainingNanos() > 0);
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(unary.isClosed()).isFalse();
    assertThat(streaming.isClosed()).isFalse();
    simulation.advance(MOMENT);
    for (MadeCall call : List.of(unary, streaming)) {
      assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(call.words()).isEqualTo("the server's maxCallDuration is exceeded");
    }
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
  }

  @Test
  void aCallThatLastsTooLongIsCountedAsDeadlineExceeded() {
    simulation.with(Texts.UNARY, held);
    Server server =
        Simulation.start(simulation.serverBuilder().maxCallDuration(SECOND).countCalls());
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(server.snapshot().methods().get(Texts.UNARY.fullMethodName()))
        .extracting(CallCounts::started, CallCounts::ended)
        .containsExactly(1L, Map.of(Status.Code.DEADLINE_EXCEEDED, 1L));
  }

  @Test
  void aMethodMayHaveALimitOfItsOwn() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxCallDuration(SECOND)
            .methodLimits(
                Texts.BIDI.fullMethodName(), it -> it.withMaxCallDuration(SECOND.multipliedBy(3))));
    ManagedChannel channel = simulation.channel();
    MadeCall unary = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    simulation.advance(SECOND);
    assertThat(unary.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    simulation.advance(SECOND.multipliedBy(2).minus(MOMENT));
    assertThat(streaming.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(streaming.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(streaming.words()).isEqualTo("the server's maxCallDuration is exceeded");
  }

  @Test
  void aMethodMayLastForEverWhereOthersMayNot() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxCallDuration(SECOND)
            .methodLimits(
                Texts.BIDI.serviceName(),
                it -> it.withMaxCallDuration(ChronoUnit.FOREVER.getDuration())));
    MadeCall call = MadeCall.start(simulation.channel(), Texts.BIDI);
    simulation.advance(SECOND.multipliedBy(9));
    assertThat(call.isClosed()).isFalse();
    assertThat(held.only().call().context().deadline()).isEmpty();
  }

  @Test
  void aCallWithoutDeadlineHasTheServersDefault() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxCallDuration(SECOND.multipliedBy(4))
            .defaultCallDuration(SECOND)
            .methodLimits(
                Texts.BIDI.fullMethodName(),
                it -> it.withDefaultCallDuration(SECOND.multipliedBy(2))));
    ManagedChannel channel = simulation.channel();
    MadeCall none = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    MadeCall own =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND.multipliedBy(3)), "");
    MadeCall long9 =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND.multipliedBy(9)), "");
    simulation.advance(SECOND);
    assertThat(none.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(none.words())
        .isEqualTo(
            "the server's defaultCallDuration is exceeded, and the client has set no deadline");
    assertThat(streaming.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(streaming.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(own.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(own.words()).startsWith("deadline exceeded after 3 s");
    assertThat(long9.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(long9.words()).isEqualTo("the server's maxCallDuration is exceeded");
  }

  @Test
  void anEarlierDeadlineOfTheClientHasPriorityOverTheServersLimit() {
    ManagedChannel channel = servingFor(SECOND.multipliedBy(9));
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).startsWith("deadline exceeded after 1 s, waiting for the response of");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void theStatusOfALateStreamFollowsUnreadMessages() {
    whereQueuedMessagesHaveTime();
    MadeCall call = unreadBeyondTheServersLimit();
    call.wants(9);
    simulation.run();
    assertThat(call.messages()).hasSize(1);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void anUnreadStreamEndsSecondsAfterTheServersLimit() {
    whereQueuedMessagesHaveTime();
    MadeCall call = unreadBeyondTheServersLimit();
    simulation.advance(SECOND.multipliedBy(10));
    call.wants(9);
    simulation.run();
    assertThat(call.messages()).isEmpty();
    assertThat(call.isClosed()).isTrue();
    assertThat(call.code())
        .isEqualTo(
            medium == Medium.IN_PROCESS
                ? Status.Code.DEADLINE_EXCEEDED
                : Status.Code.CANCELLED); // no status can follow half a message
  }

  @Test
  void anUnreadStreamDoesNotEndBeforeItsGraceIsOver() {
    whereQueuedMessagesHaveTime();
    MadeCall call = unreadBeyondTheServersLimit();
    simulation.advance(SECOND.multipliedBy(10).minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    call.wants(9);
    simulation.run();
    assertThat(call.messages()).hasSize(1);
    assertThat(call.words()).isEqualTo("the server's maxCallDuration is exceeded");
  }

  @Test
  void theClientsDeadlineEndsACallWhoseLateStatusIsUnread() {
    whereQueuedMessagesHaveTime();
    ManagedChannel channel = servingFor(SECOND);
    MadeCall call = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND.multipliedBy(3)));
    simulation.run();
    held.only().answers("unread");
    simulation.advance(SECOND.multipliedBy(3).minus(MOMENT));
    assertThat(held.only().cancels()).isOne();
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.messages()).isEmpty();
    assertThat(call.words()).contains("waiting for the application to read the response");
    assertThat(call.heard().closes()).isOne();
    simulation.advance(Duration.ofHours(1));
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void unsentMessagesAreDroppedSecondsAfterTheServersLimit() {
    whereQueuedMessagesHaveTime();
    ManagedChannel channel = servingFor(SECOND);
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    String message = Texts.ofLength((64 << 10) - 5); // 16 of them fill the stream's window
    for (int i = 0; i < 20; i++) {
      held.only().answers(message);
    }
    simulation.advance(SECOND);
    assertThat(held.only().cancels()).isOne();
    simulation.advance(SECOND.multipliedBy(10));
    call.wants(99);
    simulation.run();
    assertThat(call.messages())
        .hasSize(medium == Medium.IN_PROCESS ? 0 : 16); // in process there is no window to fill
    assertThat(call.words()).isEqualTo("the server's maxCallDuration is exceeded");
  }

  private MadeCall unreadBeyondTheServersLimit() {
    ManagedChannel channel = servingFor(SECOND);
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().answers(Texts.ofLength(3_000_000));
    simulation.advance(SECOND);
    assertThat(held.only().cancels()).isOne();
    return call;
  }

  @Test
  void aResponseSentInTimeMayBeReadAfterTheServersLimit() {
    ManagedChannel channel = servingFor(SECOND);
    MadeCall call = MadeCall.start(channel, Texts.UNARY).says("");
    call.call().halfClose();
    simulation.run();
    held.only().answers(Texts.ofLength(3_000_000));
    held.only().ends();
    simulation.advance(SECOND);
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).hasSize(1);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallWhoseDeadlineHasPassedDoesNotStart() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ZERO), "");
    MadeCall past = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND.negated()), "");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(past.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(simulation.network().connectAttempts()).isZero();
  }

  @Test
  void theDeadlineEndsACallThatWaitsForAConnection() {
    onHttp2Alone();
    ManagedChannel channel = serving();
    simulation.network().setReachability(Reachability.SILENT);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).contains("waiting for a connection");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aCallThatWaitsForAServerThatRefusesSaysSo() {
    onHttp2Alone();
    ManagedChannel channel = serving();
    simulation.network().setReachability(Reachability.REFUSED);
    CallOptions patient = simulation.within(SECOND).withWaitForReady(true);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, patient, "");
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).contains("waiting for a connection", "refused");
  }

  /** Where its connection is ready from the start, and where it first had to wait for one. */
  @Test
  void theDeadlineEndsACallWhoseRequestIsNeverSent() {
    ManagedChannel channel = serving();
    MadeCall early = MadeCall.start(channel, Texts.UNARY, simulation.within(SECOND));
    simulation.run();
    MadeCall late = MadeCall.start(channel, Texts.UNARY, simulation.within(SECOND));
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(early.isClosed()).isFalse();
    assertThat(late.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(early.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(late.words()).contains("before the request was sent");
    assertThat(late.heard().closes()).isOne();
    assertThat(held.all()).isEmpty();
  }

  @Test
  void theDeadlineEndsEachOfManyCallsWithoutARequest() {
    ManagedChannel channel = serving();
    MadeCall.whole(channel, Texts.UNARY, "connect");
    simulation.run();
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      calls.add(MadeCall.start(channel, Texts.UNARY, simulation.within(SECOND)));
    }
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(calls).noneMatch(MadeCall::isClosed);
    simulation.advance(MOMENT);
    assertThat(calls)
        .allMatch(call -> call.isClosed() && call.code() == Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aRequestThatIsSentLateMeetsTheSameDeadline() {
    ManagedChannel channel = serving();
    MadeCall.whole(channel, Texts.UNARY, "connect");
    simulation.run();
    MadeCall call = MadeCall.start(channel, Texts.UNARY, simulation.within(SECOND));
    simulation.advance(SECOND.minus(MOMENT));
    call.says("at last").halfCloses();
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly("at last");
    simulation.advance(MOMENT);
    assertThat(call.words()).contains("waiting for the response");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void theDeadlineEndsACallWhoseEndIsUnread() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND)).wants(1);
    simulation.run();
    held.only().answers("a", "b");
    held.only().ends();
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).contains("waiting for the application to read the response");
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aCallThatIsReadInTimeEndsWithTheServersStatus() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND));
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.advance(SECOND.minus(MOMENT));
    call.wants(1);
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.OK);
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void theDeadlineEndsACallThatWaitsForItsResponse() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    assertThat(held.only().cancels()).isZero();
    simulation.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).contains("waiting for the response");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aTimeoutCountsFromTheStartOfEachCallByTheNetworksClock() {
    ManagedChannel channel = serving();
    CallOptions options = CallOptions.DEFAULT.withDeadline(SECOND);
    simulation.advance(Duration.ofHours(1));
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, "");
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void theLastDeadlineThatIsGivenApplies() {
    ManagedChannel channel = serving();
    Duration longer = SECOND.multipliedBy(5);
    CallOptions counted = simulation.within(SECOND).withDeadline(longer);
    CallOptions fixed = simulation.within(longer);
    MadeCall one = MadeCall.whole(channel, Texts.UNARY, counted, "");
    MadeCall other =
        MadeCall.whole(
            channel,
            Texts.UNARY,
            CallOptions.DEFAULT.withDeadline(SECOND).withDeadline(fixed.deadline().orElseThrow()),
            "");
    MadeCall without = MadeCall.whole(channel, Texts.UNARY, fixed.withoutDeadline(), "");
    simulation.advance(longer.minus(MOMENT));
    assertThat(one.isClosed()).isFalse();
    assertThat(other.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertThat(one.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(other.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(without.isClosed()).isFalse();
  }

  @Test
  void theServerSeesTheRemainingTime() {
    ManagedChannel channel = serving();
    MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.run();
    long left = held.only().call().context().deadline().orElseThrow().remainingNanos();
    assertThat(left).isBetween(SECOND.minus(MOMENT).toNanos(), SECOND.toNanos());
  }

  @Test
  void withoutADeadlineACallMayLastForever() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.advance(Duration.ofDays(30));
    assertThat(call.isClosed()).isFalse();
    assertThat(held.only().call().context().deadline()).isEmpty();
    held.only().answers("at last");
    held.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theServerEndsTheCallByItselfIfTheClientIsSilent() {
    onHttp2Alone();
    ManagedChannel channel = serving();
    MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND));
    simulation.run();
    simulation.network().stall();
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(held.only().cancels()).isZero();
    simulation.advance(MOMENT);
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().call().isCancelled()).isTrue();
  }

  @Test
  void theClientEndsTheCallByItselfIfTheServerIsSilent() {
    onHttp2Alone();
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.run();
    simulation.network().stall();
    held.only().answers("not heard");
    held.only().ends();
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    simulation.network().resume();
    simulation.run();
    assertThat(call.heard().closes()).isOne();
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void deadlinesPassInTheirOrderNotInThatOfTheirCalls() {
    ManagedChannel channel = serving();
    MadeCall late = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND.multipliedBy(3)));
    MadeCall early = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND));
    MadeCall middle =
        MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND.multipliedBy(2)));
    simulation.advance(SECOND);
    assertThat(early.isClosed()).isTrue();
    assertThat(middle.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(middle.isClosed()).isTrue();
    assertThat(late.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.all()).hasSize(3).allMatch(call -> call.cancels() == 1);
  }

  @Test
  void aCallThatEndsInTimeIsNotEndedAgain() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "");
    simulation.run();
    held.only().answers("in time");
    held.only().ends();
    simulation.advance(Duration.ofHours(1));
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 500_000_000, -1, Long.MIN_VALUE})
  void deadlinesWorkWhenTheClockOverflows(long originNanos) {
    Simulation other =
        new Simulation(medium, new SimulatedLoop(originNanos)).with(Texts.UNARY, held);
    other.serve();
    MadeCall call = MadeCall.whole(other.channel(), Texts.UNARY, other.within(SECOND), "");
    other.advance(SECOND.minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    assertThat(held.only().cancels()).isZero();
    other.advance(MOMENT);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.only().cancels()).isOne();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE, 1L << 62, -(1L << 62)})
  void aDeadlineMayHaveItsOwnClock(long originNanos) {
    ManagedChannel channel = serving();
    long differenceNanos = originNanos - simulation.loop().nanoTime();
    LongSupplier clock = () -> simulation.loop().nanoTime() + differenceNanos;
    MadeCall[] calls = {
      MadeCall.whole(channel, Texts.UNARY, by(clock, SECOND), ""),
      MadeCall.start(channel, Texts.BIDI, by(clock, SECOND)),
    };
    simulation.advance(SECOND.minus(MOMENT));
    assertThat(calls).noneMatch(MadeCall::isClosed);
    simulation.advance(MOMENT);
    assertThat(calls)
        .allSatisfy(call -> assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED));
    assertThat(calls)
        .allSatisfy(call -> assertThat(call.words()).startsWith("deadline exceeded after 1 s"));
    assertThat(held.all()).allMatch(served -> served.cancels() == 1);
  }

  @Test
  void deadlinesOfSeveralClocksPassInTheirOrder() {
    ManagedChannel channel = serving();
    LongSupplier behind = () -> simulation.loop().nanoTime() - Duration.ofDays(1).toNanos();
    LongSupplier ahead = () -> simulation.loop().nanoTime() + Duration.ofDays(1).toNanos();
    MadeCall last = MadeCall.start(channel, Texts.BIDI, by(behind, SECOND.multipliedBy(3)));
    MadeCall second =
        MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND.multipliedBy(2)));
    MadeCall first = MadeCall.start(channel, Texts.BIDI, by(ahead, SECOND));
    simulation.advance(SECOND);
    assertThat(first.isClosed()).isTrue();
    assertThat(second.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(second.isClosed()).isTrue();
    assertThat(last.isClosed()).isFalse();
    simulation.advance(SECOND);
    assertThat(last.isClosed()).isTrue();
  }

  private static CallOptions by(LongSupplier clock, Duration after) {
    return CallOptions.DEFAULT.withDeadline(Deadline.after(after, clock));
  }

  @Test
  void aDeadlineThatPassesOnTheWayCancelsTheCallAtTheServer() {
    onHttp2Alone();
    Simulation slow =
        new Simulation(0, SimulatedWire.INSTANT.withLatency(Duration.ofMillis(400)))
            .with(Texts.BIDI, held);
    slow.serve();
    MadeCall call = MadeCall.start(slow.channel(), Texts.BIDI, slow.within(SECOND));
    slow.advance(Duration.ofSeconds(10));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.all()).allMatch(served -> served.cancels() == 1);
    assertThat(slow.network().openConnections()).isOne();
  }

  @Test
  void aCallThatArrivesWithoutTimeLeftReachesNoHandler() {
    assumeTrue(medium != Medium.IN_PROCESS); // where it arrives as it begins
    assumeTrue(medium != Medium.PLUGGED_IN); // where it waits for a resolver meanwhile
    ManagedChannel channel = serving();
    channel.state(true);
    simulation.run(); // so that the call is opened while it has time
    AtomicLong hurryNanos = new AtomicLong();
    Deadline hurrying =
        Deadline.after(SECOND, () -> simulation.loop().nanoTime() + hurryNanos.get());
    CallOptions options = CallOptions.DEFAULT.withDeadline(hurrying);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, options, "");
    hurryNanos.set(SECOND.multipliedBy(2).toNanos()); // so that grpc-timeout is 0 on the wire
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.words()).contains("deadline exceeded before the server read the request");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aRequestThatIsNeverCompletedReachesNoHandler() {
    ManagedChannel channel = serving();
    MethodDescriptor<String, String> streamed = Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY);
    MadeCall call = MadeCall.start(channel, streamed, simulation.within(SECOND)).says("no end");
    simulation.advance(SECOND);
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.all()).isEmpty();
  }

  /** A {@link DirectTransport} ends late calls at once. */
  private void whereQueuedMessagesHaveTime() {
    assumeTrue(medium != Medium.DIRECT);
  }

  /** For what a network does, or bytes have. */
  private void onHttp2Alone() {
    assumeTrue(medium == Medium.HTTP2);
  }
}
