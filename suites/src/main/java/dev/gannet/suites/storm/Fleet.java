package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import dev.gannet.server.Server;
import dev.gannet.simulation.SimulatedLoop;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The servers of a storm: each place has one at a time, which others may follow. Channels find some
 * of them under {@link #TARGET}, or are given the address of the one at the first place.
 */
final class Fleet implements NameResolverProvider {
  static final String TARGET = "storm:///servers";

  private static final long MAX_ANSWER_NANOS = 50_000_000;
  private static final Status NOT_FOUND = Status.UNAVAILABLE.withDescription("no name is known");

  private final Odds odds;
  private final SimulatedLoop loop;
  private final IntFunction<SocketAddress> addresses;
  private final IntFunction<Server> start;
  private final List<Server> inPlace = new ArrayList<>();
  private final List<Server> all = new ArrayList<>();
  private final Set<Known> resolvers = new LinkedHashSet<>();
  private List<Endpoint> known = List.of();
  private boolean failing;

  /**
   * Servers that do not run yet.
   *
   * @param addresses of the places, which are counted from 0
   * @param start starts one at that place
   */
  Fleet(
      Odds odds,
      SimulatedLoop loop,
      IntFunction<SocketAddress> addresses,
      IntFunction<Server> start) {
    this.odds = odds;
    this.loop = loop;
    this.addresses = addresses;
    this.start = start;
  }

  void begin(int places) {
    for (int i = 0; i < places; i++) {
      inPlace.add(startAt(i));
    }
    changeAddresses();
  }

  private Server startAt(int place) {
    Server started = start.apply(place);
    all.add(started);
    return started;
  }

  /** All that have ever run. */
  List<Server> all() {
    return all;
  }

  /** Another server takes one's place, whose calls may end first. */
  void replaceOne() {
    int place = odds.below(inPlace.size());
    inPlace.get(place).shutdown();
    inPlace.set(place, startAt(place));
  }

  /** Another server takes one's place, whose calls end with it. */
  void killOne() {
    int place = odds.below(inPlace.size());
    inPlace.get(place).shutdownNow();
    inPlace.set(place, startAt(place));
  }

  /** Some of the servers are known from now on, in some order, and those that resolve are told. */
  void changeAddresses() {
    List<SocketAddress> some = new ArrayList<>();
    for (int i = 0; i < inPlace.size(); i++) {
      if (odds.oneIn(2)) {
        some.add(odds.below(some.size() + 1), addressOf(i));
      }
    }
    publish(some.isEmpty() ? List.of(addressOf(odds.below(inPlace.size()))) : some);
  }

  /** All servers are known, and resolvers fail no more. */
  void settle() {
    failing = false;
    List<SocketAddress> every = new ArrayList<>();
    for (int i = 0; i < inPlace.size(); i++) {
      every.add(addressOf(i));
    }
    publish(every);
  }

  /** Resolvers find nothing, until that is taken back. */
  void setFailing(boolean fails) {
    failing = fails;
    resolvers.forEach(Known::answerLater);
  }

  private void publish(List<SocketAddress> addresses) {
    known =
        odds.oneIn(4) // several addresses of one endpoint
            ? List.of(Endpoint.of(addresses))
            : addresses.stream().map(Endpoint::of).toList();
    resolvers.forEach(Known::answerLater);
  }

  private SocketAddress addressOf(int place) {
    return addresses.apply(place);
  }

  @Override
  public String scheme() {
    return "storm";
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    return new Known();
  }

  /** Answers after a moment with what is known then. */
  private final class Known implements NameResolver {
    private Listener listener = result -> {};

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      resolvers.add(this);
      answerLater();
    }

    @Override
    public void refresh() {
      answerLater();
    }

    @Override
    public void shutdown() {
      resolvers.remove(this);
      listener = result -> {};
    }

    void answerLater() {
      loop.schedule(this::answer, odds.nanosBelow(MAX_ANSWER_NANOS));
    }

    private void answer() {
      listener.onResult(failing ? Resolution.failed(NOT_FOUND) : Resolution.of(known));
    }
  }
}
