package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a provider says through a wrapper is what it says itself. */
final class ForwardingLoadBalancerProviderTest {
  private static final class Wrapper extends ForwardingLoadBalancerProvider {
    Wrapper(LoadBalancerProvider delegate) {
      super(delegate);
    }
  }

  static Stream<Method> methods() {
    return Stream.of(LoadBalancerProvider.class.getMethods())
        .filter(it -> !Modifier.isStatic(it.getModifiers()));
  }

  @ParameterizedTest
  @MethodSource("methods")
  void eachMethodIsForwarded(Method method) throws NoSuchMethodException {
    Class<?> declaring =
        Wrapper.class.getMethod(method.getName(), method.getParameterTypes()).getDeclaringClass();
    assertThat(declaring).isEqualTo(ForwardingLoadBalancerProvider.class);
  }

  @ParameterizedTest
  @MethodSource("dev.gannet.client.balancer.LoadBalancerProvider#known")
  void theWrapperOfAPolicySaysWhatThePolicySays(LoadBalancerProvider policy) {
    Wrapper wrapper = new Wrapper(policy);
    assertThat(wrapper.policyName()).isEqualTo(policy.policyName());
    assertThat(wrapper.priority()).isEqualTo(policy.priority());
    assertThat(wrapper.needsConfig()).isEqualTo(policy.needsConfig());
    assertThat(wrapper.distributesCalls()).isEqualTo(policy.distributesCalls());
  }
}
