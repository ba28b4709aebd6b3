package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Registration;
import dev.gannet.client.balancer.ForwardingLoadBalancerProvider;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.PolicyConfig;
import dev.gannet.client.resolver.NameResolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a resolver or a policy has acquired is closed with it, also if it comes too late. */
final class HeldResourcesTest {
  private final TestChannel test = new TestChannel();
  private final List<String> closed = new ArrayList<>();

  @AfterEach
  void close() {
    test.channel().shutdownNow();
  }

  private NameResolver.Context context() {
    return test.resolver.last().context;
  }

  private AutoCloseable resource(String name) {
    return () -> closed.add(name);
  }

  @Test
  void itIsClosedOnceAndTheNewestFirstAfterTheResolverWasShutDown() {
    test.connected();
    TestResolver.Made resolver = test.resolver.last();
    context().closeAtShutdown(resource("older"));
    context().closeAtShutdown(() -> closed.add("newer, shut down: " + resolver.shutDown));
    assertThat(closed).isEmpty();
    test.channel().enterIdle();
    test.channel().shutdownNow();
    assertThat(closed).containsExactly("newer, shut down: true", "older");
  }

  /** As a resolver does that opens a watch on another thread. */
  private void acquiresInTheBackground(List<String> used) {
    NameResolver.Context context = context();
    context.offload(() -> {
      context.closeAtShutdown(resource("watch"));
      context.execute(() -> used.add("watch"));
    });
  }

  @Test
  void whatIsAcquiredInTheBackgroundStaysOpenForTheResolver() {
    test.connected();
    List<String> used = new ArrayList<>();
    acquiresInTheBackground(used);
    test.loop.runUntilIdle();
    assertThat(used).containsExactly("watch");
    assertThat(closed).isEmpty();
  }

  @Test
  void whatIsAcquiredAfterTheShutdownIsClosedAtOnce() {
    test.connected();
    List<String> used = new ArrayList<>();
    acquiresInTheBackground(used);
    test.channel().enterIdle();
    test.loop.runUntilIdle();
    assertThat(used).isEmpty();
    assertThat(closed).containsExactly("watch");
  }

  @Test
  void aResolverMayCloseItEarlier() {
    test.connected();
    Registration held = context().closeAtShutdown(resource("watch"));
    held.close();
    assertThat(closed).containsExactly("watch");
    held.close();
    test.channel().enterIdle();
    assertThat(closed).hasSize(1);
  }

  private static void cannotBeClosed() throws IOException {
    throw new IOException("stuck");
  }

  @Test
  void itsExceptionIsAFailureOfTheResolver() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    context().closeAtShutdown(HeldResourcesTest::cannotBeClosed).close();
    assertThat(call.text()).contains("the resolver for 'test' failed: ").contains("stuck");
  }

  @Test
  void itsExceptionAtTheEndAffectsNeitherOthersNorTheNextResolver() {
    test.connected();
    context().closeAtShutdown(resource("other"));
    context().closeAtShutdown(HeldResourcesTest::cannotBeClosed);
    test.channel().enterIdle();
    assertThat(closed).containsExactly("other");
    test.resolver.answer = Optional.empty();
    assertThat(test.call().isOver()).isFalse();
  }

  @Test
  void itIsClosedIfTheResolverCannotBeCreated() {
    test.resolver.atCreate = context -> context.closeAtShutdown(resource("watch"));
    test.resolver.makesNothing = true;
    assertThat(test.call().text()).contains("its provider returned null");
    assertThat(closed).containsExactly("watch");
  }

  /** A policy that keeps its context. */
  private static final class Keeping extends ForwardingLoadBalancerProvider {
    private Optional<LoadBalancer.Context> context = Optional.empty();

    Keeping() {
      super(LoadBalancerProvider.pickFirst());
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context made) {
      context = Optional.of(made);
      return super.create(made);
    }

    @Override
    public LoadBalancerProvider configured(PolicyConfig config) {
      return this;
    }
  }

  private LoadBalancer.Context contextOfPolicy() {
    Keeping policy = new Keeping();
    test.policy = policy;
    test.connected();
    return policy.context.orElseThrow();
  }

  @Test
  void whatAPolicyHoldsIsClosedWithIt() {
    LoadBalancer.Context context = contextOfPolicy();
    context.closeAtShutdown(resource("older"));
    context.closeAtShutdown(resource("newer"));
    context.closeAtShutdown(resource("short-lived")).close();
    assertThat(closed).containsExactly("short-lived");
    test.channel().enterIdle();
    assertThat(closed).containsExactly("short-lived", "newer", "older");
    context.closeAtShutdown(resource("late"));
    assertThat(closed).endsWith("late");
  }

  @Test
  void anExceptionOfWhatAPolicyHoldsIsOneOfThePolicy() {
    LoadBalancer.Context context = contextOfPolicy();
    context.closeAtShutdown(resource("other"));
    context.closeAtShutdown(HeldResourcesTest::cannotBeClosed).close();
    assertThat(test.call().text()).contains("stuck");
    assertThat(closed).containsExactly("other");
  }
}
