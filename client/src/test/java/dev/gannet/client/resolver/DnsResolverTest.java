package dev.gannet.client.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.simulation.SimulatedLoop;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Names are looked up by the JDK, away from the thread that asks. */
final class DnsResolverTest {
  private final NameResolverProvider provider = NameResolverProvider.dns();
  private final List<Runnable> offloaded = new ArrayList<>();
  private final List<Resolution> results = new ArrayList<>();
  private final SimulatedLoop loop = new SimulatedLoop();
  private final NameResolver.Context context = new Lent(offloaded::add, loop);

  private record Lent(
      Consumer<Runnable> threads, SimulatedLoop loop, Map<Attributes.Key<?>, Object> values)
      implements NameResolver.Context {
    Lent(Consumer<Runnable> threads, SimulatedLoop loop) {
      this(threads, loop, new HashMap<>());
    }

    @Override
    public void offload(Runnable task) {
      threads.accept(task);
    }

    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public Registration closeAtShutdown(AutoCloseable resource) {
      throw new AssertionError("nothing is acquired");
    }

    @Override
    public long nanoTime() {
      return loop.nanoTime();
    }

    @Override
    public RandomGenerator random() {
      throw new AssertionError("nothing is chosen");
    }

    @Override
    public <T> void keep(Attributes.Key<T> key, T value) {
      values.put(key, value);
    }

    @Override
    @SuppressWarnings("unchecked") // the key's own value
    public <T> Optional<T> kept(Attributes.Key<T> key) {
      return Optional.ofNullable((T) values.get(key));
    }

    @Override
    public Registration schedule(Runnable task, Duration delay) {
      return loop.schedule(task, TimeUnit.NANOSECONDS.convert(delay))::cancel;
    }
  }

  private static Target target(String text) {
    return Target.parse(text, "dns"::equals);
  }

  private NameResolver start(String text) {
    NameResolver resolver = provider.create(target(text), context);
    resolver.start(results::add);
    return resolver;
  }

  private Resolution resultOf(String text) {
    start(text);
    assertThat(results).isEmpty();
    offloaded.removeFirst().run();
    return results.removeFirst();
  }

  private Status failureOf(String text) {
    return ((Resolution.Failed) resultOf(text)).why();
  }

  @Test
  void eachAddressIsAnEndpoint() {
    Resolution.Resolved resolved = (Resolution.Resolved) resultOf("two.test:5");
    assertThat(resolved.endpoints())
        .extracting(it -> ((InetSocketAddress) it.addresses().getFirst()).getAddress())
        .extracting(it -> it.getHostAddress())
        .containsExactly("192.0.2.1", "192.0.2.2");
    assertThat(resolved.endpoints())
        .allMatch(it -> ((InetSocketAddress) it.addresses().getFirst()).getPort() == 5);
  }

  @Test
  void aRefreshLooksUpAgain() {
    NameResolver resolver = start("dns:///192.0.2.9:5");
    resolver.refresh();
    offloaded.forEach(Runnable::run);
    resolver.shutdown();
    assertThat(results).hasSize(2).allMatch(Resolution.Resolved.class::isInstance);
  }

  @Test
  void anAnswerThatIsOlderThanTheLastOneIsNotUsed() {
    NameResolver resolver = start("two.test:5");
    Runnable hanging = offloaded.removeFirst();
    resolver.refresh();
    offloaded.removeFirst().run();
    hanging.run();
    assertThat(results).hasSize(1);
    resolver.refresh();
    offloaded.removeFirst().run();
    assertThat(results).hasSize(2);
  }

  @Test
  void anAnswerThatComesWhileAnotherIsAwaitedIsUsed() {
    NameResolver resolver = start("two.test:5");
    resolver.refresh();
    offloaded.removeFirst().run();
    assertThat(results).hasSize(1);
    offloaded.removeFirst().run();
    assertThat(results).hasSize(2);
  }

  @Test
  void anUnknownHostIsNamed() {
    Status why = failureOf("no.such.test:5");
    assertThat(why).hasToString("UNAVAILABLE: unknown host no.such.test");
    assertThat(why.cause()).containsInstanceOf(UnknownHostException.class);
  }

  @Test
  void aLookUpThatThrowsHasFailed() {
    assertThat(failureOf(TestHosts.BREAKING + ":5").description())
        .hasValue("cannot look up breaking.test: the resolver broke");
    assertThat(failureOf(TestHosts.BREAKING_SILENTLY + ":5").description())
        .hasValue("cannot look up silently.breaking.test: java.lang.LinkageError");
  }

  @Test
  void ifNoThreadIsAvailableItFails() {
    NameResolver resolver =
        provider.create(
            target("two.test:5"),
            new Lent(
                task -> {
                  throw new RejectedExecutionException("full");
                },
                loop));
    resolver.start(results::add);
    assertThat(((Resolution.Failed) results.getFirst()).why().description())
        .hasValue("no thread to look up two.test on: full");
  }

  @Test
  void aTargetIsAHostAndAPort() {
    assertThat(provider.scheme()).isEqualTo("dns");
    assertThat(provider.priority()).isZero();
    assertThat(provider.authority(target("dns:///[::1%lo]:5"))).isEqualTo("[::1]:5");
    assertThat(provider.describe(target("dns:///host:5"))).isEqualTo("host:5");
    assertThatThrownBy(() -> provider.authority(target("host:")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a target")
        .hasMessageContaining("'host:'");
    assertThatThrownBy(() -> provider.authority(target("dns://192.0.2.1/host:5")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DNS server");
  }

  @Test
  void withoutAPortItIs443AndTheAuthorityHasNone() {
    Resolution.Resolved resolved = (Resolution.Resolved) resultOf("dns:///two.test");
    assertThat(resolved.endpoints())
        .allMatch(it -> ((InetSocketAddress) it.addresses().getFirst()).getPort() == 443);
    assertThat(provider.authority(target("dns:///two.test"))).isEqualTo("two.test");
    assertThat(provider.authority(target("[::1]"))).isEqualTo("[::1]");
  }

  @Test
  void withAnIntervalItLooksUpAgainUntilItIsShutDown() {
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1)).create(target("two.test:5"), context);
    resolver.start(results::add);
    offloaded.removeFirst().run();
    loop.advance(Duration.ofSeconds(59));
    assertThat(offloaded).isEmpty();
    loop.advance(Duration.ofSeconds(1));
    offloaded.removeFirst().run();
    assertThat(results).hasSize(2);
    resolver.refresh();
    offloaded.removeFirst().run();
    assertThat(loop.pendingTasks()).isOne();
    resolver.shutdown();
    assertThat(loop.pendingTasks()).isZero();
    assertThatThrownBy(() -> NameResolverProvider.dns(Duration.ZERO))
        .hasMessageContaining("must be positive");
  }

  @Test
  void anIntervalOfForeverMeansNeverAgain() {
    NameResolver resolver =
        NameResolverProvider.dns(ChronoUnit.FOREVER.getDuration())
            .create(target("two.test:5"), context);
    resolver.start(results::add);
    offloaded.removeFirst().run();
    assertThat(loop.pendingTasks()).isOne();
    loop.advance(Duration.ofDays(365));
    assertThat(offloaded).isEmpty();
    assertThat(results).hasSize(1);
  }

  private Optional<String> lastFailure() {
    return ((Resolution.Failed) results.getLast()).why().description();
  }

  @Test
  void aTimedLookUpThatHangsIsGivenUpAndTheTimerGoesOn() {
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1)).create(target("two.test:5"), context);
    resolver.start(results::add);
    offloaded.removeFirst().run();
    loop.advance(Duration.ofMinutes(1));
    Runnable hanging = offloaded.removeFirst();
    loop.advance(Duration.ofSeconds(29));
    assertThat(results).hasSize(1);
    loop.advance(Duration.ofSeconds(1));
    assertThat(results).hasSize(2);
    assertThat(lastFailure()).hasValue("the look-up of two.test did not end within 30 s");
    hanging.run();
    assertThat(results).hasSize(2);
    loop.advance(Duration.ofMinutes(1));
    offloaded.removeFirst().run();
    assertThat(results).hasSize(3).last().isInstanceOf(Resolution.Resolved.class);
  }

  @Test
  void theTimerGoesOnAfterALookUpThatTheChannelHasGivenUp() {
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1)).create(target("two.test:5"), context);
    resolver.start(results::add);
    Runnable hanging = offloaded.removeFirst();
    loop.advance(Duration.ofSeconds(30));
    hanging.run();
    assertThat(results).isEmpty(); // the channel knows the time
    loop.advance(Duration.ofMinutes(1));
    offloaded.removeFirst().run();
    assertThat(results).hasSize(1);
  }

  @Test
  void whileANewerLookUpIsAwaitedAnOlderOneIsGivenUpInSilence() {
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1)).create(target("two.test:5"), context);
    resolver.start(results::add);
    offloaded.removeFirst().run();
    loop.advance(Duration.ofMinutes(1));
    loop.advance(Duration.ofSeconds(29));
    resolver.refresh();
    loop.advance(Duration.ofSeconds(2));
    assertThat(results).hasSize(1);
    offloaded.removeLast().run();
    assertThat(results).hasSize(2).allMatch(Resolution.Resolved.class::isInstance);
  }

  @Test
  void atMostFourLookUpsOfAResolverHang() {
    NameResolver resolver = start("two.test:5");
    for (int i = 0; i < 10; i++) {
      resolver.refresh();
    }
    assertThat(offloaded).hasSize(4);
    assertThat(results).isEmpty(); // the last one answers them all
    loop.advance(Duration.ofSeconds(30));
    resolver.refresh();
    assertThat(lastFailure()).hasValue("4 look-ups of two.test hang");
    offloaded.removeFirst().run();
    assertThat(results).hasSize(1);
    resolver.refresh();
    assertThat(offloaded).hasSize(4);
    offloaded.removeLast().run();
    assertThat(results).hasSize(2).last().isInstanceOf(Resolution.Resolved.class);
  }

  @Test
  void lookUpsOfEarlierResolversOfTheChannelCountUntilTheyEnd() {
    for (int i = 0; i < 4; i++) {
      start("two.test:5").shutdown();
    }
    NameResolver next = start("two.test:5");
    assertThat(offloaded).hasSize(4);
    assertThat(lastFailure()).hasValue("4 look-ups of two.test hang");
    offloaded.removeFirst().run();
    next.refresh();
    assertThat(offloaded).hasSize(4);
  }

  @Test
  void theTimerGoesOnWhileAllLookUpsHang() {
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1)).create(target("two.test:5"), context);
    resolver.start(results::add);
    loop.advance(Duration.ofHours(5));
    assertThat(offloaded).hasSize(4);
    offloaded.removeFirst();
    offloaded.forEach(Runnable::run);
    offloaded.clear();
    loop.advance(Duration.ofMinutes(1));
    offloaded.removeFirst().run();
    assertThat(results).last().isInstanceOf(Resolution.Resolved.class);
  }

  @Test
  void theTimerGoesOnAfterATimeWithoutThreads() {
    boolean[] full = {true};
    NameResolver resolver =
        NameResolverProvider.dns(Duration.ofMinutes(1))
            .create(
                target("two.test:5"),
                new Lent(
                    task -> {
                      if (full[0]) {
                        throw new RejectedExecutionException("full");
                      }
                      task.run();
                    },
                    loop));
    resolver.start(results::add);
    full[0] = false;
    loop.advance(Duration.ofMinutes(1));
    assertThat(results).hasSize(2).last().isInstanceOf(Resolution.Resolved.class);
  }
}
