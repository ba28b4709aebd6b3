package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.FoundPlugins;
import java.util.List;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies that ServiceLoader finds, some of which cannot be used. */
final class KnownPoliciesTest {
  private static final Logger LOG = Logger.getLogger(FoundPlugins.class.getName());

  @BeforeEach
  void nothingIsLogged() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void everythingIsLogged() {
    LOG.setLevel(null);
  }

  private record Named(Supplier<String> name, int priority) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return name.get();
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      throw new UnsupportedOperationException();
    }
  }

  private static List<String> namesWith(LoadBalancerProvider... found) {
    return KnownPolicies.all(List.of(found)).stream()
        .map(LoadBalancerProvider::policyName)
        .toList();
  }

  @Test
  void oneThatCannotBeUsedDoesNotHideTheOthers() {
    List<String> builtIn = namesWith();
    LoadBalancerProvider nameless =
        new Named(
            () -> {
              throw new IllegalStateException("no name");
            },
            1);
    assertThat(namesWith(nameless)).isEqualTo(builtIn);
    LoadBalancerProvider good = new Named(() -> "a_good_one", 1);
    assertThat(namesWith(nameless, good))
        .hasSize(builtIn.size() + 1)
        .startsWith("a_good_one")
        .containsAll(builtIn);
  }

  @Test
  void theOneWithTheHighestPriorityIsUsed() {
    LoadBalancerProvider above = new Named(() -> "round_robin", 1);
    LoadBalancerProvider below = new Named(() -> "pick_first", -1);
    assertThat(KnownPolicies.all(List.of(above, below))).contains(above).doesNotContain(below);
  }
}
