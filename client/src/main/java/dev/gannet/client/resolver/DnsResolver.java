package dev.gannet.client.resolver;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.NameResolver.Context;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Looks up a host with the JDK, which caches answers for 30 seconds by default ({@code
 * networkaddress.cache.ttl}). Each address is a separate endpoint, in the JDK's order.
 */
final class DnsResolver implements NameResolver {
  private static final Timer NO_TIMER = () -> {};

  private final HostPort target;
  private final Context context;
  private final Optional<Duration> each;
  private final AtomicReference<Timer> next = new AtomicReference<>(NO_TIMER);
  private @Nullable Listener listener;
  private volatile boolean over;

  DnsResolver(HostPort target, Optional<Duration> each, Context context) {
    this.target = target;
    this.each = each;
    this.context = context;
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    lookUpLater(listener);
  }

  @Override
  public void refresh() {
    Listener to = listener;
    if (to != null && !over) {
      lookUpLater(to);
    }
  }

  private void lookUpLater(Listener to) {
    try {
      context.offload(() -> {
        to.onResult(lookUp());
        lookUpAgainInTime();
      });
    } catch (RuntimeException | Error e) {
      to.onResult(failed("no thread to look up " + target.host() + " on: " + textOf(e), e));
    }
  }

  /** So that new servers are found while nothing fails. */
  private void lookUpAgainInTime() {
    if (each.isEmpty() || over) {
      return;
    }
    Timer started;
    try {
      started = context.schedule(this::refresh, each.get());
    } catch (RuntimeException | Error e) {
      return; // the transport's threads have ended, and so does the channel
    }
    next.getAndSet(started).cancel();
    if (over) {
      started.cancel(); // the thread that shut this down may not have found it
    }
  }

  private Resolution lookUp() {
    try {
      List<Endpoint> endpoints =
          Arrays.stream(InetAddress.getAllByName(target.host()))
              .map(address -> Endpoint.of(new InetSocketAddress(address, target.port())))
              .toList();
      return Resolution.of(endpoints);
    } catch (UnknownHostException e) {
      return failed("unknown host " + target.host(), e);
    } catch (Throwable e) { // the JDK's resolver may be users' code
      return failed("cannot look up " + target.host() + ": " + textOf(e), e);
    }
  }

  private static Resolution failed(String what, Throwable cause) {
    return Resolution.failed(Status.UNAVAILABLE.withDescription(what).withCause(cause));
  }

  private static String textOf(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getName() : message;
  }

  /** A running lookup ends by itself, and its result is ignored. */
  @Override
  public void shutdown() {
    over = true;
    next.get().cancel();
  }
}
