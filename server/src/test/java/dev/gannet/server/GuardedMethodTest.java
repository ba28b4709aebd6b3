package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.ContextValue;
import dev.gannet.server.call.EngineCall;
import dev.gannet.server.call.EngineMethod;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.ServedMethod;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import dev.gannet.transport.ServerStream;
import dev.gannet.transport.settings.CallLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Interceptors of headers are asked when a call begins, and their refusal is passed on. */
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
    public CallAdmission onBegun() {
      heard.add("begun");
      return CallAdmission.ADMITTED;
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

  private static CallAdmission.Refused refusal(CallEventListener call) {
    CallAdmission admission = call.onBegun();
    if (admission instanceof CallAdmission.Refused refused) {
      return refused;
    }
    throw new AssertionError("the call was admitted");
  }

  @Test
  void aCallThatAllInterceptorsAllowIsAdmitted() {
    CallEventListener call = begin(this::allow, this::allow);
    assertThat(call.onBegun()).isEqualTo(CallAdmission.ADMITTED);
    assertThat(asked).containsExactly("allowed", "allowed");
    assertThat(heard).containsExactly("begun");
    call.add(CallEvent.Message.parsed("a", 1));
    call.flush();
    call.addAnswered();
    call.flush();
    assertThat(heard).containsExactly("begun", "event", "flush", "answered", "flush");
    assertThat(call.isMessageRequested()).isTrue();
  }

  @Test
  void aCallThatAnInterceptorRefusesDoesNotBegin() {
    CallEventListener call = begin(GuardedMethodTest::refuse, this::allow);
    assertThat(refusal(call).status()).hasToString("UNAUTHENTICATED: no token");
    assertThat(asked).isEmpty();
    assertThat(heard).isEmpty();
    call.add(CallEvent.Closed.atOnce(Status.UNAUTHENTICATED));
    call.flush();
    assertThat(heard).containsExactly("UNAUTHENTICATED", "flush");
  }

  @Test
  void anInterceptorThatFailsRefusesWithUnknown() {
    CallEventListener call =
        begin((context, headers) -> {
          throw new IllegalStateException("a secret");
        });
    assertThat(refusal(call).status().withCause(null))
        .hasToString(
            "UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
  }

  private static ServerServiceDefinition service(String name) {
    return ServerServiceDefinition.of(
        name,
        List.of(
            ServerMethodDefinition.of(
                TestCalls.method(MethodType.UNARY, name + "/Method"),
                (call, headers) -> {
                  throw new AssertionError("no call begins");
                })));
  }

  @Test
  void aMethodOfAnotherServiceIsNotGuarded() {
    ServerServiceDefinition guarded = service("pkg.Guarded");
    ServerServiceDefinition open = service("pkg.Open");
    HeadersInterceptors.Builder interceptors = new HeadersInterceptors.Builder();
    interceptors.add(guarded, List.of(GuardedMethodTest::refuse));
    interceptors.add(open, List.of());
    CallIntake intake =
        new CallIntake(
            ServerSettings.Services.of(List.of(guarded, open), Dispatch.inline()),
            new ServerSettings.Interception(
                List.of(), interceptors.build(), List.of(), List.of(), ServerSettings.Counting.OFF),
            ServerSettings.Formats.DEFAULT,
            () -> 0);
    assertThat(intake.find("/pkg.Guarded/Method").orElseThrow()).isInstanceOf(GuardedMethod.class);
    assertThat(intake.find("/pkg.Open/Method").orElseThrow()).isInstanceOf(ServedMethod.class);
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
