package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.AsyncHeadersInterceptor;
import dev.gannet.api.Dispatch;
import dev.gannet.api.HeadersInterceptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.server.call.TestCalls;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The options of a service are a value. */
final class ServiceOptionsTest {
  private static final HeadersInterceptor OF_HEADERS = (call, headers) -> {};
  private static final ServerInterceptor OF_CALLS = CallMetricRecorder.interceptor();

  private static final AsyncHeadersInterceptor ASYNC = (call, headers) -> new CompletableFuture<>();

  private static ServiceOptions all() {
    return ServiceOptions.DEFAULT
        .withInterceptor(OF_CALLS)
        .withHeadersInterceptor(OF_HEADERS)
        .withAsyncHeadersInterceptor(ASYNC)
        .withDispatch(Dispatch.inline());
  }

  @Test
  void optionsAreEqualByValue() {
    assertThat(all()).isEqualTo(all()).hasSameHashCodeAs(all()).hasToString(all().toString());
    assertThat(all())
        .isNotEqualTo(ServiceOptions.DEFAULT)
        .isNotEqualTo(all().withInterceptor(OF_CALLS))
        .isNotEqualTo(all().withHeadersInterceptor(OF_HEADERS))
        .isNotEqualTo(all().withDispatch(Dispatch.virtualThreads()))
        .isNotEqualTo("options");
    assertThat(ServiceOptions.DEFAULT)
        .hasToString("ServiceOptions[interceptors=[], headersInterceptors=[]]");
  }

  @Test
  void eachOptionCountsForEquality() {
    assertThat(ServiceOptions.DEFAULT.withInterceptor(OF_CALLS))
        .isNotEqualTo(ServiceOptions.DEFAULT);
    assertThat(ServiceOptions.DEFAULT.withAsyncHeadersInterceptor(ASYNC))
        .isNotEqualTo(ServiceOptions.DEFAULT)
        .isNotEqualTo(ServiceOptions.DEFAULT.withHeadersInterceptor(OF_HEADERS));
    assertThat(ServiceOptions.DEFAULT.withDispatch(Dispatch.inline()))
        .isNotEqualTo(ServiceOptions.DEFAULT);
  }

  @Test
  void theTextHasTheDispatchOnlyIfItIsSet() {
    assertThat(ServiceOptions.DEFAULT.withDispatch(Dispatch.inline()))
        .hasToString(
            "ServiceOptions[interceptors=[], headersInterceptors=[], dispatch="
                + Dispatch.inline()
                + "]");
  }

  @Test
  void interceptorsOfHeadersOfBothKindsKeepTheirOrder() {
    AsyncHeadersInterceptor ofMethod = (call, headers) -> new CompletableFuture<>();
    ServerServiceDefinition checked =
        ServiceOptions.DEFAULT
            .withAsyncHeadersInterceptor(ASYNC)
            .withHeadersInterceptor(OF_HEADERS)
            .applyTo(service().map(it -> it.withAsyncHeadersInterceptor(ofMethod)));
    for (ServerMethodDefinition<?, ?> method : checked.methods()) {
      assertThat(method.headersInterceptors())
          .containsExactly(ASYNC, AsyncHeadersInterceptor.of(OF_HEADERS), ofMethod);
    }
  }

  private static List<Optional<Dispatch>> dispatches(ServerServiceDefinition service) {
    return service.methods().stream().<Optional<Dispatch>>map(it -> it.dispatch()).toList();
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.of(
        "pkg.Service", List.of(method("pkg.Service/First"), method("pkg.Service/Second")));
  }

  private static ServerMethodDefinition<String, String> method(String name) {
    return ServerMethodDefinition.of(
        TestCalls.method(MethodType.UNARY, name),
        (call, headers) -> {
          throw new AssertionError("no call begins");
        });
  }

  @Test
  void theDispatchIsForMethodsThatHaveNone() {
    ServerServiceDefinition mixed =
        service()
            .map(it ->
                it.method().fullMethodName().endsWith("First")
                    ? it.withDispatch(Dispatch.virtualThreads())
                    : it);
    assertThat(dispatches(ServiceOptions.DEFAULT.withDispatch(Dispatch.inline()).applyTo(mixed)))
        .containsExactly(Optional.of(Dispatch.virtualThreads()), Optional.of(Dispatch.inline()));
  }

  @Test
  void withoutADispatchThatOfTheServerApplies() {
    assertThat(dispatches(ServiceOptions.DEFAULT.applyTo(service())))
        .containsExactly(Optional.empty(), Optional.empty());
  }

  @Test
  void theLastDispatchApplies() {
    assertThat(
            ServiceOptions.DEFAULT
                .withDispatch(Dispatch.virtualThreads())
                .withDispatch(Dispatch.inline()))
        .isEqualTo(ServiceOptions.DEFAULT.withDispatch(Dispatch.inline()));
  }
}
