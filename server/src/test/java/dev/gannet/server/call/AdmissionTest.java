package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ServerStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call goes to its handler only if the streams around it admit it. */
final class AdmissionTest {
  private static final CallAdmission REFUSED =
      new CallAdmission.Refused(Status.UNAVAILABLE.withDescription("full"), new Metadata());

  private final SimulatedLoop loop = new SimulatedLoop();
  private final FakeServerStream stream = new FakeServerStream();
  private final List<String> seen = new ArrayList<>();

  private static final class Gate extends ForwardingServerStream<String> {
    private final CallAdmission admission;
    private final List<String> seen;

    Gate(ServerStream<String> stream, CallAdmission admission, List<String> seen) {
      super(stream);
      this.admission = admission;
      this.seen = seen;
    }

    @Override
    public CallAdmission admit() {
      if (super.admit() instanceof CallAdmission.Refused refused) {
        return refused;
      }
      seen.add("asked");
      return admission;
    }

    @Override
    public void cutOff() {
      seen.add("cut off");
      super.cutOff();
    }
  }

  private IncomingCall<String, String> call(MethodType type, CallAdmission admission) {
    return call(type, new Gate(stream, admission, seen));
  }

  private IncomingCall<String, String> call(MethodType type, Gate gate) {
    IncomingCall<String, String> call =
        TestCalls.incoming(
            TestCalls.served(
                type,
                (begun, headers) -> {
                  seen.add("started");
                  return new ServerCall.Listener<>() {};
                }),
            gate,
            new OnExecutor(loop));
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
  void allStreamsAroundACallAreAskedFromTheInside() {
    Gate inner = new Gate(stream, CallAdmission.ADMITTED, seen);
    Gate outer = new Gate(new ForwardingServerStream<>(inner) {}, REFUSED, seen);
    IncomingCall<String, String> call = call(MethodType.UNARY, outer);
    ask(call);
    assertThat(seen).containsExactly("asked", "asked");
    assertThat(stream.told).containsExactly("fail UNAVAILABLE: full");
    call.add(CallEvent.Closed.atOnce(Status.UNAVAILABLE));
    assertThat(seen).containsExactly("asked", "asked", "cut off", "cut off");
  }

  @Test
  void aRefusalOfAnInnerStreamIsFinal() {
    Gate inner = new Gate(stream, REFUSED, seen);
    ask(call(MethodType.UNARY, new Gate(inner, CallAdmission.ADMITTED, seen)));
    assertThat(seen).containsExactly("asked");
    assertThat(stream.told).containsExactly("fail UNAVAILABLE: full");
  }
}
