package dev.gannet.client.resolver;

import dev.gannet.api.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Of a resolver that knows its result: it needs nothing. */
public record NoContext() implements NameResolver.Context {
  @Override
  public void offload(Runnable task) {
    throw new AssertionError("nothing is looked up");
  }

  @Override
  public Registration schedule(Runnable task, Duration delay) {
    throw new AssertionError("nothing changes");
  }

  @Override
  public void execute(Runnable task) {
    throw new AssertionError("nothing changes");
  }

  @Override
  public Registration closeAtShutdown(AutoCloseable resource) {
    throw new AssertionError("nothing is acquired");
  }

  @Override
  public long nanoTime() {
    throw new AssertionError("nothing changes");
  }

  @Override
  public RandomGenerator random() {
    throw new AssertionError("nothing is chosen");
  }

  @Override
  public <T> void keep(Attributes.Key<T> key, T value) {
    throw new AssertionError("nothing is kept");
  }

  @Override
  public <T> Optional<T> kept(Attributes.Key<T> key) {
    throw new AssertionError("nothing is kept");
  }
}
