package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.server.call.ServedMethod;
import dev.gannet.server.call.TestCalls;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Methods that come and go. */
final class HandlerRegistryTest {
  private static final String PATH = "/pkg.Service/Method";

  private final MutableHandlerRegistry registry = new MutableHandlerRegistry();
  private final CallIntake intake = intake(registry);

  private static CallIntake intake(HandlerRegistry registry) {
    return new CallIntake(
        ServerSettings.Services.of(List.of(), Dispatch.inline()).withFallback(registry),
        ServerSettings.Interception.NONE,
        ServerSettings.Formats.DEFAULT,
        () -> 0);
  }

  private static ServerMethodDefinition<String, String> method() {
    return TestCalls.served(
        MethodType.UNARY, (call, headers) -> new ServerCall.Listener<String>() {});
  }

  private static ServerServiceDefinition service() {
    return ServerServiceDefinition.of("pkg.Service", List.of(method()));
  }

  @Test
  void aServiceIsFoundUntilItIsRemoved() {
    assertThat(intake.findFallback(PATH)).isEmpty();

    ServerServiceDefinition service = service();
    assertThat(registry.add(() -> service)).isEmpty();
    assertThat(intake.findFallback(PATH)).isPresent();
    assertThat(registry.services()).containsExactly(service);

    assertThat(registry.remove(service())).isFalse();
    assertThat(registry.remove(service)).isTrue();
    assertThat(intake.findFallback(PATH)).isEmpty();
  }

  @Test
  void anUnchangedMethodOfTheRegistryKeepsItsServedObject() {
    registry.add(service());
    ServedMethod<?, ?> first = intake.findFallback(PATH).orElseThrow();
    assertThat(intake.findFallback(PATH)).containsSame(first);

    registry.add(service());
    assertThat(intake.findFallback(PATH).orElseThrow()).isNotSameAs(first);
  }

  @Test
  void pathsMustMatchExactly() {
    registry.add(service());
    assertThat(intake.findFallback("pkg.Service/Method")).isEmpty();
    assertThat(intake.findFallback("//pkg.Service/Method")).isEmpty();
    assertThat(intake.find(PATH)).isEmpty();
  }

  @Test
  void severalRegistriesHaveTheMethodsAndServicesOfAll() {
    MutableHandlerRegistry second = new MutableHandlerRegistry();
    HandlerRegistries both = HandlerRegistries.of(registry, second);
    assertThat(both.has("pkg.Service/Method")).isFalse();
    ServerServiceDefinition ofSecond = service();
    second.add(ofSecond);
    assertThat(both.has("pkg.Service/Method")).isTrue();
    ServerServiceDefinition ofFirst = service();
    registry.add(ofFirst);
    assertThat(both.services()).containsExactly(ofFirst, ofSecond);
    assertThat(HandlerRegistries.NONE.isEmpty()).isTrue();
  }

  @Test
  void theCacheOfRegistryMethodsIsBounded() {
    ServerMethodDefinition<String, String> any = method();
    CallIntake making = intake(name -> Optional.of(any));
    ServedMethod<?, ?> first = making.findFallback("/any/0").orElseThrow();
    for (int i = 1; i <= 1_024; i++) {
      MethodDescriptor<?, ?> found = making.findFallback("/any/" + i).orElseThrow().descriptor();
      assertThat(found).isSameAs(any.method());
    }
    assertThat(making.findFallback("/any/0").orElseThrow()).isNotSameAs(first);
  }

  @Test
  void aServerWithoutARegistryFindsOnlyItsOwnMethods() {
    CallIntake alone =
        new CallIntake(
            ServerSettings.Services.of(List.of(service()), Dispatch.inline()),
            ServerSettings.Interception.NONE,
            ServerSettings.Formats.DEFAULT,
            () -> 0);
    assertThat(alone.find(PATH)).isPresent();
    assertThat(alone.findFallback("/pkg.Service/Other")).isEmpty();
  }
}
