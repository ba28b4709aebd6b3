package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallLimit;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallParent;
import dev.gannet.api.CallScope;
import dev.gannet.api.Metadata;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.TestCallContext;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits of calls by a key of the application's own: who is refused, and when a place is free. */
@ParameterizedClass
@EnumSource
final class CallLimitsTest {
  private static final Metadata.Key<String> TENANT = Metadata.Key.ascii("tenant");
  private static final CallContext.Key<String> USER = CallContext.Key.of("user");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final List<String> seen = new ArrayList<>();

  CallLimitsTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  private ServerBuilder builder() {
    return simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serverBuilder();
  }

  private ManagedChannel serving(CallLimit... limits) {
    ServerBuilder builder = builder();
    for (CallLimit limit : limits) {
      builder.limitCalls(limit);
    }
    Simulation.start(builder);
    return simulation.channel();
  }

  /** Lets all calls in, and notes when they enter and leave. */
  private Registration note(CallContext call) {
    seen.add("enter " + call.method().bareMethodName());
    return () -> seen.add("leave");
  }

  private static Registration refuse(CallContext call) {
    Metadata trailers = new Metadata();
    trailers.set(TENANT, call.requestHeaders().get(TENANT).orElse("nobody"));
    throw Status.RESOURCE_EXHAUSTED.withDescription("not so many").asException(trailers);
  }

  private MadeCall ask(ManagedChannel channel) {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    simulation.run();
    return call;
  }

  @Test
  void theStatusAndTheTrailersOfARefusalReachTheClient() {
    ManagedChannel channel = serving(CallLimitsTest::refuse);
    CallOptions options = CallOptions.DEFAULT.withHeader(TENANT, "acme");
    List<MadeCall> calls =
        List.of(
            MadeCall.whole(channel, Texts.UNARY, options, "question"),
            MadeCall.start(channel, Texts.BIDI, options));
    simulation.run();
    for (MadeCall call : calls) {
      assertThat(call.status()).hasToString("RESOURCE_EXHAUSTED: not so many");
      assertThat(call.heard().trailers().get(TENANT)).hasValue("acme");
    }
    assertThat(held.all()).isEmpty();
  }

  @Test
  void anAnsweredCallGivesItsPlaceBackOnce() {
    MadeCall call = ask(serving(this::note));
    assertThat(seen).containsExactly("enter Unary");
    held.only().answers("answer");
    held.only().ends();
    assertThat(seen).containsExactly("enter Unary", "leave");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aLimitHasNoCurrentCallWhereverTheCallIsMade() {
    ManagedChannel channel =
        serving(call -> {
          seen.add("in a call: " + CallContext.current().isPresent());
          return () -> {};
        });
    TestCallContext handler = CallContext.forTest().build();
    handler.run(() -> MadeCall.whole(channel, Texts.UNARY, "question"));
    handler.run(() -> MadeCall.start(channel, Texts.BIDI));
    simulation.run();
    assertThat(seen).containsExactly("in a call: false", "in a call: false");
  }

  @Test
  void aLimitIsOutsideOfTheScopeInWhichTheCallIsMade() {
    ManagedChannel channel =
        serving(call -> {
          seen.add("in a scope: " + CallParent.current().isPresent());
          return () -> {};
        });
    try (CallScope scope = CallScope.builder().open()) {
      scope.run(() -> MadeCall.whole(channel, Texts.UNARY, "question"));
      scope.run(() -> MadeCall.start(channel, Texts.BIDI));
      simulation.run();
    }
    assertThat(seen).containsExactly("in a scope: false", "in a scope: false");
  }

  @Test
  void aFailedCallGivesItsPlaceBackOnce() {
    MadeCall call = ask(serving(this::note));
    held.only().ends(Status.NOT_FOUND);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aCancelledCallGivesItsPlaceBackOnce() {
    MadeCall call = MadeCall.start(serving(this::note), Texts.BIDI);
    simulation.run();
    assertThat(seen).containsExactly("enter Bidi");
    call.call().cancel("bored");
    simulation.run();
    held.only().ends();
    simulation.run();
    assertThat(held.only().cancels()).isOne();
    assertThat(seen).containsExactly("enter Bidi", "leave");
  }

  @Test
  void aCallThatMissesItsDeadlineGivesItsPlaceBackOnce() {
    ManagedChannel channel = serving(this::note);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "question");
    simulation.run();
    assertThat(seen).containsExactly("enter Unary");
    simulation.advance(SECOND);
    held.only().ends();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aHandlerThatThrowsGivesItsPlaceBackOnce() {
    simulation.with(
        Texts.UNARY,
        (call, headers) -> {
          throw new IllegalStateException("its fault");
        });
    Simulation.start(simulation.serverBuilder().limitCalls(this::note));
    assertThat(ask(simulation.channel()).code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aCallThatALaterLimitRefusesGivesItsPlaceBackOnce() {
    MadeCall call = ask(serving(this::note, CallLimitsTest::refuse, this::note));
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aRefusedCallTakesNoPlaceOfItsMethod() {
    Simulation.start(
        builder()
            .methodLimits(Texts.SERVICE, it -> it.withMaxConcurrentCalls(1))
            .limitCalls(
                call -> call.requestHeaders().get(TENANT).isPresent() ? refuse(call) : note(call)));
    ManagedChannel channel = simulation.channel();
    CallOptions ofTenant = CallOptions.DEFAULT.withHeader(TENANT, "acme");
    MadeCall refused = MadeCall.whole(channel, Texts.UNARY, ofTenant, "question");
    simulation.run();
    assertThat(refused.words()).isEqualTo("not so many");
    ask(channel);
    assertThat(held.all()).hasSize(1);
    assertThat(ask(channel).words()).contains("limit of 1 concurrent calls");
    assertThat(seen).containsExactly("enter Unary", "enter Unary", "leave");
  }

  @Test
  void anExceptionOfAnotherKindEndsTheCallWithUnknown() {
    MadeCall call =
        ask(
            serving(
                this::note,
                it -> {
                  throw new IllegalStateException("secret");
                }));
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.words()).doesNotContain("secret");
    assertThat(held.all()).isEmpty();
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  @SuppressWarnings("NullAway") // its mistake
  void nullInPlaceOfAPlaceEndsTheCallWithUnknown() {
    assertThat(ask(serving(call -> null)).code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aStatusOkRefusesTheCallAllTheSame() {
    MadeCall call =
        ask(
            serving(it -> {
              throw Status.OK.asException();
            }));
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aPlaceThatCannotBeGivenBackDoesNotHarmItsCall() {
    MadeCall call =
        ask(
            serving(
                it ->
                    () -> {
                      throw new IllegalStateException("its fault");
                    },
                this::note));
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen).containsExactly("enter Unary", "leave");
  }

  @Test
  void aLimitFindsTheValuesOfHeadersInterceptorsAndSeesNoCallThatTheyRefuse() {
    Simulation.start(
        builder()
            .interceptHeaders((call, headers) ->
                call.setValue(
                    USER,
                    headers.get(TENANT).orElseThrow(() -> Status.UNAUTHENTICATED.asException())))
            .limitCalls(call -> {
              seen.add(call.value(USER).orElse("nobody"));
              return () -> {};
            }));
    ManagedChannel channel = simulation.channel();
    assertThat(ask(channel).code()).isEqualTo(Status.Code.UNAUTHENTICATED);
    MadeCall.whole(
        channel, Texts.UNARY, CallOptions.DEFAULT.withHeader(TENANT, "acme"), "question");
    simulation.run();
    assertThat(seen).containsExactly("acme");
  }

  @Test
  void aTenantAtItsLimitLeavesThePlacesOfOthersAlone() {
    List<String> inside = new ArrayList<>();
    ManagedChannel channel =
        serving(call -> {
          String tenant = call.requestHeaders().get(TENANT).orElseThrow();
          if (inside.contains(tenant)) {
            return refuse(call);
          }
          inside.add(tenant);
          return () -> inside.remove(tenant);
        });
    List<MadeCall> calls = new ArrayList<>();
    for (String tenant : List.of("acme", "acme", "other")) {
      CallOptions options = CallOptions.DEFAULT.withHeader(TENANT, tenant);
      calls.add(MadeCall.whole(channel, Texts.UNARY, options, "question"));
      simulation.run();
    }
    assertThat(held.all()).hasSize(2);
    assertThat(calls.get(1).code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    held.all().forEach(HeldCall::ends);
    assertThat(inside).isEmpty();
  }
}
