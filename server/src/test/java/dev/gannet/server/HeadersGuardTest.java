package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Interceptors of headers are asked when a call begins, and their refusal is passed on. */
final class HeadersGuardTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");
  private static final Status NOT_YOU = Status.PERMISSION_DENIED.withDescription("not you");
  private static final Metadata.Key<String> SEEN = Metadata.Key.ascii("seen");
  private static final String UNKNOWN =
      "UNKNOWN: a handler or interceptor threw an exception; the server's log has it";

  private final List<String> asked = new ArrayList<>();
  private final CompletableFuture<Void> check = new CompletableFuture<>();

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  private static CallAdmission begin(HeadersInterceptor... interceptors) {
    return beginAsync(
        Stream.of(interceptors)
            .map(AsyncHeadersInterceptor::of)
            .toArray(AsyncHeadersInterceptor[]::new));
  }

  private static CallAdmission beginAsync(AsyncHeadersInterceptor... interceptors) {
    return new HeadersGuard("pkg.Service/Method", List.of(interceptors))
        .admit(CallContext.forTest().build());
  }

  private CompletionStage<Void> check(CallContext call, Metadata headers) {
    asked.add("check");
    return check;
  }

  private static CompletableFuture<Void> done() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    done.complete(null);
    return done;
  }

  private static CallAdmission.Pending pending(CallAdmission admission) {
    if (admission instanceof CallAdmission.Pending pending) {
      return pending;
    }
    throw new AssertionError("the call is not held");
  }

  /** What becomes of a call whose check has ended, with this failure or without one. */
  private static CallAdmission after(CallAdmission held, @Nullable Throwable failure) {
    return pending(held).next().apply(failure);
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
    assertThat(refusal(admission).withCause(null)).hasToString(UNKNOWN);
  }

  @Test
  void aRefusalWithStatusOkIsAnInternalError() {
    CallAdmission admission =
        begin((context, headers) -> {
          throw Status.OK.asException();
        });
    assertThat(refusal(admission))
        .hasToString("INTERNAL: a headers interceptor threw a StatusException with status OK");
  }

  @Test
  void aCheckThatHasSucceededHoldsNoCall() {
    assertThat(beginAsync((call, headers) -> done(), AsyncHeadersInterceptor.of(this::allow)))
        .isEqualTo(CallAdmission.ADMITTED);
    assertThat(asked).containsExactly("allowed");
  }

  @Test
  void aCheckThatTakesTimeHoldsTheCall() {
    CallAdmission held = beginAsync(this::check);
    assertThat(pending(held).check()).isSameAs(check);
    assertThat(after(held, null)).isEqualTo(CallAdmission.ADMITTED);
  }

  @Test
  void aStageThatCannotBeAskedHoldsTheCall() {
    CompletionStage<Void> stage = done().minimalCompletionStage();
    assertThat(after(beginAsync((call, headers) -> stage), null)).isEqualTo(CallAdmission.ADMITTED);
  }

  @Test
  void aCheckThatHasFailedAtOnceIsAskedInTurn() {
    check.completeExceptionally(NOT_YOU.asException());
    CallAdmission held = beginAsync(this::check, AsyncHeadersInterceptor.of(this::allow));
    assertThat(refusal(after(held, check.exceptionNow()))).hasToString(NOT_YOU.toString());
    assertThat(asked).containsExactly("check");
  }

  @Test
  void theNextInterceptorIsAskedWhenTheCheckHasCompleted() {
    CallAdmission held =
        beginAsync(
            AsyncHeadersInterceptor.of(this::allow),
            this::check,
            this::check,
            AsyncHeadersInterceptor.of(this::allow));
    assertThat(asked).containsExactly("allowed", "check");
    CallAdmission again = after(held, null);
    assertThat(asked).containsExactly("allowed", "check", "check");
    assertThat(after(again, null)).isEqualTo(CallAdmission.ADMITTED);
    assertThat(asked).containsExactly("allowed", "check", "check", "allowed");
  }

  @Test
  void anInterceptorAfterACheckMayRefuse() {
    CallAdmission held =
        beginAsync(this::check, AsyncHeadersInterceptor.of(HeadersGuardTest::refuse));
    assertThat(refusal(after(held, null))).hasToString("UNAUTHENTICATED: no token");
  }

  @Test
  void theTrailersOfARefusalArePassedOn() {
    Metadata trailers = new Metadata();
    trailers.set(SEEN, "yes");
    CallAdmission refused = after(beginAsync(this::check), NOT_YOU.asException(trailers));
    assertThat(refused)
        .isInstanceOfSatisfying(
            CallAdmission.Refused.class, it -> assertThat(it.trailers().get(SEEN)).hasValue("yes"));
  }

  @Test
  void theExceptionInsideThatOfADependentStageIsTheRefusal() {
    Throwable wrapped = new CompletionException(NOT_YOU.asException());
    assertThat(refusal(after(beginAsync(this::check), wrapped))).hasToString(NOT_YOU.toString());
  }

  @Test
  void anExceptionOfAStageWithoutACauseIsAFailure() {
    Throwable bare = new CompletionException("a secret", null);
    assertThat(refusal(after(beginAsync(this::check), bare)).withCause(null)).hasToString(UNKNOWN);
  }

  @Test
  void theCauseOfAnyOtherExceptionIsNotTheRefusal() {
    Throwable other = new IllegalStateException("a secret", NOT_YOU.asException());
    assertThat(refusal(after(beginAsync(this::check), other)).withCause(null)).hasToString(UNKNOWN);
  }

  @Test
  void theFailureOfAnotherCallIsNotTheRefusal() {
    StatusException theirs =
        StatusException.ofCall(
            TestCalls.method(MethodType.UNARY), NOT_YOU, new Metadata(), new Metadata());
    assertThat(refusal(after(beginAsync(this::check), theirs)).withCause(null))
        .hasToString(UNKNOWN);
  }

  @Test
  void anAsyncInterceptorMayRefuseAtOnce() {
    CallAdmission refused =
        beginAsync(
            (call, headers) -> {
              throw NOT_YOU.asException();
            },
            this::check);
    assertThat(refusal(refused)).hasToString(NOT_YOU.toString());
    assertThat(asked).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void nullInPlaceOfAStageRefusesTheCall() {
    Status status = refusal(beginAsync((call, headers) -> null));
    assertThat(status.withCause(null)).hasToString(UNKNOWN);
    assertThat(status.cause().orElseThrow())
        .hasMessage("an AsyncHeadersInterceptor returned null instead of a CompletionStage");
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
    ServerServiceDefinition guarded =
        service("pkg.Guarded").map(it -> it.withHeadersInterceptor(HeadersGuardTest::refuse));
    CallIntake intake =
        new CallIntake(
            ServerSettings.Services.of(List.of(guarded, service("pkg.Open")), Dispatch.inline()),
            ServerSettings.Interception.NONE,
            ServerSettings.Formats.DEFAULT,
            () -> 0);
    assertThat(refusal(begin(intake, "/pkg.Guarded/Method")))
        .hasToString("UNAUTHENTICATED: no token");
    assertThat(begin(intake, "/pkg.Open/Method")).isEqualTo(CallAdmission.ADMITTED);
  }
}
