package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.resolver.ForwardingNameResolver;
import dev.gannet.client.resolver.ForwardingNameResolverProvider;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What wraps a policy, a resolver or a provider says what that one says. */
final class ForwardingTypesTest {
  static Stream<Arguments> types() {
    return Stream.of(
        Arguments.of(ForwardingLoadBalancer.class, LoadBalancer.class),
        Arguments.of(ForwardingLoadBalancerProvider.class, LoadBalancerProvider.class),
        Arguments.of(ForwardingNameResolver.class, NameResolver.class),
        Arguments.of(ForwardingNameResolverProvider.class, NameResolverProvider.class));
  }

  private static final class Wrapper extends ForwardingLoadBalancerProvider {
    Wrapper(LoadBalancerProvider delegate) {
      super(delegate);
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return new Wrapper(delegate().configured(config));
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  void eachMethodIsForwardedOrSaysWhyNot(Class<?> forwarding, Class<?> type)
      throws NoSuchMethodException {
    List<Method> methods =
        Stream.of(type.getMethods()).filter(it -> !Modifier.isStatic(it.getModifiers())).toList();
    assertThat(methods).isNotEmpty();
    for (Method method : methods) {
      assertThat(forwarding.getMethod(method.getName(), method.getParameterTypes()))
          .extracting(Method::getDeclaringClass)
          .isEqualTo(forwarding);
    }
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
