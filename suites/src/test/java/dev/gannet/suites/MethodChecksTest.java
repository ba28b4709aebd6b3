package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.CallCounts;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A method has the interceptors of headers that it says itself, whatever is changed around it. */
@ParameterizedClass
@EnumSource
final class MethodChecksTest {
  private static final Status REFUSED = Status.PERMISSION_DENIED.withDescription("not you");

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final List<String> seen = new ArrayList<>();

  MethodChecksTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  private static void refuse(CallContext call, Metadata headers) {
    throw REFUSED.asException();
  }

  private HeadersInterceptor says(String word) {
    return (call, headers) -> seen.add(word);
  }

  /** A unary method that is changed, and a stream that is not. */
  private ServerServiceDefinition service(
      UnaryOperator<ServerMethodDefinition<String, String>> change) {
    return ServerServiceDefinition.of(
        Texts.SERVICE,
        List.of(
            change.apply(ServerMethodDefinition.of(Texts.UNARY, held)),
            ServerMethodDefinition.of(Texts.BIDI, held)));
  }

  private ServerServiceDefinition refusing() {
    return service(it -> it.withHeadersInterceptor(MethodChecksTest::refuse));
  }

  private ServerBuilder serving(ServerServiceDefinition service) {
    return simulation.serverBuilder().add(service);
  }

  private MadeCall calls() {
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "question");
    simulation.run();
    return call;
  }

  @Test
  void aMethodMayRefuseWhatItsNeighboursTake() {
    Server server = Simulation.start(serving(refusing()).countCalls());
    assertThat(calls().status()).hasToString(REFUSED.toString());
    assertThat(held.all()).isEmpty();
    assertThat(server.snapshot().methods())
        .extractingByKey(Texts.UNARY.fullMethodName())
        .extracting(CallCounts::ended)
        .isEqualTo(Map.of(Status.Code.PERMISSION_DENIED, 1L));

    MadeCall.whole(simulation.channel(), Texts.BIDI, "question");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("question");
  }

  @Test
  void thoseOfTheServerRunFirstThenThoseOfTheServiceThenThoseOfTheMethod() {
    ServerServiceDefinition service =
        service(it ->
            it.withHeadersInterceptor(says("method"))
                .withAsyncHeadersInterceptor(AsyncHeadersInterceptor.of(says("method's second"))));
    Simulation.start(
        simulation
            .serverBuilder()
            .add(service, it -> it.withHeadersInterceptor(says("service")))
            .interceptHeaders(says("server")));
    calls();
    assertThat(seen).containsExactly("server", "service", "method", "method's second");
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void aWholeServiceIsCheckedBeforeItsMethods() {
    ServerServiceDefinition service = service(it -> it.withHeadersInterceptor(says("method")));
    Simulation.start(
        serving(
            AsyncHeadersInterceptor.intercept(
                service,
                List.of(
                    AsyncHeadersInterceptor.of(says("first")),
                    AsyncHeadersInterceptor.of(says("second"))))));
    calls();
    assertThat(seen).containsExactly("first", "second", "method");
  }

  private void refusesStill(ServerServiceDefinition changed) {
    Simulation.start(serving(changed));
    assertThat(calls().status()).hasToString(REFUSED.toString());
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aMethodWithAnotherHandlerKeepsItsChecks() {
    refusesStill(refusing().with(Texts.UNARY, held));
  }

  @Test
  void aMethodWithAHandlerAroundItsOwnKeepsItsChecks() {
    refusesStill(
        service(it -> it.withHeadersInterceptor(MethodChecksTest::refuse).withHandler(held)));
  }

  @Test
  void aMethodWithOtherOptionsKeepsItsChecks() {
    refusesStill(refusing().map(it -> it.withDispatch(Dispatch.inline()).withoutLoadShedding()));
  }

  @Test
  void anInterceptedMethodKeepsItsChecks() {
    ServerInterceptor outer = ServerInterceptor.around(call -> () -> {});
    Simulation.start(
        simulation
            .serverBuilder()
            .intercept(outer)
            .add(
                ServerInterceptor.intercept(refusing(), List.of(outer)),
                it -> it.withInterceptor(outer).withDispatch(Dispatch.inline())));
    assertThat(calls().status()).hasToString(REFUSED.toString());
  }

  @Test
  void aCheckThatTakesTimeHoldsTheCallsOfItsMethodAlone() {
    CompletableFuture<Void> check = new CompletableFuture<>();
    Simulation.start(
        serving(service(it -> it.withAsyncHeadersInterceptor((call, headers) -> check))));
    MadeCall waiting = calls();
    assertThat(held.all()).isEmpty();
    assertThat(waiting.isClosed()).isFalse();

    MadeCall.whole(simulation.channel(), Texts.BIDI, "at once");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("at once");

    check.complete(null);
    simulation.run();
    assertThat(held.all()).hasSize(2);
    assertThat(held.all().getLast().messages()).containsExactly("question");
  }

  @Test
  void checksAreListedInTheirOrder() {
    AsyncHeadersInterceptor first = (call, headers) -> new CompletableFuture<>();
    HeadersInterceptor second = says("second");
    ServerMethodDefinition<?, ?> method =
        ServerMethodDefinition.of(Texts.UNARY, held)
            .withAsyncHeadersInterceptor(first)
            .withHeadersInterceptor(second);
    assertThat(method.headersInterceptors())
        .containsExactly(first, AsyncHeadersInterceptor.of(second));
    assertThat(ServerMethodDefinition.of(Texts.UNARY, held).headersInterceptors()).isEmpty();
  }
}
