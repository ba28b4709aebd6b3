package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every child is shut down once, however its parent ends while one child replaces another. */
final class ReplaceableChildTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet");

  /** A policy of an application: publishes what the test says, and counts its shutdowns. */
  private static final class Child implements LoadBalancerProvider, LoadBalancer {
    private Optional<Context> context = Optional.empty();
    private Runnable whenResolved = () -> {};
    private Runnable whenShutDown = () -> {};
    private int shutdowns;

    void is(ConnectivityState state) {
      context.orElseThrow().updateState(state, Picker.queueing());
    }

    @Override
    public String policyName() {
      return "child";
    }

    @Override
    public LoadBalancer create(Context made) {
      context = Optional.of(made);
      return this;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      whenResolved.run();
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {}

    @Override
    public void shutdown() {
      shutdowns++;
      whenShutDown.run();
    }
  }

  private final FakeChannel channel = new FakeChannel();
  private final TestChannel test = new TestChannel();
  private final Child old = new Child();
  private final Child made = new Child();
  private final Child third = new Child();

  @BeforeEach
  void expectFailures() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void expectNone() {
    LOG.setLevel(null);
  }

  private static LoadBalancerProvider parentOf(LoadBalancerProvider child) {
    return LoadBalancerProvider.randomSubsetting(2, child);
  }

  /** Its first child is READY. */
  private LoadBalancer parent() {
    LoadBalancer policy = parentOf(old).create(channel);
    old.is(ConnectivityState.READY);
    return policy;
  }

  private void eachIsShutDownOnce(Child... children) {
    assertThat(children).extracting(it -> it.shutdowns).containsOnly(1);
  }

  @Test
  void aChildIsShutDownAfterTheEventThatReplacesIt() {
    LoadBalancer policy = parent();
    policy.onConfig(parentOf(made));
    made.is(ConnectivityState.READY);
    assertThat(old.shutdowns).isZero();
    channel.loop.runUntilIdle();
    eachIsShutDownOnce(old);
    policy.shutdown();
    eachIsShutDownOnce(old, made);
  }

  @Test
  void aParentThatEndsBeforeShutsItDown() {
    LoadBalancer policy = parent();
    policy.onConfig(parentOf(made));
    made.is(ConnectivityState.READY);
    policy.onConfig(parentOf(third));
    third.is(ConnectivityState.READY);
    policy.shutdown();
    eachIsShutDownOnce(old, made, third);
    channel.loop.runUntilIdle();
    eachIsShutDownOnce(old, made, third);
  }

  @Test
  void aParentThatIsReplacedItselfShutsItDown() {
    LoadBalancer policy = parentOf(parentOf(old)).create(channel);
    old.is(ConnectivityState.READY);
    policy.onConfig(parentOf(parentOf(made)));
    made.is(ConnectivityState.READY);
    made.is(ConnectivityState.CONNECTING);
    policy.onConfig(parentOf(third));
    eachIsShutDownOnce(old, made);
    channel.loop.runUntilIdle();
    eachIsShutDownOnce(old, made);
  }

  @Test
  void aChildThatFailsToShutDownDoesNotKeepTheOthersFromIt() {
    LoadBalancer policy = parent();
    policy.onConfig(parentOf(made));
    made.is(ConnectivityState.READY);
    policy.onConfig(parentOf(third));
    for (Child child : new Child[] {old, made}) {
      child.whenShutDown =
          () -> {
            throw new IllegalStateException("cannot end");
          };
    }
    assertThatThrownBy(policy::shutdown).hasMessage("cannot end");
    eachIsShutDownOnce(old, made, third);
  }

  private static Resolution with(LoadBalancerProvider policy) {
    return ServiceConfig.builder()
        .loadBalancer(policy)
        .build()
        .addTo((Resolution.Resolved) TestResolver.endpoints(2));
  }

  /** On a channel, the new child is ready at once; something else happens in the same event. */
  private void replacedIn(Runnable before, Runnable after) {
    test.resolver.answer = Optional.of(with(parentOf(old)));
    test.channel().state(true);
    old.is(ConnectivityState.READY);
    made.whenResolved =
        () -> {
          before.run();
          made.is(ConnectivityState.READY);
          after.run();
        };
    test.resolver.last().listener.onResult(with(parentOf(made)));
  }

  @Test
  void aPolicyThatThrowsLeavesNoChild() {
    replacedIn(
        () -> {},
        () -> {
          throw new IllegalStateException("cannot go on");
        });
    eachIsShutDownOnce(old, made);
  }

  @Test
  void aNextChildThatThrowsEndsThePolicy() {
    replacedIn(
        () -> {
          throw new IllegalStateException("cannot begin");
        },
        () -> {});
    eachIsShutDownOnce(old, made);
    assertThat(test.call().status().toString()).contains("cannot begin");
  }

  @Test
  void aChannelThatBecomesIdleLeavesNoChild() {
    replacedIn(() -> test.channel().enterIdle(), () -> {});
    eachIsShutDownOnce(old, made);
  }

  @Test
  void aChannelThatIsShutDownLeavesNoChild() {
    replacedIn(() -> test.channel().shutdown(), () -> {});
    eachIsShutDownOnce(old, made);
  }
}
