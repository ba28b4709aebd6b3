package dev.gannet.client.resolver;

import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.resolver.NameResolver.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Looks up a host with the JDK, which caches answers for 30 seconds by default ({@code
 * networkaddress.cache.ttl}). Each address is a separate endpoint, in the JDK's order.
 *
 * <p>A look-up of the JDK cannot be stopped, and may hang. The next one does not wait for it, so
 * their answers may come in another order: one that is older than the last answer is not used. A
 * look-up is given up after 30 seconds, and its answer is not used any more:
 *
 * <pre>
 *   AWAITED ──answer──► over
 *      └──30 s──► GIVEN UP ──answer──► over
 * </pre>
 *
 * <p>At most {@link #MAX_RUNNING} look-ups of a channel run at a time, each on a thread of its own,
 * those of its earlier resolvers included.
 */
final class DnsResolver implements NameResolver {
  /** As long as a channel waits for a resolver. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** How many threads of a channel may hang. */
  private static final int MAX_RUNNING = 4;

  private static final Attributes.Key<AtomicInteger> RUNNING =
      Attributes.Key.of("running look-ups");

  private final HostPort target;
  private final Context context;
  private final Optional<Duration> each;
  private Listener listener = result -> {};
  private Optional<Registration> next = Optional.empty();

  /** How many look-ups have begun; each has its number among them. */
  private long begun;

  /** How many of the channel's have not ended, awaited or not. */
  private final AtomicInteger running;

  /** The number of the newest look-up that is answered or given up; 0 if there is none. */
  private long answered;

  DnsResolver(HostPort target, Optional<Duration> each, Context context) {
    this.target = target;
    this.each = each;
    this.context = context;
    Optional<AtomicInteger> earlier = context.kept(RUNNING);
    this.running = earlier.isPresent() ? earlier.get() : new AtomicInteger();
    context.keep(RUNNING, running);
  }

  /** The side that wants a look-up. */
  private enum By {
    /** Knows by itself when nothing has come for too long. */
    CHANNEL,
    TIMER
  }

  /** A look-up that has begun. */
  private final class LookUp {
    private final By by;
    private final long number;
    private final Optional<Registration> watch;

    LookUp(By by, long number) {
      this.by = by;
      this.number = number;
      this.watch = soon(() -> giveUp(this), PATIENCE);
    }
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    refresh();
  }

  @Override
  public void refresh() {
    begin(By.CHANNEL);
  }

  private void begin(By by) {
    if (running.get() >= MAX_RUNNING) {
      if (answered == begun) { // otherwise the newest is awaited, and answers this, too
        report(failed(MAX_RUNNING + " look-ups of " + target.host() + " hang", null));
      }
      return;
    }
    LookUp lookUp = new LookUp(by, ++begun);
    running.incrementAndGet();
    try {
      context.offload(() -> {
        Resolution found = lookUp(); // never throws
        running.decrementAndGet();
        context.execute(() -> onFound(lookUp, found));
      });
    } catch (RuntimeException | Error e) {
      running.decrementAndGet();
      String why = "no thread to look up " + target.host() + " on: " + ThrowableText.of(e);
      onFound(lookUp, failed(why, e));
    }
  }

  private void onFound(LookUp lookUp, Resolution found) {
    lookUp.watch.ifPresent(Registration::close);
    if (lookUp.number > answered) {
      answered = lookUp.number;
      report(found);
    }
  }

  /** Newer ones are awaited on; if there is none, the timer goes on. */
  private void giveUp(LookUp lookUp) {
    if (lookUp.number <= answered) {
      return;
    }
    answered = lookUp.number;
    if (answered < begun) {
      return;
    }
    switch (lookUp.by) {
      case TIMER -> {
        String limit = PATIENCE.toSeconds() + " s";
        report(failed("the look-up of " + target.host() + " did not end within " + limit, null));
      }
      case CHANNEL -> lookUpAgain();
    }
  }

  private void report(Resolution result) {
    listener.onResult(result);
    lookUpAgain();
  }

  /** So that new servers are found while nothing fails. */
  private void lookUpAgain() {
    next.ifPresent(Registration::close);
    next = each.flatMap(delay -> soon(() -> begin(By.TIMER), delay));
  }

  private Optional<Registration> soon(Runnable task, Duration delay) {
    try {
      return Optional.of(context.schedule(task, delay));
    } catch (RuntimeException | Error e) {
      return Optional.empty(); // the transport's threads have ended, and so does the channel
    }
  }

  private Resolution lookUp() {
    try {
      List<Endpoint> endpoints = new ArrayList<>();
      for (InetAddress address : InetAddress.getAllByName(target.host())) {
        endpoints.add(Endpoint.of(new InetSocketAddress(address, target.port())));
      }
      return Resolution.of(endpoints);
    } catch (UnknownHostException e) {
      return failed("unknown host " + target.host(), e);
    } catch (Throwable e) { // the JDK's resolver may be users' code
      return failed("cannot look up " + target.host() + ": " + ThrowableText.of(e), e);
    }
  }

  private static Resolution failed(String what, @Nullable Throwable cause) {
    return Resolution.failed(Status.UNAVAILABLE.withDescription(what).withCause(cause));
  }

  /** A running lookup ends by itself, and its result is ignored. */
  @Override
  public void shutdown() {
    next.ifPresent(Registration::close);
  }
}
