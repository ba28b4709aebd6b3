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
import org.junit.jupiter.api.Test;

/** A call goes to its handler only if its observers admit it. */
final class AdmissionTest {
  private static final CallAdmission.Decided REFUSED =
      new CallAdmission.Refused(Status.UNAVAILABLE.withDescription("full"), new Metadata());

  private final SimulatedLoop loop = new SimulatedLoop();
  private final FakeServerStream stream = new FakeServerStream();
  private final List<String> seen = new ArrayList<>();

  private record Gate(CallAdmission.Decided admission, List<String> seen) implements CallObserver {
    @Override
    public CallAdmission.Decided admit(CallContext call) {
      seen.add("asked");
      return admission;
    }

    @Override
    public void onCutOff(Status.Code code) {
      seen.add("cut off");
    }
  }

  private Gate gate(CallAdmission.Decided admission) {
    return new Gate(admission, seen);
  }

  private IncomingCall<String, String> call(MethodType type, CallAdmission.Decided admission) {
    return call(type, List.of(gate(admission)));
  }

  private IncomingCall<String, String> call(MethodType type, List<CallObserver> observers) {
    IncomingCall<String, String> call =
        TestCalls.observed(
            TestCalls.served(
                type,
                (begun, headers) -> {
                  seen.add("started");
                  return new ServerCall.Listener<>() {};
                }),
            stream,
            new OnExecutor(loop),
            observers);
    flush(call);
    return call;
  }

  private void flush(IncomingCall<String, String> call) {
    call.flush();
    loop.runUntilIdle();
  }

  private void ask(IncomingCall<String, String> call) {
    call.add(CallEvent.Message.parsed("request", 7));
    call.add(new CallEvent.HalfClosed());
    flush(call);
  }

  @Test
  void aUnaryCallIsAdmittedOnceWithItsWholeRequest() {
    IncomingCall<String, String> call = call(MethodType.UNARY, CallAdmission.ADMITTED);
    assertThat(seen).isEmpty();
    ask(call);
    call.add(new CallEvent.Ready());
    flush(call);
    assertThat(seen).containsExactly("asked", "started");
  }

  @Test
  void aStreamIsAdmittedBeforeItsRequests() {
    call(MethodType.BIDI_STREAMING, CallAdmission.ADMITTED);
    assertThat(seen).containsExactly("asked", "started");
  }

  @Test
  void aRefusedCallIsAnsweredOnceAndNeverStarts() {
    IncomingCall<String, String> call = call(MethodType.UNARY, REFUSED);
    ask(call);
    call.add(new CallEvent.Ready());
    flush(call);
    call.add(CallEvent.Closed.atOnce(Status.UNAVAILABLE));
    flush(call);
    assertThat(seen).containsExactly("asked", "cut off");
    assertThat(stream.told).containsExactly("fail UNAVAILABLE: full");
    assertThat(stream.handlersEnded).isOne();
    assertThat(stream.consumedBytes).isEqualTo(7);
  }

  @Test
  void aCallThatIsCancelledBeforeIsNotAsked() {
    IncomingCall<String, String> call = call(MethodType.UNARY, CallAdmission.ADMITTED);
    call.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    flush(call);
    assertThat(seen).containsExactly("cut off");
    assertThat(stream.told).isEmpty();
    assertThat(stream.handlersEnded).isOne();
  }

  @Test
  void allObserversAreAskedInTheirOrder() {
    IncomingCall<String, String> call =
        call(MethodType.UNARY, List.of(gate(CallAdmission.ADMITTED), gate(REFUSED)));
    ask(call);
    assertThat(seen).containsExactly("asked", "asked");
    assertThat(stream.told).containsExactly("fail UNAVAILABLE: full");
    call.add(CallEvent.Closed.atOnce(Status.UNAVAILABLE));
    assertThat(seen).containsExactly("asked", "asked", "cut off", "cut off");
  }

  @Test
  void theFirstRefusalIsFinal() {
    ask(call(MethodType.UNARY, List.of(gate(REFUSED), gate(CallAdmission.ADMITTED))));
    assertThat(seen).containsExactly("asked");
    assertThat(stream.told).containsExactly("fail UNAVAILABLE: full");
  }
}
