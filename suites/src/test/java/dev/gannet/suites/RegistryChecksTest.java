package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.server.CallCounts;
import dev.gannet.server.MutableHandlerRegistry;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Services and methods of a registry are checked as those of the builder are. */
@ParameterizedClass
@EnumSource
final class RegistryChecksTest {
  private static final Status REFUSED = Status.PERMISSION_DENIED.withDescription("not you");
  private static final MethodDescriptor<String, String> ASK = methodOf("test.Guarded/Ask");
  private static final MethodDescriptor<String, String> MORE = methodOf("test.Guarded/More");

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final List<String> seen = new ArrayList<>();
  private final MutableHandlerRegistry registry = new MutableHandlerRegistry();

  RegistryChecksTest(Medium medium) {
    this.simulation = new Simulation(medium);
  }

  private static MethodDescriptor<String, String> methodOf(String name) {
    return MethodDescriptor.of(
        MethodType.UNARY, name, Texts.UNARY.requestMarshaller(), Texts.UNARY.responseMarshaller());
  }

  private ServerServiceDefinition serviceOf(MethodDescriptor<String, String> method) {
    return ServerServiceDefinition.of(
        method.serviceName(), List.of(ServerMethodDefinition.of(method, held)));
  }

  private static void refuse(CallContext call, Metadata headers) {
    throw REFUSED.asException();
  }

  private HeadersInterceptor says(String word) {
    return (call, headers) -> seen.add(word);
  }

  private ServerInterceptor interceptorThatSays(String word) {
    return ServerInterceptor.around(call -> {
      seen.add(word);
      return () -> {};
    });
  }

  private ServerBuilder builder() {
    return simulation.serverBuilder().addFallbackHandlerRegistry(registry);
  }

  private MadeCall calls(MethodDescriptor<String, String> method) {
    MadeCall call = MadeCall.whole(simulation.channel(), method, "question");
    simulation.run();
    return call;
  }

  private void assertRefused(MethodDescriptor<String, String> method) {
    int before = held.all().size();
    assertThat(calls(method).status()).hasToString(REFUSED.toString());
    assertThat(held.all()).hasSize(before);
  }

  private void assertServed(MethodDescriptor<String, String> method) {
    int before = held.all().size();
    calls(method);
    assertThat(held.all()).hasSize(before + 1);
  }

  @Test
  void aServiceOfARegistryMayHaveItsOwnChecks() {
    MethodDescriptor<String, String> open = methodOf("test.Open/Ask");
    registry.add(serviceOf(ASK), it -> it.withHeadersInterceptor(RegistryChecksTest::refuse));
    registry.add(serviceOf(open));
    Simulation.start(builder());
    assertRefused(ASK);
    assertServed(open);
  }

  @Test
  void checksRunFromTheServersToTheMethods() {
    registry.add(
        serviceOf(ASK).map(it -> it.withHeadersInterceptor(says("method"))),
        it ->
            it.withHeadersInterceptor(says("service"))
                .withInterceptor(interceptorThatSays("service's interceptor")));
    Simulation.start(
        builder()
            .interceptHeaders(says("server"))
            .intercept(interceptorThatSays("server's interceptor")));
    assertServed(ASK);
    assertThat(seen)
        .startsWith("server", "service", "method", "server's interceptor", "service's interceptor");
  }

  @Test
  void aCheckThatTakesTimeHoldsTheCall() {
    CompletableFuture<Void> check = new CompletableFuture<>();
    registry.add(serviceOf(ASK), it -> it.withAsyncHeadersInterceptor((call, headers) -> check));
    Simulation.start(builder());
    MadeCall call = calls(ASK);
    assertThat(held.all()).isEmpty();
    assertThat(call.isClosed()).isFalse();

    check.complete(null);
    simulation.run();
    assertThat(held.only().messages()).containsExactly("question");
  }

  @Test
  void aRefusedCallIsCounted() {
    registry.add(serviceOf(ASK), it -> it.withHeadersInterceptor(RegistryChecksTest::refuse));
    Server server = Simulation.start(builder().countCalls());
    assertRefused(ASK);
    assertThat(server.snapshot().methods())
        .extractingByKey(ASK.fullMethodName())
        .extracting(CallCounts::ended)
        .isEqualTo(Map.of(Status.Code.PERMISSION_DENIED, 1L));
  }

  /** Keeps what is logged. */
  private static final class Lines extends Handler {
    private final List<LogRecord> all = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      all.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void aCheckThatFailsIsLoggedAndItsCallRefused() {
    IllegalStateException mistake = new IllegalStateException("secret");
    registry.add(
        serviceOf(ASK),
        it ->
            it.withHeadersInterceptor((call, headers) -> {
              throw mistake;
            }));
    Simulation.start(builder());
    Logger log = Logger.getLogger("dev.gannet.server");
    Lines lines = new Lines();
    log.addHandler(lines);
    log.setUseParentHandlers(false);
    try {
      MadeCall call = calls(ASK);
      assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
      assertThat(call.words()).doesNotContain("secret");
    } finally {
      log.removeHandler(lines);
      log.setUseParentHandlers(true);
    }
    assertThat(held.all()).isEmpty();
    assertThat(lines.all).singleElement().extracting(LogRecord::getThrown).isSameAs(mistake);
  }

  @Test
  void aServiceThatIsAddedAgainHasItsNewChecks() {
    ServerServiceDefinition service = serviceOf(ASK);
    Simulation.start(builder());
    registry.add(service);
    assertServed(ASK);
    registry.add(service, it -> it.withHeadersInterceptor(RegistryChecksTest::refuse));
    assertRefused(ASK);
    assertThat(registry.remove(service)).isTrue();
    assertThat(calls(ASK).code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    registry.add(service, it -> it.withHeadersInterceptor(says("other")));
    assertServed(ASK);
    assertThat(seen).containsExactly("other");
    registry.add(service, it -> it);
    assertServed(ASK);
    assertThat(seen).containsExactly("other");
  }

  @Test
  void aMethodThatIsAddedAgainHasItsNewChecks() {
    ServerServiceDefinition service = serviceOf(ASK);
    ServerServiceDefinition checked =
        service.map(it -> it.withHeadersInterceptor(RegistryChecksTest::refuse));
    Simulation.start(builder());
    registry.add(checked);
    assertRefused(ASK);
    registry.remove(checked);
    registry.add(service);
    assertServed(ASK);
    registry.add(checked);
    assertRefused(ASK);
  }

  @Test
  void aReplacedServiceIsAddedAgainWithItsChecks() {
    registry.add(serviceOf(ASK), it -> it.withHeadersInterceptor(RegistryChecksTest::refuse));
    Simulation.start(builder());
    ServerServiceDefinition replaced = registry.add(serviceOf(ASK)).orElseThrow();
    assertServed(ASK);
    registry.add(replaced);
    assertRefused(ASK);
  }

  @Test
  void aServiceWithOptionsIsRemovedAsItWasAddedOrAsItIsListed() {
    ServerServiceDefinition service = serviceOf(ASK);
    registry.add(service, it -> it.withHeadersInterceptor(says("checked")));
    ServerServiceDefinition listed = registry.services().getFirst();
    assertThat(registry.remove(serviceOf(ASK))).isFalse();
    assertThat(registry.remove(listed)).isTrue();
    assertThat(registry.remove(service)).isFalse();

    registry.add(service, it -> it.withHeadersInterceptor(says("checked")));
    assertThat(registry.remove(listed)).isFalse(); // one that was there before
    assertThat(registry.remove(service)).isTrue();
    assertThat(registry.services()).isEmpty();
  }

  // Further methods of services that the builder has.

  /** A server with a service that refuses. */
  private void serveGuarded() {
    Simulation.start(
        builder().add(serviceOf(ASK), it -> it.withHeadersInterceptor(RegistryChecksTest::refuse)));
  }

  @Test
  void furtherMethodsOfAnAddedServiceHaveItsChecks() {
    MethodDescriptor<String, String> open = methodOf("test.Open/Ask");
    registry.add(serviceOf(MORE));
    registry.add(serviceOf(open));
    serveGuarded();
    assertRefused(ASK);
    assertRefused(MORE);
    assertServed(open);
  }

  @Test
  void furtherMethodsThatComeLaterHaveThemToo() {
    serveGuarded();
    assertThat(calls(MORE).code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    registry.add(serviceOf(MORE), it -> it.withHeadersInterceptor(says("too late")));
    assertRefused(MORE);
    assertThat(seen).isEmpty();
  }

  @Test
  void furtherMethodsHaveTheInterceptorsAndTheDispatchOfTheService() {
    List<Runnable> tasks = new ArrayList<>();
    registry.add(serviceOf(MORE));
    Simulation.start(
        builder()
            .add(
                serviceOf(ASK),
                it ->
                    it.withInterceptor(interceptorThatSays("service"))
                        .withDispatch(Dispatch.on(tasks::add))));
    calls(MORE);
    assertThat(held.all()).isEmpty();
    List.copyOf(tasks).forEach(Runnable::run);
    assertThat(seen).startsWith("service");
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void theOptionsOfTheBuilderComeBeforeThoseOfTheRegistry() {
    registry.add(
        serviceOf(MORE).map(it -> it.withHeadersInterceptor(says("method"))),
        it ->
            it.withHeadersInterceptor(says("registry"))
                .withInterceptor(interceptorThatSays("registry's interceptor")));
    Simulation.start(
        builder()
            .add(
                serviceOf(ASK),
                it ->
                    it.withHeadersInterceptor(says("builder"))
                        .withInterceptor(interceptorThatSays("builder's interceptor")))
            .interceptHeaders(says("server"))
            .intercept(interceptorThatSays("server's interceptor")));
    assertServed(MORE);
    assertThat(seen)
        .startsWith(
            "server",
            "builder",
            "registry",
            "method",
            "server's interceptor",
            "builder's interceptor",
            "registry's interceptor");
  }

  @Test
  void allChecksOfAServiceThatWasAddedInPartsHoldForItsFurtherMethods() {
    HeadersInterceptor shared = says("both");
    registry.add(serviceOf(MORE));
    Simulation.start(
        builder()
            .add(serviceOf(ASK), it -> it.withHeadersInterceptor(shared))
            .add(serviceOf(methodOf("test.Guarded/Hear")), it -> it.withHeadersInterceptor(shared))
            .add(
                serviceOf(methodOf("test.Guarded/Tell")),
                it -> it.withHeadersInterceptor(says("tell")))
            .add(serviceOf(methodOf("test.Guarded/Open"))));
    assertServed(MORE);
    assertThat(seen).containsExactly("both", "tell");
  }

  @Test
  void aMethodThatIsFoundByAnotherNameHasTheChecksOfBothServices() {
    MethodDescriptor<String, String> open = methodOf("test.Open/Ask");
    ServerMethodDefinition<?, ?> guarded = ServerMethodDefinition.of(MORE, held);
    ServerMethodDefinition<?, ?> unguarded = ServerMethodDefinition.of(open, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .addFallbackHandlerRegistry(
                name -> Optional.of(name.equals(MORE.fullMethodName()) ? unguarded : guarded))
            .add(serviceOf(ASK), it -> it.withHeadersInterceptor(RegistryChecksTest::refuse)));
    assertRefused(MORE);
    assertRefused(open);
  }

  @Test
  void aCheckOfTheServiceHoldsCallsOfItsFurtherMethods() {
    CompletableFuture<Void> check = new CompletableFuture<>();
    registry.add(serviceOf(MORE));
    Simulation.start(
        builder()
            .add(serviceOf(ASK), it -> it.withAsyncHeadersInterceptor((call, headers) -> check)));
    MadeCall call = calls(MORE);
    assertThat(held.all()).isEmpty();
    check.completeExceptionally(REFUSED.asException());
    simulation.run();
    assertThat(call.status()).hasToString(REFUSED.toString());
    assertThat(held.all()).isEmpty();
  }

  // Registries of extensions.

  @Test
  void aRegistryOfAnExtensionHasTheChecksOfTheExtension() {
    MutableHandlerRegistry open = new MutableHandlerRegistry();
    ServerServiceDefinition service =
        serviceOf(ASK).map(it -> it.withHeadersInterceptor(says("method")));
    registry.add(service);
    ServerExtension extension = it -> it.addFallbackHandlerRegistry(registry);
    Simulation.start(
        simulation
            .serverBuilder()
            .addFallbackHandlerRegistry(open)
            .add(
                extension,
                it ->
                    it.withHeadersInterceptor(says("extension"))
                        .withInterceptor(interceptorThatSays("extension's interceptor"))));
    assertServed(ASK);
    assertThat(seen).startsWith("extension", "method", "extension's interceptor");

    seen.clear();
    open.add(service); // the same method, of a registry without options
    assertServed(ASK);
    assertThat(seen).containsExactly("method");
    open.remove(service);
    assertServed(ASK);
    assertThat(seen).startsWith("method", "extension", "method");
  }

  @Test
  void anExtensionThatAddsAServiceAndARegistryHasItsCheckOnce() {
    registry.add(serviceOf(MORE));
    ServerExtension extension = it -> it.add(serviceOf(ASK)).addFallbackHandlerRegistry(registry);
    Simulation.start(
        simulation
            .serverBuilder()
            .add(extension, it -> it.withHeadersInterceptor(says("extension"))));
    assertServed(MORE);
    assertThat(seen).containsExactly("extension");
  }
}
