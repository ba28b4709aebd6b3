package dev.gannet.conformance.longrun;

import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.NameResolver;
import dev.gannet.client.resolver.NameResolverProvider;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.resolver.Target;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Servers that are replaced, and a resolver for them with the target {@link #TARGET}. One thread
 * changes it; all threads may read it.
 */
final class ChurnFleet implements NameResolverProvider, AutoCloseable {
  static final String TARGET = "churn:///servers";

  private final SplittableRandom random;
  private final List<ChurnServer> members = new CopyOnWriteArrayList<>();
  private final Map<SocketAddress, ChurnServer> ever = new ConcurrentHashMap<>();
  private final List<Known> resolvers = new CopyOnWriteArrayList<>();

  ChurnFleet(int servers, SplittableRandom random) throws IOException {
    this.random = random;
    for (int i = 0; i < servers; i++) {
      add();
    }
  }

  /** No server has the address of one that is gone: a failed call is judged by its address. */
  private void add() throws IOException {
    ChurnServer added = new ChurnServer();
    while (ever.putIfAbsent(added.address(), added) != null) {
      added.close();
      added = new ChurnServer();
    }
    members.add(added);
  }

  List<ChurnServer> members() {
    return members;
  }

  /** The server that has or had this address. */
  Optional<ChurnServer> at(SocketAddress address) {
    return Optional.ofNullable(ever.get(address));
  }

  /**
   * Replaces one server. Half of the changes are reported to channels immediately; for the others
   * they have to ask when they lose the connection.
   */
  void replaceOne(boolean killing) throws IOException {
    ChurnServer gone = members.get(random.nextInt(members.size()));
    add();
    members.remove(gone);
    if (random.nextBoolean()) {
      publish();
    }
    if (killing) {
      gone.kill();
    } else {
      gone.drain();
    }
  }

  private void publish() {
    resolvers.forEach(Known::refresh);
  }

  @Override
  public String scheme() {
    return "churn";
  }

  @Override
  public NameResolver create(Target target, NameResolver.Context context) {
    Known made = new Known(members);
    resolvers.add(made);
    return made;
  }

  @Override
  public void close() {
    members.forEach(ChurnServer::close);
  }

  private static final class Known implements NameResolver {
    private final List<ChurnServer> members;
    private volatile Listener listener = result -> {};

    Known(List<ChurnServer> members) {
      this.members = members;
    }

    @Override
    public void start(Listener listener) {
      this.listener = listener;
      refresh();
    }

    @Override
    public void refresh() {
      listener.onResult(
          Resolution.of(members.stream().map(it -> Endpoint.of(it.address())).toList()));
    }

    @Override
    public void shutdown() {
      listener = result -> {};
    }
  }
}
