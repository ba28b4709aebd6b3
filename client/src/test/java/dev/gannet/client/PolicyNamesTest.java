package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ServiceConfig;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** A policy whose provider cannot say its name is refused, and leaves no call without a status. */
final class PolicyNamesTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet");

  /** {@code pick_first}, with what a test makes of its name. */
  private record Named(Supplier<String> name) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return name.get();
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancerProvider.pickFirst().create(context);
    }
  }

  private static final class NoName extends RuntimeException {
    private static final long serialVersionUID = 1;

    NoName() {
      super("no name today");
    }
  }

  private static String throwing() {
    throw new NoName();
  }

  static final List<LoadBalancerProvider> NAMELESS =
      List.of(new Named(Nulls::none), new Named(PolicyNamesTest::throwing));

  private final TestChannel test = new TestChannel();

  @BeforeEach
  void nothingIsLogged() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void everythingIsLogged() {
    LOG.setLevel(null);
  }

  private static String expected(LoadBalancerProvider nameless) {
    boolean isNull = nameless.equals(NAMELESS.getFirst());
    return "policyName() of "
        + Named.class.getName()
        + (isNull ? " returned null" : " failed: no name today");
  }

  @ParameterizedTest
  @FieldSource("NAMELESS")
  void aBuilderRefusesAPolicyWithoutAName(LoadBalancerProvider nameless) {
    assertThatThrownBy(() -> ManagedChannel.builder("a:1").loadBalancer(nameless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(expected(nameless));
  }

  @ParameterizedTest
  @FieldSource("NAMELESS")
  void aServiceConfigRefusesAPolicyWithoutAName(LoadBalancerProvider nameless) {
    assertThatThrownBy(() -> ServiceConfig.builder().loadBalancer(nameless))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(expected(nameless));
  }

  @ParameterizedTest
  @FieldSource("NAMELESS")
  void aPolicyThatHasLostItsNameFailsTheCalls(LoadBalancerProvider nameless) {
    test.policy = nameless;
    TestCall call = test.call();
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.text()).endsWith("failed: " + expected(nameless));
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(test.connector.dials).isEmpty();
  }

  @Test
  void aPolicyThatFindsItsNameAgainServesTheCallsThatWait() {
    AtomicInteger asked = new AtomicInteger();
    test.policy = new Named(() -> asked.getAndIncrement() == 0 ? throwing() : "mine");
    TestCall patient = test.patientCall();
    test.advance(Duration.ofSeconds(2));
    FakeTransport transport = test.dial().becomesReady();
    transport.stream().answers("yes");
    transport.stream().endsWith(Status.OK);
    assertThat(patient.status()).isEqualTo(Status.OK);
    assertThat(asked).hasValue(2);
  }

  @Test
  void aRunningPolicyIsNotAskedForItsNameAgain() {
    AtomicInteger asked = new AtomicInteger();
    test.policy = new Named(() -> asked.getAndIncrement() == 0 ? "mine" : Nulls.none());
    test.connected();
    test.dial().isLost();
    test.call();
    test.dial().becomesReady();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    assertThat(asked).hasValue(1);
  }

  /** Has a name once, and then neither that nor a policy. */
  private record Broken(Supplier<String> name) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return name.get();
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new IllegalStateException("out of order");
    }
  }

  @Test
  void aPolicyThatThrowsIsNamedWithoutBeingAskedAgain() {
    AtomicInteger asked = new AtomicInteger();
    test.policy = new Broken(() -> asked.getAndIncrement() == 0 ? "mine" : throwing());
    assertThat(test.call().text()).isEqualTo("the load-balancing policy mine failed: out of order");
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.advance(Duration.ofSeconds(2));
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.IDLE);
  }
}
