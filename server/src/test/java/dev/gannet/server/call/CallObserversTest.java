package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the observers of a call are told, and in which order. */
final class CallObserversTest {
  private static final List<Logger> LOGS =
      List.of(
          Logger.getLogger(CallObservers.class.getName()),
          Logger.getLogger(CallAdmission.class.getName()),
          Logger.getLogger(HandlerFailure.class.getName()));

  private final SimulatedLoop loop = new SimulatedLoop();
  private final FakeServerStream stream = new FakeServerStream();
  private final List<String> told = new ArrayList<>();
  private final List<String> logged = new ArrayList<>();
  private final Handler log = new Log();
  private CallAdmission.Decided admission = CallAdmission.ADMITTED;
  private boolean rejecting;
  private @Nullable ServerCall<String, String> held;

  private final class Log extends Handler {
    @Override
    public void publish(LogRecord line) {
      logged.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    for (Logger logger : LOGS) {
      logger.setUseParentHandlers(false);
      logger.addHandler(log);
    }
  }

  @AfterEach
  void stopListening() {
    for (Logger logger : LOGS) {
      logger.removeHandler(log);
      logger.setUseParentHandlers(true);
    }
  }

  private final class Recorder implements CallObserver {
    @Override
    public void onBegun() {
      told.add("begun");
    }

    @Override
    public void onReceived(int wireBytes) {
      told.add("received " + wireBytes);
    }

    @Override
    public CallAdmission.Decided admit(CallContext call) {
      told.add("admit");
      return admission;
    }

    @Override
    public void onStarted() {
      told.add("started");
    }

    @Override
    public void onSent(int wireBytes) {
      told.add("sent " + wireBytes);
    }

    @Override
    public void onHandlerEnded(Status.Code code) {
      told.add("handler ended " + code);
    }

    @Override
    public void onAnswered(Status.Code code) {
      told.add("answered " + code);
    }

    @Override
    public void onCutOff(Status.Code code) {
      told.add("cut off " + code);
    }
  }

  /** Throws at each step. */
  private static final class Failing implements CallObserver {
    @Override
    public void onBegun() {
      throw new OutOfMemoryError("begun");
    }

    @Override
    public void onReceived(int wireBytes) {
      throw new OutOfMemoryError("received");
    }

    @Override
    public void onStarted() {
      throw new OutOfMemoryError("started");
    }

    @Override
    public void onSent(int wireBytes) {
      throw new OutOfMemoryError("sent");
    }

    @Override
    public void onHandlerEnded(Status.Code code) {
      throw new OutOfMemoryError("handler ended");
    }

    @Override
    public void onAnswered(Status.Code code) {
      throw new OutOfMemoryError("answered");
    }

    @Override
    public void onCutOff(Status.Code code) {
      throw new OutOfMemoryError("cut off");
    }
  }

  /** Throws when it is asked whether the handler may start. */
  private static final class FailingGate implements CallObserver {
    @Override
    public CallAdmission.Decided admit(CallContext call) {
      throw new OutOfMemoryError("admit");
    }
  }

  private record Silent() implements ServerCall.Listener<String> {}

  private record Interested() implements ServerCall.Listener<String> {
    @Override
    public void onComplete() {}
  }

  private void execute(Runnable task) {
    if (rejecting) {
      throw new RejectedExecutionException("shut down");
    }
    loop.execute(task);
  }

  private IncomingCall<String, String> call(
      ServerCall.Listener<String> listener, CallObserver... observers) {
    return TestCalls.observed(
        TestCalls.served(
            MethodType.UNARY,
            (call, headers) -> {
              held = call;
              return listener;
            }),
        stream,
        new OnExecutor(this::execute),
        List.of(observers));
  }

  private IncomingCall<String, String> asked(ServerCall.Listener<String> listener) {
    return asked(call(listener, new Recorder()));
  }

  private IncomingCall<String, String> asked(IncomingCall<String, String> call) {
    call.add(CallEvent.Message.parsed("request", 12));
    call.add(new CallEvent.HalfClosed());
    flush(call);
    return call;
  }

  private void flush(IncomingCall<String, String> call) {
    call.flush();
    loop.runUntilIdle();
  }

  private ServerCall<String, String> handlers() {
    if (held == null) {
      throw new AssertionError("the handler has not started");
    }
    return held;
  }

  private void answers() {
    handlers().sendMessage("yes");
    handlers().close(Status.OK, new Metadata());
  }

  private void isCutOff(IncomingCall<String, String> call) {
    call.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    flush(call);
  }

  @Test
  void anAnsweredCallTellsEachStepOnce() {
    IncomingCall<String, String> call = asked(new Silent());
    answers();
    call.addAnswered();
    flush(call);
    assertThat(told)
        .containsExactly(
            "begun", "received 7", "admit", "started", "sent 3", "handler ended OK", "answered OK");
  }

  @Test
  void theEndIsToldOnceWhoeverElseListensToIt() {
    IncomingCall<String, String> call = asked(new Interested());
    answers();
    call.addAnswered();
    flush(call);
    assertThat(told).endsWith("handler ended OK", "answered OK").hasSize(7);
  }

  @Test
  void anAnsweredFailureHasItsOwnCode() {
    IncomingCall<String, String> call = asked(new Silent());
    handlers().close(Status.NOT_FOUND, new Metadata());
    call.add(CallEvent.Closed.atOnce(Status.OK));
    flush(call);
    assertThat(told).endsWith("started", "handler ended NOT_FOUND", "answered NOT_FOUND");
  }

  @Test
  void theHandlerOfACallThatWasCutOffEndsWhenItReturns() {
    IncomingCall<String, String> call = asked(new Silent());
    isCutOff(call);
    assertThat(told).endsWith("started", "cut off CANCELLED", "handler ended CANCELLED");
    answers();
    assertThat(told).endsWith("cut off CANCELLED", "handler ended CANCELLED");
  }

  @Test
  void aRefusedCallEndsWithItsStatus() {
    admission = new CallAdmission.Refused(Status.UNAVAILABLE, new Metadata());
    IncomingCall<String, String> call = asked(new Silent());
    call.add(CallEvent.Closed.atOnce(Status.UNAVAILABLE));
    flush(call);
    assertThat(told)
        .endsWith("admit", "handler ended UNAVAILABLE", "cut off UNAVAILABLE")
        .hasSize(5);
    assertThat(stream.handlersEnded).isOne();
  }

  @Test
  void ofARejectedHandlerTheFirstAnswerCounts() {
    IncomingCall<String, String> call = asked(new Silent());
    rejecting = true;
    call.add(new CallEvent.Ready());
    flush(call);
    answers();
    call.add(CallEvent.Closed.atOnce(Status.OK));
    assertThat(told)
        .contains("handler ended RESOURCE_EXHAUSTED")
        .doesNotContain("handler ended OK")
        .endsWith("answered RESOURCE_EXHAUSTED");
  }

  @Test
  void aCallThatIsCancelledBeforeItsRequestNeverStarts() {
    IncomingCall<String, String> call = call(new Silent(), new Recorder());
    isCutOff(call);
    assertThat(told).containsExactly("begun", "cut off CANCELLED", "handler ended CANCELLED");
  }

  @Test
  void whatOneObserverThrowsHidesNothingFromTheCallAndTheOthers() {
    IncomingCall<String, String> call =
        asked(call(new Silent(), new Failing(), new Recorder(), new Failing()));
    answers();
    call.addAnswered();
    flush(call);
    assertThat(stream.told).containsExactly("yes", "close OK");
    assertThat(told).endsWith("sent 3", "handler ended OK", "answered OK").hasSize(7);
    assertThat(logged).hasSize(2 * 6).allMatch(it -> it.startsWith("an observer of a call"));
  }

  @Test
  void aCallIsCutOffForAllObservers() {
    isCutOff(asked(call(new Silent(), new Failing(), new Recorder())));
    assertThat(told).endsWith("started", "cut off CANCELLED", "handler ended CANCELLED");
  }

  @Test
  void aGuardThatFailsToDecideRefusesTheCall() {
    asked(call(new Silent(), new FailingGate(), new Recorder()));
    assertThat(stream.told).containsExactly("fail INTERNAL: the call cannot be started");
    assertThat(told).endsWith("received 7", "handler ended INTERNAL");
  }
}
