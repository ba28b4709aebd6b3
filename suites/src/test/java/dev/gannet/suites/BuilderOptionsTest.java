package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An option that is given null says so where it is set, and not later. */
final class BuilderOptionsTest {
  private static final List<Class<?>> BUILDERS =
      List.of(ManagedChannelBuilder.class, ServerBuilder.class);

  private static Stream<Method> optionsWithOneObject() {
    return BUILDERS.stream()
        .flatMap(builder -> Stream.of(builder.getMethods()))
        .filter(
            it -> BUILDERS.contains(it.getReturnType()) && !Modifier.isStatic(it.getModifiers()))
        .filter(it -> it.getParameterCount() == 1 && !it.getParameterTypes()[0].isPrimitive());
  }

  private static Object builderOf(Method option) {
    return option.getDeclaringClass() == ServerBuilder.class
        ? Server.builder(0)
        : ManagedChannel.builder("localhost:1");
  }

  @ParameterizedTest
  @MethodSource("optionsWithOneObject")
  void nullIsRefusedAtOnce(Method option) throws ReflectiveOperationException {
    Throwable thrown = thrownFor(option);
    assertThat(thrown).as("%s", option).isInstanceOf(NullPointerException.class);
    assertThat(thrown).as("says what is null: %s", option).hasMessageMatching(".+");
  }

  private static @Nullable Throwable thrownFor(Method option) throws ReflectiveOperationException {
    try {
      option.invoke(builderOf(option), new Object[] {null});
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    }
  }
}
