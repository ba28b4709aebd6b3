package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.BindableService;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServiceOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Null is refused by the setter that gets it, where its caller can be seen. */
final class NullsAtSettersTest {
  private static final BindableService SERVICE =
      () -> ServerServiceDefinition.of("test.Nothing", List.of());
  private static final List<Object> VALUES =
      List.of(
          UnaryOperator.identity(),
          Metadata.Key.ascii("a-header"),
          CallOptions.Key.of("an option", "its default"),
          SERVICE,
          (ServerExtension) server -> {});

  /** A setter, and the parameter that gets null. */
  record Mistake(Method setter, int place) {
    @Override
    public String toString() {
      return setter.toGenericString() + ", parameter " + (place + 1);
    }
  }

  private static Stream<Mistake> mistakes() {
    return Stream.of(
            ServerBuilder.class,
            ServiceOptions.class,
            ManagedChannelBuilder.class,
            CallOptions.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(NullsAtSettersTest::isSetter)
        .flatMap(setter ->
            IntStream.range(0, setter.getParameterCount())
                .filter(place -> !setter.getParameterTypes()[place].isPrimitive())
                .mapToObj(place -> new Mistake(setter, place)));
  }

  private static boolean isSetter(Method method) {
    return method.getReturnType() == method.getDeclaringClass()
        && !Modifier.isStatic(method.getModifiers());
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void nullIsRefusedWithAName(Mistake mistake) {
    Method setter = mistake.setter();
    Class<?>[] types = setter.getParameterTypes();
    @Nullable Object[] values = new @Nullable Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = i == mistake.place() ? null : valueOf(types[i]);
    }
    assertThatThrownBy(() -> setter.invoke(objectOf(setter.getDeclaringClass()), values))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class)
        .message()
        .isNotNull()
        .doesNotStartWith("Cannot "); // the JVM's own message for what happens later
  }

  /** What a parameter beside the one that is null gets. */
  private static Object valueOf(Class<?> type) {
    return VALUES.stream().filter(type::isInstance).findFirst().orElse("a value");
  }

  private static Object objectOf(Class<?> type) {
    if (type == CallOptions.class) {
      return CallOptions.DEFAULT;
    }
    if (type == ServiceOptions.class) {
      return optionsOfAService();
    }
    return type == ServerBuilder.class ? Server.builder(0) : ManagedChannel.builder("localhost:1");
  }

  private static ServiceOptions optionsOfAService() {
    AtomicReference<ServiceOptions> options = new AtomicReference<>();
    Server.builder(0)
        .add(
            SERVICE,
            it -> {
              options.set(it);
              return it;
            });
    return options.get();
  }

  @Test
  void allOfTheseTypesHaveSettersOfOneAndOfTwoObjects() {
    assertThat(mistakes().map(it -> it.setter().getDeclaringClass().getSimpleName()))
        .contains("ServerBuilder", "ServiceOptions", "ManagedChannelBuilder", "CallOptions");
    assertThat(mistakes().map(Mistake::place)).contains(0, 1);
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void anOptionHasANameAndADefault() {
    assertThatThrownBy(() -> CallOptions.Key.of(null, "default"))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
    assertThatThrownBy(() -> CallOptions.Key.of("name", null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("defaultValue");
  }
}
