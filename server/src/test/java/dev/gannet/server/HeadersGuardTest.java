package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Interceptors of headers are asked when a call begins, and their refusal is passed on. */
final class HeadersGuardTest {
  private final List<String> asked = new ArrayList<>();

  private static CallAdmission begin(HeadersInterceptor... interceptors) {
    return new HeadersGuard(
            "pkg.Service/Method", Stream.of(interceptors).map(HeadersInterceptors::atOnce).toList())
        .admit(CallContext.forTest().build());
  }

  private void allow(CallContext call, Object headers) {
    asked.add("allowed");
  }

  private static void refuse(CallContext call, Object headers) {
    throw Status.UNAUTHENTICATED.withDescription("no token").asException();
  }

  private static Status refusal(CallAdmission admission) {
    if (admission instanceof CallAdmission.Refused refused) {
      return refused.status();
    }
    throw new AssertionError("the call was admitted");
  }

  @Test
  void aCallThatAllInterceptorsAllowIsAdmitted() {
    assertThat(begin(this::allow, this::allow)).isEqualTo(CallAdmission.ADMITTED);
    assertThat(asked).containsExactly("allowed", "allowed");
  }

  @Test
  void afterARefusalNoOtherInterceptorIsAsked() {
    assertThat(refusal(begin(HeadersGuardTest::refuse, this::allow)))
        .hasToString("UNAUTHENTICATED: no token");
    assertThat(asked).isEmpty();
  }

  @Test
  void anInterceptorThatFailsRefusesWithUnknown() {
    CallAdmission admission =
        begin((context, headers) -> {
          throw new IllegalStateException("a secret");
        });
    assertThat(refusal(admission).withCause(null))
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

  @SuppressWarnings("unchecked") // its responses are texts
  private static CallAdmission begin(CallIntake intake, String path) {
    return ((ServerMethod<String, String>) intake.find(path).orElseThrow())
        .begin(new FakeServerStream())
        .onBegun();
  }

  @Test
  void aMethodOfAnotherServiceIsNotGuarded() {
    ServerServiceDefinition guarded = service("pkg.Guarded");
    ServerServiceDefinition open = service("pkg.Open");
    HeadersInterceptors.Builder interceptors = new HeadersInterceptors.Builder();
    interceptors.add(guarded, List.of(HeadersInterceptors.atOnce(HeadersGuardTest::refuse)));
    interceptors.add(open, List.of());
    CallIntake intake =
        new CallIntake(
            ServerSettings.Services.of(List.of(guarded, open), Dispatch.inline()),
            new ServerSettings.Interception(
                List.of(),
                interceptors.build(),
                List.of(),
                List.of(),
                List.of(),
                ServerSettings.Counting.OFF),
            ServerSettings.Formats.DEFAULT,
            () -> 0);
    assertThat(refusal(begin(intake, "/pkg.Guarded/Method")))
        .hasToString("UNAUTHENTICATED: no token");
    assertThat(begin(intake, "/pkg.Open/Method")).isEqualTo(CallAdmission.ADMITTED);
  }
}
