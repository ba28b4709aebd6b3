package dev.gannet.testing;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * A name resolver under test, without a channel, threads or real time: the test starts and
 * refreshes it, moves its clock, and sees its results.
 *
 * <p>As on a channel, the resolver's methods and tasks run one at a time. Work that it {@linkplain
 * NameResolver.Context#offload offloads} runs on the test's thread, after the method or task that
 * offloaded it; all of that has happened when a method returns. Unlike on a channel, an exception
 * of the resolver is thrown to the test. Its random numbers are the same in each run. For one
 * thread.
 */
public final class ResolverTestbed implements AutoCloseable {
  private final SerialEvents events = new SerialEvents();
  private final RandomGenerator random = new SplittableRandom(1);
  private final List<Resolution> results = new ArrayList<>();
  private final List<String> traced = new ArrayList<>();
  private final NameResolver resolver;
  private int offloads;
  private final AtomicReference<Attributes> kept = new AtomicReference<>(Attributes.EMPTY);

  private ResolverTestbed(NameResolverProvider provider, Target target) {
    this.resolver = provider.create(target, new FakeChannel());
  }

  /**
   * A resolver of this provider that has not started.
   *
   * @param target a text with the provider's scheme, such as {@code own:///name}
   * @throws IllegalArgumentException if it has another scheme, or the provider rejects it
   */
  public static ResolverTestbed of(NameResolverProvider provider, String target) {
    Target parsed = Target.parse(target, scheme -> true);
    if (!Target.hasScheme(target) || !parsed.scheme().equals(provider.scheme())) {
      throw new IllegalArgumentException(
          "'" + target + "' is not a target of the scheme " + provider.scheme());
    }
    return new ResolverTestbed(provider, parsed);
  }

  /** The channel of the resolver. */
  private final class FakeChannel implements NameResolver.Context {
    @Override
    public void offload(Runnable task) {
      offloads++;
      events.run(task);
    }

    @Override
    public void execute(Runnable task) {
      events.run(task);
    }

    @Override
    public Registration schedule(Runnable task, Duration delay) {
      return events.schedule(task, delay);
    }

    @Override
    public Registration closeAtShutdown(AutoCloseable resource) {
      return events.closeAtEnd(resource);
    }

    @Override
    public void trace(String event) {
      traced.add(Objects.requireNonNull(event, "event"));
    }

    @Override
    public long nanoTime() {
      return events.clock().nanoTime();
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    @Override
    public <T> void keep(Attributes.Key<T> key, T value) {
      kept.updateAndGet(it -> it.with(key, value));
    }

    @Override
    public <T> Optional<T> kept(Attributes.Key<T> key) {
      return kept.get().get(key);
    }
  }

  private void add(Resolution result) {
    Objects.requireNonNull(result, "result");
    if (!events.isClosed()) {
      results.add(result);
    }
  }

  /** The clock of the resolver's timers: the test moves it. */
  public VirtualClock clock() {
    return events.clock();
  }

  /** Starts the resolver; call it once. */
  public void start() {
    events.run(() -> resolver.start(this::add));
  }

  /** Lets the resolver resolve again. */
  public void refresh() {
    events.run(resolver::refresh);
  }

  /** The channel does not use the last result. */
  public void rejects(Status why) {
    Resolution rejected = lastResult();
    events.run(() -> resolver.onRejected(rejected, why));
  }

  /** All results so far, oldest first. */
  public List<Resolution> results() {
    return List.copyOf(results);
  }

  /**
   * The last result.
   *
   * @throws AssertionError if there is none
   */
  public Resolution lastResult() {
    if (results.isEmpty()) {
      throw new AssertionError("the resolver has no result yet");
    }
    return results.getLast();
  }

  /** What the resolver has written into the channel's trace, oldest first, and not cut. */
  public List<String> traced() {
    return List.copyOf(traced);
  }

  /** How many tasks the resolver has offloaded. */
  public int offloads() {
    return offloads;
  }

  /**
   * Shuts the resolver down, and closes what it has left to the channel ({@link
   * NameResolver.Context#closeAtShutdown}); its later results and tasks are ignored. May be called
   * again.
   */
  @Override
  public void close() {
    events.close(resolver::shutdown);
  }
}
