package dev.gannet.server;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A transport in a test's hand: it accepts nothing by itself, and its time stands still. */
public final class HandTransport implements TransportProvider, Scheduler {
  public static final SocketAddress ADDRESS = InetSocketAddress.createUnresolved("server", 1);
  public static final ConnectionInfo PEER =
      new ConnectionInfo(ADDRESS, InetSocketAddress.createUnresolved("client", 2));

  public final List<Runnable> scheduled = new ArrayList<>();
  public final List<Accepting> doors = new ArrayList<>();
  public final List<SocketAddress> closed = new ArrayList<>();

  /** What happens while an address is being opened. */
  public Runnable whileOpening = () -> {};

  @Override
  public Scheduler scheduler() {
    return this;
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    throw new AssertionError("a server opens no connections");
  }

  @Override
  public Listening listen(
      SocketAddress address,
      ServerCredentials credentials,
      TransportSettings settings,
      Accepting then) {
    whileOpening.run();
    doors.add(then);
    return new Open(address, closed);
  }

  private record Open(SocketAddress address, List<SocketAddress> closed) implements Listening {
    @Override
    public void close(Runnable onFree) {
      closed.add(address);
      onFree.run();
    }
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    scheduled.add(task);
    return () -> scheduled.remove(task);
  }

  @Override
  public void offload(Runnable task) {
    task.run();
  }

  @Override
  public RandomGenerator random() {
    return new SplittableRandom(1);
  }

  @Override
  public long nanoTime() {
    return 0;
  }
}
