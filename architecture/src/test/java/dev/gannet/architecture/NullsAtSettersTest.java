package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
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

/** Null is refused by the setter that gets it, where its caller can be seen. */
final class NullsAtSettersTest {
  private static Stream<Method> setters() {
    return Stream.of(ServerBuilder.class, ManagedChannelBuilder.class, CallOptions.class)
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
    assertThatThrownBy(() -> setter.invoke(objectOf(setter.getDeclaringClass()), (Object) null))
        .isInstanceOf(InvocationTargetException.class)
        .cause()
        .isInstanceOfAny(NullPointerException.class, IllegalArgumentException.class);
  }

  private static Object objectOf(Class<?> type) {
    if (type == CallOptions.class) {
      return CallOptions.DEFAULT;
    }
    return type == ServerBuilder.class ? Server.builder(0) : ManagedChannel.builder("localhost:1");
  }

  @Test
  void bothBuildersAndCallOptionsHaveSuchSetters() {
    assertThat(setters().map(Method::getDeclaringClass))
        .contains(ServerBuilder.class, ManagedChannelBuilder.class, CallOptions.class);
  }

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void aLimitOfAMethodNeedsItsName() {
    ServerBuilder builder = Server.builder(0);
    assertThatThrownBy(() -> builder.methodLimits(null, it -> it))
        .isInstanceOf(NullPointerException.class);
  }
}
