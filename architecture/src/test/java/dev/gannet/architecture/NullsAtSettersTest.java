package dev.gannet.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.BindableService;
import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.client.balancer.RingHashSettings;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.WeightedRoundRobinSettings;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.LearntDelay;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.server.LoadShedding;
import dev.gannet.server.MethodLimits;
import dev.gannet.server.Server;
import dev.gannet.server.ServerExtension;
import dev.gannet.server.ServiceOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.InetSocketAddress;
import java.time.Duration;
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
          (ServerExtension) server -> {},
          Attributes.Key.of("an attribute"),
          MethodConfig.EMPTY,
          MethodDescriptor.of(
              MethodType.UNARY, "a.Service/Method", Marshallers.bytes(), Marshallers.bytes()),
          Duration.ofSeconds(1));

  /** One of each type; those that can be changed are changed by nothing here. */
  private static final List<Object> OBJECTS =
      List.of(
          Server.builder(0),
          optionsOfAService(),
          ManagedChannel.builder("localhost:1"),
          CallOptions.DEFAULT,
          CompressorRegistry.DEFAULT,
          DecompressorRegistry.DEFAULT,
          SocketOptions.DEFAULT,
          TransportLimits.DEFAULT,
          MethodLimits.OF_SERVER,
          LoadShedding.adaptive(),
          Attributes.EMPTY,
          Endpoint.of(new InetSocketAddress(1)),
          Resolution.of(List.of()),
          ServiceConfig.builder(),
          MethodConfig.builder(),
          RetryPolicy.of(2, Status.Code.UNAVAILABLE),
          HedgingPolicy.of(2),
          LearntDelay.DEFAULT,
          LoadReport.builder(),
          SubchannelOptions.DEFAULT,
          OutlierDetectionSettings.DEFAULT,
          RingHashSettings.DEFAULT,
          WeightedRoundRobinSettings.DEFAULT);

  /** A setter, and the parameter that gets null. */
  record Mistake(Method setter, int place) {
    @Override
    public String toString() {
      return setter.toGenericString() + ", parameter " + (place + 1);
    }
  }

  private static Stream<Mistake> mistakes() {
    return OBJECTS.stream()
        .<Class<?>>map(Object::getClass)
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
    if (type == int.class) {
      return 1;
    }
    return VALUES.stream().filter(type::isInstance).findFirst().orElse("a value");
  }

  private static Object objectOf(Class<?> type) {
    return OBJECTS.stream().filter(it -> it.getClass() == type).findFirst().orElseThrow();
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
  void allOfTheseTypesHaveSettersOfObjects() {
    assertThat(mistakes().<Class<?>>map(it -> it.setter().getDeclaringClass()).distinct())
        .containsExactlyInAnyOrderElementsOf(
            OBJECTS.stream().<Class<?>>map(Object::getClass).toList());
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

  @Test
  @SuppressWarnings("NullAway") // the mistake that is refused
  void aKeyHasAName() {
    assertThatThrownBy(() -> CallContext.Key.of(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
    assertThatThrownBy(() -> Attributes.Key.of(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("name");
  }
}
