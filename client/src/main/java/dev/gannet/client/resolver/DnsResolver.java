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

/**
 * Looks up a host with the JDK, which caches answers for 30 seconds by default ({@code
 * networkaddress.cache.ttl}). Each address is a separate endpoint, in the JDK's order.
 *
 * <p>A look-up of the JDK cannot be stopped, and may hang. The next one does not wait for it, so
 * their answers may come in another order: one that is older than the last answer is not used.
 */
final class DnsResolver implements NameResolver {
  private final HostPort target;
  private final Context context;
  private final Optional<Duration> each;
  private Listener listener = result -> {};
  private Optional<Registration> next = Optional.empty();

  /** How many look-ups have begun; each has its number among them. */
  private long begun;

  /** The number of the look-up whose answer was the last; 0 if there is none. */
  private long answered;

  DnsResolver(HostPort target, Optional<Duration> each, Context context) {
    this.target = target;
    this.each = each;
    this.context = context;
  }

  @Override
  public void start(Listener listener) {
    this.listener = listener;
    refresh();
  }

  @Override
  public void refresh() {
    long number = ++begun;
    try {
      context.offload(() -> {
        Resolution found = lookUp();
        context.execute(() -> onFound(number, found));
      });
    } catch (RuntimeException | Error e) {
      listener.onResult(
          failed("no thread to look up " + target.host() + " on: " + ThrowableText.of(e), e));
    }
  }

  private void onFound(long number, Resolution found) {
    if (number < answered) {
      return;
    }
    answered = number;
    listener.onResult(found);
    next.ifPresent(Registration::close);
    next = each.flatMap(this::lookUpAgain);
  }

  /** So that new servers are found while nothing fails. */
  private Optional<Registration> lookUpAgain(Duration delay) {
    try {
      return Optional.of(context.schedule(this::refresh, delay));
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

  private static Resolution failed(String what, Throwable cause) {
    return Resolution.failed(Status.UNAVAILABLE.withDescription(what).withCause(cause));
  }

  /** A running lookup ends by itself, and its result is ignored. */
  @Override
  public void shutdown() {
    next.ifPresent(Registration::close);
  }
}
