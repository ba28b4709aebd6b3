package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.ContextValue;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Interceptors of headers are asked once, before the first event, and a refused call ends. */
final class GuardedMethodTest {
  private final FakeServerStream stream = new FakeServerStream();
  private final List<String> heard = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();

  private final class Recorded implements EngineMethod<String, String>, EngineCall {
    private final CallContext context = CallContext.forTest().build();
    private final Optional<MethodDescriptor<?, ?>> described = Optional.of(descriptor());

    @Override
    public Optional<MethodDescriptor<?, ?>> described() {
      return described;
    }

    @Override
    public CallCounter counter() {
      return new CallCounter();
    }

    @Override
    public CallLimits limits() {
      return CallLimits.DEFAULT;
    }

    @Override
    public MethodDescriptor<String, String> descriptor() {
      return TestCalls.method(MethodType.UNARY);
    }

    @Override
    public EngineCall begin(ServerStream<String> stream) {
      return this;
    }

    @Override
    public void add(CallEvent event) {
      heard.add(event instanceof CallEvent.Closed closed ? closed.status().toString() : "event");
    }

    @Override
    public void addAnswered() {
      heard.add("answered");
    }

    @Override
    public void flush() {
      heard.add("flush");
    }

    @Override
    public boolean isMessageRequested() {
      return true;
    }

    @Override
    public CallContext context() {
      return context;
    }

    @Override
    public void setValues(ContextValue values) {
      heard.add("values");
    }
  }

  private CallEventListener begin(HeadersInterceptor... interceptors) {
    return new GuardedMethod<>(new Recorded(), List.of(interceptors)).begin(stream);
  }

  private void allow(CallContext call, Object headers) {
    asked.add("allowed");
  }

  private static void refuse(CallContext call, Object headers) {
    throw Status.UNAUTHENTICATED.withDescription("no token").asException();
  }

  @Test
  void aCallThatAllInterceptorsAllowContinuesAndIsCheckedOnce() {
    CallEventListener call = begin(this::allow, this::allow);
    call.add(CallEvent.Message.parsed("a", 1));
    call.add(new CallEvent.HalfClosed());
    call.flush();
    call.addAnswered();
    call.flush();
    assertThat(asked).containsExactly("allowed", "allowed");
    assertThat(heard).containsExactly("event", "event", "flush", "answered", "flush");
    assertThat(call.isMessageRequested()).isTrue();
    assertThat(stream.told).isEmpty();
  }

  @Test
  void theEndOfABatchWithoutEventsCausesTheCheck() {
    CallEventListener call = begin(this::allow);
    call.flush();
    assertThat(asked).containsExactly("allowed");
    assertThat(heard).containsExactly("flush");
  }

  @Test
  void aRefusedCallIsAnsweredOnceAndItsMessagesAreDropped() {
    CallEventListener call = begin(GuardedMethodTest::refuse, this::allow);
    call.add(CallEvent.Message.parsed("a", 7));
    call.add(new CallEvent.HalfClosed());
    call.flush();
    call.add(CallEvent.Message.parsed("b", 5));
    call.flush();
    assertThat(asked).isEmpty();
    assertThat(stream.told).containsExactly("fail UNAUTHENTICATED: no token");
    assertThat(stream.consumedBytes).isEqualTo(12);
    assertThat(heard).isEmpty();
    call.addAnswered();
    call.flush();
    assertThat(heard).containsExactly("answered", "flush");
  }

  @Test
  void aRefusedCallThatIsCancelledBeforeIsNotAnswered() {
    CallEventListener call = begin(GuardedMethodTest::refuse);
    call.add(CallEvent.Closed.atOnce(Status.CANCELLED));
    call.flush();
    assertThat(stream.told).isEmpty();
    assertThat(heard).containsExactly("CANCELLED", "flush");
  }

  @Test
  void anInterceptorThatFailsRefusesWithUnknown() {
    CallEventListener call =
        begin((context, headers) -> {
          throw new IllegalStateException("a secret");
        });
    call.flush();
    assertThat(stream.told)
        .containsExactly(
            "fail UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
  }

  @Test
  void everythingElseIsForwardedToTheMethod() {
    Recorded method = new Recorded();
    GuardedMethod<String, String> guarded = new GuardedMethod<>(method, List.of());
    assertThat(guarded.descriptor().fullMethodName()).isEqualTo("pkg.Service/Method");
    assertThat(guarded.described()).isSameAs(method.described);
    assertThat(guarded.limits()).isEqualTo(CallLimits.DEFAULT);
    assertThat(guarded.counter()).isNotNull();
    EngineCall call = guarded.begin(stream);
    assertThat(call.context()).isEqualTo(method.context);
    call.setValues(ContextValue.with(null, CallContext.Key.of("tenant"), "blue"));
    assertThat(heard).containsExactly("values");
  }
}
