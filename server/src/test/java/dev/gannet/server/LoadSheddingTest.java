package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.Deadline;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which calls a server refuses under load, and what they are told. */
final class LoadSheddingTest {

  /** What is admitted as long as nothing has been learnt. */
  private static final int AT_FIRST = 5;

  private final SimulatedLoop loop = new SimulatedLoop();
  private final List<ServerCall<String, String>> begun = new ArrayList<>();
  private long nowNanos;

  /** A call of a client's. */
  private final class Call {
    final FakeServerStream stream = new FakeServerStream();
    final ServerCallEventListener events;

    Call(CallIntake intake, Optional<Deadline> deadline) {
      this(intake, "/pkg.Service/Method", deadline);
    }

    @SuppressWarnings("unchecked") // its messages are texts
    Call(CallIntake intake, String path, Optional<Deadline> deadline) {
      stream.deadline = deadline;
      events = ((ServerMethod<String, String>) intake.find(path).orElseThrow()).begin(stream);
      assertThat(events.onBegun()).isEqualTo(CallAdmission.ADMITTED);
      flush();
    }

    Call asks() {
      events.add(CallEvent.Message.parsed("request", 7));
      events.add(new CallEvent.HalfClosed());
      return flush();
    }

    Call isCutOff() {
      events.add(CallEvent.Closed.atOnce(Status.CANCELLED));
      return flush();
    }

    private Call flush() {
      events.flush();
      loop.runUntilIdle();
      return this;
    }
  }

  private CallIntake intake(MethodType type, LoadShedding shedding) {
    return intake(method(TestCalls.method(type)), shedding);
  }

  private ServerMethodDefinition<String, String> method(MethodDescriptor<String, String> method) {
    return ServerMethodDefinition.of(
        method,
        (call, headers) -> {
          begun.add(call);
          return new ServerCall.Listener<>() {};
        });
  }

  private CallIntake intake(ServerMethodDefinition<String, String> served, LoadShedding shedding) {
    String service = served.method().serviceName();
    return new CallIntake(
        ServerSettings.Services.of(
                List.of(ServerServiceDefinition.of(service, List.of(served))), Dispatch.on(loop))
            .with(shedding),
        ServerSettings.Interception.NONE,
        ServerSettings.Formats.DEFAULT,
        () -> nowNanos);
  }

  private CallIntake unary() {
    return intake(MethodType.UNARY, LoadShedding.adaptive());
  }

  private Call comes(CallIntake intake) {
    return new Call(intake, Optional.empty());
  }

  private static LoadShedding.Snapshot counted(CallIntake intake) {
    return intake.shedding().orElseThrow();
  }

  private void answer(int call) {
    begun.get(call).close(Status.UNAVAILABLE, new Metadata());
  }

  /** Calls that take so long each, one after the other, until that is learnt. */
  private void learn(CallIntake intake, long millis) {
    for (int i = 0; i < 20; i++) {
      comes(intake).asks();
      nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
      answer(begun.size() - 1);
    }
    begun.clear();
  }

  @Test
  void aMethodIsDescribedByTheSameObjectAtEachCall() {
    ServerMethod<?, ?> method = unary().find("/pkg.Service/Method").orElseThrow();
    assertThat(method.described()).isSameAs(method.described());
  }

  @Test
  void aCallAboveTheLimitIsRefusedWithPushback() {
    CallIntake intake = unary();
    for (int i = 0; i < AT_FIRST; i++) {
      comes(intake).asks();
    }
    assertThat(comes(intake).asks().stream.told)
        .containsExactly(
            "fail RESOURCE_EXHAUSTED: load shedding refused the call: the server is at its limit of 5"
                + " unary calls"
                + " Metadata(grpc-retry-pushback-ms=100)");
    assertThat(begun).hasSize(AT_FIRST);
    assertThat(counted(intake))
        .isEqualTo(
            new LoadShedding.Snapshot(
                new LoadShedding.Snapshot.Counts(AT_FIRST, AT_FIRST, 1, 0, 0)));
  }

  @Test
  void aRequestIsAdmittedWithItsLastMessage() {
    CallIntake intake = unary();
    Call call = comes(intake);
    call.events.add(CallEvent.Message.handed("request", CallEvent.Following.HALF_CLOSE));
    call.flush();
    assertThat(begun).hasSize(1);
    assertThat(counted(intake).callsUnderWay()).isOne();
  }

  @Test
  void callsOfMethodsThatSayThatTheyAreExemptAreNeitherCountedNorRefused() {
    CallIntake intake =
        intake(
            method(TestCalls.method(MethodType.UNARY)).withoutLoadShedding(),
            LoadShedding.adaptive());
    for (int i = 0; i < 10 * AT_FIRST; i++) {
      comes(intake).asks();
    }
    assertThat(begun).hasSize(10 * AT_FIRST);
    assertThat(counted(intake).callsUnderWay()).isZero();
  }

  @Test
  void streamsOfMethodsThatSayThatTheyAreExemptAreNeitherCountedNorRefused() {
    CallIntake intake =
        intake(
            method(TestCalls.method(MethodType.SERVER_STREAMING)).withoutLoadShedding(),
            LoadShedding.adaptive().withMaxStreams(1));
    for (int i = 0; i < 3; i++) {
      comes(intake).asks();
    }
    assertThat(begun).hasSize(3);
    assertThat(counted(intake).streamsUnderWay()).isZero();
  }

  @Test
  void callsOfExemptServicesAreNeitherCountedNorRefused() {
    LoadShedding shedding = LoadShedding.adaptive().withExempt("pkg.Operators", "pkg.Service");
    CallIntake intake = intake(MethodType.UNARY, shedding);
    for (int i = 0; i < 10 * AT_FIRST; i++) {
      comes(intake).asks();
    }
    assertThat(begun).hasSize(10 * AT_FIRST);
    assertThat(counted(intake).callsUnderWay()).isZero();
  }

  @Test
  void otherServicesHaveTheirLimitAllTheSame() {
    CallIntake intake =
        intake(MethodType.UNARY, LoadShedding.adaptive().withExempt("pkg.Operators"));
    for (int i = 0; i < 10 * AT_FIRST; i++) {
      comes(intake).asks();
    }
    assertThat(begun).hasSize(AT_FIRST);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "pkg.Service/Method", "/pkg.Service"})
  void anExemptServiceNeedsItsFullName(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoadShedding.adaptive().withExempt("pkg.Operators", name))
        .withMessage("withExempt takes full names of services (package.Service): \"" + name + "\"");
  }

  @Test
  void aRefusedCallNeverStarts() {
    CallIntake intake = unary();
    for (int i = 0; i < AT_FIRST; i++) {
      comes(intake).asks();
    }
    Call refused = comes(intake).asks().isCutOff();
    assertThat(begun).hasSize(AT_FIRST);
    assertThat(refused.stream.handlersEnded).isOne();
    assertThat(counted(intake).callsUnderWay()).isEqualTo(AT_FIRST);
  }

  @Test
  void anAnsweredCallFreesItsPlace() {
    CallIntake intake = unary();
    for (int i = 0; i < 3 * AT_FIRST; i++) {
      comes(intake).asks();
      answer(i);
      answer(i); // counts once
    }
    assertThat(counted(intake))
        .isEqualTo(
            new LoadShedding.Snapshot(new LoadShedding.Snapshot.Counts(AT_FIRST, 0, 0, 0, 0)));
  }

  @Test
  void aCancelledCallKeepsItsPlaceUntilItsHandlerReturns() {
    CallIntake intake = unary();
    Call call = comes(intake).asks();
    call.events.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    call.events.flush();
    assertThat(counted(intake).callsUnderWay()).isOne();
    loop.runUntilIdle();
    assertThat(counted(intake).callsUnderWay()).isZero();
  }

  @Test
  void aCallWithAnIncompleteRequestTakesNoPlace() {
    CallIntake intake = unary();
    Call call = comes(intake);
    assertThat(counted(intake).callsUnderWay()).isZero();
    call.isCutOff();
    assertThat(counted(intake).callsUnderWay()).isZero();
    assertThat(begun).isEmpty();
  }

  @Test
  void aCallWithTooLittleTimeLeftDoesNotStart() {
    CallIntake intake = unary();
    learn(intake, 50);
    Deadline soon = Deadline.after(Duration.ofMillis(24), () -> nowNanos);
    assertThat(new Call(intake, Optional.of(soon)).asks().stream.told)
        .containsExactly(
            "fail DEADLINE_EXCEEDED: load shedding refused the call: calls of this method take 50 ms,"
                + " but its deadline is in 24 ms");
    Deadline later = Deadline.after(Duration.ofMillis(26), () -> nowNanos);
    new Call(intake, Optional.of(later)).asks();
    assertThat(begun).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource(names = {"CLIENT_STREAMING", "SERVER_STREAMING", "BIDI_STREAMING"})
  void streamsAreCountedSeparatelyAndHaveAFixedLimit(MethodType type) {
    LoadShedding settings =
        LoadShedding.adaptive()
            .withMaxStreams(5)
            .withStatus(Status.Code.UNAVAILABLE)
            .withPushback(Duration.ofSeconds(2));
    CallIntake intake = intake(type, settings);
    for (int i = 0; i < 5; i++) {
      comes(intake).asks();
    }
    assertThat(begun).hasSize(5);
    assertThat(comes(intake).asks().stream.told)
        .containsExactly(
            "fail UNAVAILABLE: load shedding refused the call: the server is at its limit of 5"
                + " streaming calls"
                + " Metadata(grpc-retry-pushback-ms=2000)");
    assertThat(counted(intake))
        .isEqualTo(
            new LoadShedding.Snapshot(new LoadShedding.Snapshot.Counts(AT_FIRST, 0, 0, 5, 1)));
    answer(0);
    comes(intake).asks();
    assertThat(begun).hasSize(6);
  }

  @Test
  void theLimitIsNeverAboveTheMaximum() {
    CallIntake intake =
        intake(MethodType.UNARY, LoadShedding.adaptive().withInitialLimit(1).withMaxLimit(1));
    assertThat(counted(intake).limit()).isEqualTo(1);
    comes(intake).asks();
    comes(intake).asks();
    assertThat(begun).hasSize(1);
  }

  @Test
  void methodsOfRegistriesMayBeExemptToo() {
    LoadShedder shedder = new LoadShedder(LoadShedding.adaptive(), () -> 0);
    ServerMethodDefinition<String, String> method = method(TestCalls.method(MethodType.UNARY));
    assertThat(shedder.admissionOfLater(method)).isPresent();
    assertThat(shedder.admissionOfLater(method.withoutLoadShedding())).isEmpty();
  }

  @Test
  void afterLearningTheInitialLimitIsCappedByTheMaximum() {
    CallIntake intake =
        intake(MethodType.UNARY, LoadShedding.adaptive().withInitialLimit(500).withMaxLimit(70));
    learn(intake, 10);
    assertThat(counted(intake).limit()).isEqualTo(70);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void limitsMustBePositive(int limit) {
    LoadShedding settings = LoadShedding.adaptive();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> settings.withInitialLimit(limit))
        .withMessage("initialLimit must be positive: " + limit);
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withMaxLimit(limit));
    assertThatIllegalArgumentException().isThrownBy(() -> settings.withMaxStreams(limit));
  }

  @Test
  void theStatusMustSayThatTheServerIsBusy() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoadShedding.adaptive().withStatus(Status.Code.OK))
        .withMessage("the status of refused calls must be RESOURCE_EXHAUSTED or UNAVAILABLE: OK");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoadShedding.adaptive().withPushback(Duration.ofMillis(-1)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LoadShedding.adaptive().withPushback(Duration.ofDays(2)));
  }

  @Test
  void aMethodThatWasSlowOnceIsNotRefusedForGood() {
    CallIntake intake = unary();
    comes(intake).asks(); // a first call without a deadline, on a cold server
    nowNanos += TimeUnit.SECONDS.toNanos(3);
    answer(0);
    begun.clear();
    int seconds = 5;
    for (int i = 0; i < 10 * seconds; i++) {
      Deadline deadline = Deadline.after(Duration.ofSeconds(1), () -> nowNanos);
      int before = begun.size();
      new Call(intake, Optional.of(deadline)).asks();
      nowNanos += TimeUnit.MILLISECONDS.toNanos(100);
      if (begun.size() > before) {
        answer(begun.size() - 1);
      }
    }
    assertThat(begun).hasSizeGreaterThan(7 * seconds);
  }

  /** So many calls at once that take 50 ms each, again and again for 10 s; how many are refused. */
  private long refusedOf(CallIntake intake, int calls) {
    long before = counted(intake).callsRefused();
    for (int i = 0; i < 200; i++) {
      begun.clear();
      for (int k = 0; k < calls; k++) {
        comes(intake).asks();
      }
      nowNanos += TimeUnit.MILLISECONDS.toNanos(50);
      begun.forEach(it -> it.close(Status.OK, new Metadata()));
    }
    begun.clear();
    return counted(intake).callsRefused() - before;
  }

  private Optional<Deadline> inMillis(long millis) {
    return Optional.of(Deadline.after(Duration.ofMillis(millis), () -> nowNanos));
  }

  /** A call that seems to be too late starts now and then, and here its deadline ends it. */
  @Test
  void aCallThatItsDeadlineHasCutOffDoesNotCountAsFast() {
    CallIntake intake = unary();
    learn(intake, 50);
    List<Call> late = new ArrayList<>();
    int started = 0;
    for (int i = 0; i < 1_000; i++) { // 10 s
      late.forEach(Call::isCutOff);
      late.clear();
      int before = begun.size();
      Call call = new Call(intake, inMillis(10)).asks();
      if (begun.size() > before) {
        started++;
        late.add(call);
      }
      nowNanos += TimeUnit.MILLISECONDS.toNanos(10);
    }
    assertThat(started).isBetween(5, 20);
  }

  @Test
  void aCallThatItsDeadlineHasCutOffCostsOthersNothing() {
    CallIntake intake = unary();
    for (int i = 0; i < 6; i++) {
      refusedOf(intake, 100);
    }
    assertThat(refusedOf(intake, 100)).isZero();
    nowNanos += TimeUnit.MILLISECONDS.toNanos(1_100);
    Call late = new Call(intake, inMillis(1)).asks();
    assertThat(begun).hasSize(1);
    nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
    late.isCutOff();
    assertThat(refusedOf(intake, 100)).isZero();
  }

  @Test
  void aProbeThatIsAnsweredAtOnceHalvesTheLatencyAtMost() {
    CallIntake intake = unary();
    learn(intake, 1_000);
    nowNanos += TimeUnit.SECONDS.toNanos(2);
    new Call(intake, inMillis(100)).asks();
    answer(0);
    begun.clear();
    assertThat(new Call(intake, inMillis(100)).asks().stream.told.getFirst())
        .contains("calls of this method take 500 ms");
  }

  /** Its handler may notice the deadline before the loop does. */
  @Test
  void aHandlerThatAnswersThatItsDeadlineHasPassedDoesNotCountAsFast() {
    CallIntake intake = unary();
    learn(intake, 50);
    nowNanos += TimeUnit.SECONDS.toNanos(2);
    new Call(intake, inMillis(10)).asks();
    nowNanos += TimeUnit.MILLISECONDS.toNanos(10);
    begun.getFirst().close(Status.DEADLINE_EXCEEDED, new Metadata());
    begun.clear();
    new Call(intake, inMillis(10)).asks();
    assertThat(begun).isEmpty();
  }
}
