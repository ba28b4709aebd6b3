package dev.gannet.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Resolvers without a channel: one of Gannet, and one of a user. */
final class ResolverTestbedTest {
  private static final Duration EACH = Duration.ofSeconds(30);

  /** Looks up a host on another thread, again after a time; fails if the host says so. */
  private static final class Own implements NameResolver {
    private final Target target;
    private final Context context;
    private final List<String> events;
    private Optional<Listener> listener = Optional.empty();
    private int lookUps;

    Own(Target target, Context context, List<String> events) {
      this.target = target;
      this.context = context;
      this.events = events;
    }

    @Override
    public void start(Listener listener) {
      this.listener = Optional.of(listener);
      lookUp();
      events.add("started");
    }

    private void lookUp() {
      context.offload(() -> {
        events.add("looks up");
        int port = ++lookUps;
        context.execute(() -> answer(port));
      });
      context.schedule(this::lookUp, EACH);
    }

    private void answer(int port) {
      events.add("answers at " + Duration.ofNanos(context.nanoTime()).toSeconds());
      InetSocketAddress found = InetSocketAddress.createUnresolved(target.endpoint(), port);
      context.trace("found " + port);
      listener.orElseThrow().onResult(Resolution.of(List.of(Endpoint.of(found))));
    }

    @Override
    public void refresh() {
      if (target.endpoint().equals("broken")) {
        throw new IllegalStateException("out of order");
      }
      events.add("refreshed " + context.random().nextInt(1));
      lookUp();
    }

    @Override
    public void onRejected(Resolution result, Status why) {
      events.add("rejected: " + why);
    }

    @Override
    public void shutdown() {
      events.add("shutdown");
    }
  }

  private record OwnProvider(List<String> events) implements NameResolverProvider {
    OwnProvider() {
      this(new ArrayList<>());
    }

    @Override
    public String scheme() {
      return "own";
    }

    @Override
    public NameResolver create(Target target, NameResolver.Context context) {
      if (target.endpoint().equals("held")) {
        context.closeAtShutdown(() -> events.add("closed"));
        context.closeAtShutdown(() -> events.add("closed early")).close();
      }
      return new Own(target, context, events);
    }
  }

  @Test
  void whatAResolverWritesIntoTheTraceIsSeen() {
    try (ResolverTestbed bed = ResolverTestbed.of(new OwnProvider(), "own:///name")) {
      bed.start();
      bed.refresh();
      assertThat(bed.traced()).containsExactly("found 1", "found 2");
    }
  }

  @Test
  void aListOfAddressesIsItsResult() {
    try (ResolverTestbed bed =
        ResolverTestbed.of(NameResolverProvider.ipv4(), "ipv4:192.0.2.1:50051")) {
      assertThatThrownBy(bed::lastResult)
          .isInstanceOf(AssertionError.class)
          .hasMessage("the resolver has no result yet");
      bed.start();
      bed.refresh();
      assertThat(bed.results()).hasSize(2);
      assertThat(bed.lastResult()).asString().contains("192.0.2.1:50051");
    }
  }

  @Test
  void tasksFollowTheMethodThatCausesThem() {
    OwnProvider provider = new OwnProvider();
    try (ResolverTestbed bed = ResolverTestbed.of(provider, "own:///name")) {
      bed.start();
      assertThat(provider.events).containsExactly("started", "looks up", "answers at 0");
      assertThat(bed.lastResult()).asString().contains("name").contains(":1");
      bed.refresh();
      assertThat(provider.events).endsWith("refreshed 0", "looks up", "answers at 0");
      assertThat(bed.lastResult()).asString().contains(":2");
    }
  }

  @Test
  void timersRunByTheClock() {
    OwnProvider provider = new OwnProvider();
    try (ResolverTestbed bed = ResolverTestbed.of(provider, "own:///name")) {
      bed.start();
      bed.clock().advance(EACH.minusNanos(1));
      assertThat(bed.results()).hasSize(1);
      bed.clock().advance(EACH);
      assertThat(bed.results()).hasSize(2);
      assertThat(provider.events).endsWith("answers at 30");
    }
  }

  @Test
  void aRejectedResultIsReported() {
    OwnProvider provider = new OwnProvider();
    try (ResolverTestbed bed = ResolverTestbed.of(provider, "own:///name")) {
      bed.start();
      bed.rejects(Status.UNAVAILABLE.withDescription("no such policy"));
      assertThat(provider.events).endsWith("rejected: UNAVAILABLE: no such policy");
    }
  }

  @Test
  void nothingFollowsTheShutdown() {
    OwnProvider provider = new OwnProvider();
    ResolverTestbed bed = ResolverTestbed.of(provider, "own:///name");
    bed.start();
    bed.close();
    bed.close();
    bed.refresh();
    bed.clock().advance(Duration.ofDays(1));
    assertThat(provider.events).endsWith("answers at 0", "shutdown");
    assertThat(bed.results()).hasSize(1);
  }

  @Test
  void whatTheResolverHoldsIsClosedWithIt() {
    OwnProvider provider = new OwnProvider();
    ResolverTestbed bed = ResolverTestbed.of(provider, "own:///held");
    assertThat(provider.events).containsExactly("closed early");
    bed.close();
    bed.close();
    assertThat(provider.events).containsExactly("closed early", "shutdown", "closed");
  }

  @Test
  void anExceptionOfTheResolverFailsTheTest() {
    try (ResolverTestbed bed = ResolverTestbed.of(new OwnProvider(), "own:///broken")) {
      bed.start();
      assertThatThrownBy(bed::refresh).hasMessage("out of order");
      assertThat(bed.results()).hasSize(1);
    }
  }

  @Test
  void aTargetOfAnotherSchemeIsRefused() {
    for (String other : List.of("name:50051", "name", "dns:///name")) {
      assertThatThrownBy(() -> ResolverTestbed.of(new OwnProvider(), other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("'" + other + "' is not a target of the scheme own");
    }
  }
}
