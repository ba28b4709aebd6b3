package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Null is refused by the method of a builder that gets it, where its caller can be seen. */
final class NullsAtSettersTest {
  private static Stream<Method> setters() {
    return Stream.of(ServerBuilder.class, ManagedChannelBuilder.class)
        .flatMap(builder -> Arrays.stream(builder.getMethods()))
        .filter(NullsAtSettersTest::isSetterOfAnObject);
  }

  private static boolean isSetterOfAnObject(Method method) {
    return method.getReturnType() == method.getDeclaringClass()
        && !Modifier.isStatic(method.getModifiers())
        && method.getParameterCount() == 1
        && !method.getParameterTypes()[0].isPrimitive();
  }

  @ParameterizedTest
  @MethodSource("setters")
  void nullIsRefused(Method setter) {
    Object builder =
        setter.getDeclaringClass() == ServerBuilder.class
            ? Server.builder(0)
            : ManagedChannel.builder("localhost:1");
    assertThatThrownBy(() -> setter.invoke(builder, (Object) null))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class);
  }

  @Test
  void bothBuildersHaveSuchSetters() {
    assertThat(setters().map(Method::getDeclaringClass))
        .contains(ServerBuilder.class, ManagedChannelBuilder.class);
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void aLimitOfAMethodNeedsItsName() {
    ServerBuilder builder = Server.builder(0);
    assertThatThrownBy(() -> builder.methodLimits(null, it -> it))
        .isInstanceOf(NullPointerException.class);
  }
}
