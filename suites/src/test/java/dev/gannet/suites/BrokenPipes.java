package dev.gannet.suites;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.pipe.PipeProvider;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.random.RandomGenerator;

/** The pipes of a network of which one part throws as long as it is broken. */
final class BrokenPipes implements PipeProvider {
  enum Part {
    NONE,
    CONNECT,
    OFFLOAD,
    SCHEDULE
  }

  static final class CannotBegin extends Error {
    private static final long serialVersionUID = 1;

    CannotBegin() {
      super("no loops here");
    }
  }

  private final SimulatedNetwork network;
  private Part broken;

  BrokenPipes(SimulatedNetwork network, Part broken) {
    this.network = network;
    this.broken = broken;
  }

  void repair() {
    broken = Part.NONE;
  }

  private void use(Part part) {
    if (part == broken) {
      throw new CannotBegin();
    }
  }

  @Override
  public int priority() {
    return network.priority();
  }

  @Override
  public boolean knows(SocketAddress address) {
    return network.knows(address);
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    Connector connector = network.connector(credentials);
    return (address, serverName, then) -> {
      use(Part.CONNECT);
      return connector.connect(address, serverName, then);
    };
  }

  @Override
  public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
      throws IOException {
    return network.listen(address, credentials, then);
  }

  @Override
  public Scheduler scheduler() {
    return new BrokenScheduler();
  }

  private final class BrokenScheduler implements Scheduler {
    @Override
    public Cancellable schedule(Runnable task, long delayNanos) {
      use(Part.SCHEDULE);
      return network.scheduler().schedule(task, delayNanos);
    }

    @Override
    public void offload(Runnable task) {
      use(Part.OFFLOAD);
      network.scheduler().offload(task);
    }

    @Override
    public RandomGenerator random() {
      return network.scheduler().random();
    }

    @Override
    public long nanoTime() {
      return network.scheduler().nanoTime();
    }
  }
}
