package dev.gannet.resolver.dns;

import dev.gannet.api.Registration;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A resolver as its channel sees it, with a clock and timers that a test moves. */
final class TestLookUps implements NameResolver.Context, NameResolver.Listener, AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** One that has been asked for. */
  private record Wanted(Runnable task, long atNanos) {}

  private final AtomicLong now = new AtomicLong(-5_000_000_000L); // clocks may be negative
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Wanted> timers = new ArrayList<>();
  private final LinkedBlockingQueue<Resolution> results = new LinkedBlockingQueue<>();
  private final RandomGenerator random = new SplittableRandom(1);
  private final Supplier<NameResolver> resolvers;
  private NameResolver resolver;
  private final AtomicReference<Attributes> kept = new AtomicReference<>(Attributes.EMPTY);

  TestLookUps(String target, LookUpSettings settings) {
    this(target, settings, "host-1");
  }

  TestLookUps(String target, LookUpSettings settings, String hostname) {
    this(target, settings, () -> hostname);
  }

  TestLookUps(String target, LookUpSettings settings, Supplier<String> hostname) {
    resolvers =
        () ->
            new NettyDnsResolver(
                DnsTarget.of(Target.parse(target, scheme -> true)),
                settings,
                new ResolverEnvironment(this, hostname));
    resolver = resolvers.get();
    resolver.start(this);
  }

  /** As a channel does that was idle. */
  void restart() {
    resolver.shutdown();
    resolver = resolvers.get();
    resolver.start(this);
  }

  /** Channels let their resolvers go on threads of their own. */
  static void awaitUsers(int wanted) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (LookUpThread.users() != wanted) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError(LookUpThread.users() + " resolvers use the look-ups' thread");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void offload(Runnable task) {
    Thread.ofVirtual().start(task);
  }

  @Override
  public void execute(Runnable task) {
    locked(task);
  }

  @Override
  public Registration closeAtShutdown(AutoCloseable resource) {
    throw new AssertionError("nothing is acquired");
  }

  @Override
  public long nanoTime() {
    return now.get();
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

  @Override
  public Registration schedule(Runnable task, Duration delay) {
    Wanted wanted = new Wanted(task, now.get() + TimeUnit.NANOSECONDS.convert(delay));
    locked(() -> timers.add(wanted));
    return () -> locked(() -> timers.remove(wanted));
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  /** In how long the next timer ends, of those that there are. */
  List<Duration> timers() {
    lock.lock();
    try {
      return timers.stream().map(it -> Duration.ofNanos(it.atNanos() - now.get())).toList();
    } finally {
      lock.unlock();
    }
  }

  void pass(Duration time) {
    long then = now.addAndGet(time.toNanos());
    List<Wanted> due = new ArrayList<>();
    locked(() -> {
      timers.stream().filter(it -> it.atNanos() - then <= 0).forEach(due::add);
      timers.removeAll(due);
    });
    due.forEach(it -> it.task().run());
  }

  void refresh() {
    resolver.refresh();
  }

  @Override
  public void onResult(Resolution result) {
    results.add(result);
  }

  Resolution next() throws InterruptedException {
    Resolution result = results.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    if (result == null) {
      throw new AssertionError("no result in " + PATIENCE);
    }
    return result;
  }

  Resolution.Resolved nextResolved() throws InterruptedException {
    Resolution next = next();
    if (next instanceof Resolution.Resolved resolved) {
      return resolved;
    }
    throw new AssertionError(next.toString());
  }

  /** As {@code address:port}. */
  List<String> nextAddresses() throws InterruptedException {
    return nextResolved().endpoints().stream()
        .flatMap(it -> it.addresses().stream())
        .map(TestLookUps::textOf)
        .toList();
  }

  private static String textOf(SocketAddress address) {
    InetSocketAddress internet = (InetSocketAddress) address;
    return internet.getAddress().getHostAddress() + ":" + internet.getPort();
  }

  String nextFailure() throws InterruptedException {
    Resolution next = next();
    if (next instanceof Resolution.Failed failed) {
      return failed.why().code() + ": " + failed.why().description().orElse("");
    }
    throw new AssertionError(next.toString());
  }

  boolean hasNone() {
    return results.isEmpty();
  }

  @Override
  public void close() {
    resolver.shutdown();
  }
}
