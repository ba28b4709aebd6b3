package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import dev.gannet.transport.settings.CallBounds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A method has so many calls in its handler at once; the others are refused. */
final class ConcurrentCallsTest {
  private static final String NAME = "pkg.Service/Method";
  private static final String REFUSED =
      "fail RESOURCE_EXHAUSTED: pkg.Service/Method is at its limit of 2 concurrent calls"
          + " (maxConcurrentCalls of the server's methodLimits)";

  private final List<ServerCall<String, String>> begun = new ArrayList<>();
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  private static CallIntake intake(
      MethodType type,
      Dispatch dispatch,
      Optional<LoadShedding> shedding,
      ServerCallHandler<String, String> handler) {
    List<ServerMethodDefinition<?, ?>> served = List.of(TestCalls.served(type, handler));
    MethodLimits limits = MethodLimits.OF_SERVER.withMaxConcurrentCalls(2);
    return new CallIntake(
        new ServerSettings.Services(
            List.of(ServerServiceDefinition.of("pkg.Service", served)),
            HandlerRegistries.NONE,
            dispatch,
            CallBounds.DEFAULT,
            new LimitsByMethod(Map.of(NAME, limits)),
            shedding),
        ServerSettings.Interception.NONE,
        ServerSettings.Formats.DEFAULT,
        () -> 0);
  }

  private ServerCall.Listener<String> hold(ServerCall<String, String> call, Metadata headers) {
    begun.add(call);
    return new ServerCall.Listener<>() {};
  }

  private CallIntake queued(MethodType type) {
    return intake(type, Dispatch.on(tasks::add), Optional.empty(), this::hold);
  }

  private void runTasks() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  /** A whole call of a client's. */
  private static final class Call {
    final FakeServerStream stream = new FakeServerStream();
    final ServerCallEventListener events;

    @SuppressWarnings("unchecked") // its messages are texts
    Call(CallIntake intake) {
      stream.onLoop = true;
      events = ((ServerMethod<String, String>) intake.find("/" + NAME).orElseThrow()).begin(stream);
      events.add(CallEvent.Message.parsed("request", 7));
      events.add(new CallEvent.HalfClosed());
      events.flush();
    }

    Call isReset() {
      events.add(CallEvent.Closed.atOnce(Status.CANCELLED));
      events.flush();
      return this;
    }

    boolean isRefused() {
      return stream.told.contains(REFUSED);
    }
  }

  @ParameterizedTest
  @EnumSource(MethodType.class)
  void aCallAboveTheLimitIsRefusedUntilAHandlerHasAnswered(MethodType type) {
    CallIntake intake = queued(type);
    List<Call> first = List.of(new Call(intake), new Call(intake));
    runTasks();
    assertThat(first).noneMatch(Call::isRefused);
    assertThat(new Call(intake).stream.told).containsExactly(REFUSED);
    begun.getFirst().close(Status.UNAVAILABLE, new Metadata());
    assertThat(new Call(intake).isRefused()).isFalse();
    assertThat(new Call(intake).isRefused()).isTrue();
    runTasks();
    assertThat(begun).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource(MethodType.class)
  void resetsFreeNoPlaceBeforeTheirHandlersHaveReturned(MethodType type) {
    List<Call> within = new ArrayList<>();
    List<Call> calls = new ArrayList<>();
    List<CallIntake> own = new ArrayList<>();
    CallIntake intake =
        intake(
            type,
            Dispatch.on(tasks::add),
            Optional.empty(),
            (call, headers) -> {
              calls.get(begun.size()).isReset();
              within.add(new Call(own.getFirst()));
              return hold(call, headers);
            });
    own.add(intake);
    calls.add(new Call(intake));
    calls.add(new Call(intake));
    runTasks();
    assertThat(within.getFirst().isRefused()).isTrue();
    assertThat(within.getLast().isRefused()).isFalse(); // the first handler has returned
  }

  @Test
  void aCallThatIsCancelledBeforeItsHandlerStartsFreesItsPlaceOnceThatIsKnown() {
    CallIntake intake = queued(MethodType.UNARY);
    new Call(intake).isReset();
    new Call(intake).isReset();
    assertThat(new Call(intake).isReset().isRefused()).isTrue();
    runTasks();
    assertThat(begun).isEmpty();
    assertThat(new Call(intake).isRefused()).isFalse();
  }

  @Test
  void aHandlerThatThrowsFreesItsPlace() {
    CallIntake intake =
        intake(
            MethodType.UNARY,
            Dispatch.inline(),
            Optional.empty(),
            (call, headers) -> {
              throw Status.NOT_FOUND.asException();
            });
    for (int i = 0; i < 5; i++) {
      assertThat(new Call(intake).stream.told).singleElement().asString().contains("NOT_FOUND");
    }
  }

  @Test
  void aCallThatTheExecutorRejectsFreesItsPlace() {
    CallIntake intake =
        intake(
            MethodType.UNARY,
            Dispatch.on(task -> {
              throw new RejectedExecutionException("full");
            }),
            Optional.empty(),
            this::hold);
    for (int i = 0; i < 5; i++) {
      assertThat(new Call(intake).stream.told)
          .singleElement()
          .asString()
          .contains("its executor rejected it");
    }
  }

  @Test
  void onVirtualThreadsAResetFreesNoPlaceEither() throws InterruptedException {
    Semaphore started = new Semaphore(0);
    Semaphore mayReturn = new Semaphore(0);
    CallIntake intake =
        intake(
            MethodType.BIDI_STREAMING,
            Dispatch.virtualThreads(),
            Optional.empty(),
            (call, headers) -> {
              started.release();
              mayReturn.acquireUninterruptibly();
              return new ServerCall.Listener<>() {};
            });
    List<Call> calls = List.of(new Call(intake), new Call(intake));
    started.acquire(2);
    calls.forEach(Call::isReset);
    assertThat(new Call(intake).isRefused()).isTrue();
    mayReturn.release(2);
  }

  @Test
  void aCallThatIsRefusedTakesNoPlaceOfLoadShedding() {
    CallIntake intake =
        intake(
            MethodType.BIDI_STREAMING,
            Dispatch.inline(),
            Optional.of(LoadShedding.adaptive().withMaxStreams(2)),
            this::hold);
    new Call(intake);
    new Call(intake);
    assertThat(new Call(intake).isRefused()).isTrue();
    assertThat(intake.shedding().orElseThrow().streamsUnderWay()).isEqualTo(2);
    assertThat(intake.shedding().orElseThrow().streamsRefused()).isZero();
  }

  @Test
  void aCallThatLoadSheddingRefusesGivesItsPlaceBack() {
    CallIntake intake =
        intake(
            MethodType.BIDI_STREAMING,
            Dispatch.inline(),
            Optional.of(LoadShedding.adaptive().withMaxStreams(1)),
            this::hold);
    new Call(intake);
    for (int i = 0; i < 3; i++) {
      assertThat(new Call(intake).stream.told).singleElement().asString().contains("load shedding");
    }
    assertThat(intake.shedding().orElseThrow().streamsUnderWay()).isOne();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void theLimitIsPositive(int calls) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MethodLimits.OF_SERVER.withMaxConcurrentCalls(calls))
        .withMessage("maxConcurrentCalls must be positive: " + calls);
  }
}
