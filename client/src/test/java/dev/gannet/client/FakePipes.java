package dev.gannet.client;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;

/**
 * Timers and tasks by a virtual clock, some of which can be refused; and pipes in a test's hand.
 */
public final class FakePipes implements PipeProvider, Scheduler {
  /** What can be refused. */
  public enum Service {
    SCHEDULE,
    OFFLOAD,
    CONNECT
  }

  public final SimulatedLoop loop = new SimulatedLoop();
  public final Set<Service> refused = EnumSet.noneOf(Service.class);
  public final List<FakePipe> opened = new ArrayList<>();

  /** Whether what is refused is refused by an {@link Error}. */
  public boolean refusesByErrors;

  /** Runs what timers do when they fire. */
  public Executor timers = Runnable::run;

  /** Happens once, while a timer is set. */
  public Runnable atTimer = () -> {};

  /** Happens once, when a random number is needed. */
  public Runnable atRandom = () -> {};

  private void use(Service service) {
    if (refused.contains(service)) {
      if (refusesByErrors) {
        throw new OutOfMemoryError("no " + service);
      }
      throw new RejectedExecutionException("no " + service);
    }
  }

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public boolean knows(SocketAddress address) {
    return true;
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    return (address, serverName, then) -> connect(address, serverName, then);
  }

  private Cancellable connect(SocketAddress address, String serverName, Connecting then) {
    use(Service.CONNECT);
    FakePipe pipe = new FakePipe(loop, address, serverName, then);
    opened.add(pipe);
    return pipe::takeBack;
  }

  @Override
  public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then) {
    throw new UnsupportedOperationException("no servers here");
  }

  @Override
  public Scheduler scheduler() {
    return this;
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    use(Service.SCHEDULE);
    Cancellable timer = loop.schedule(() -> timers.execute(task), delayNanos);
    Runnable happens = atTimer;
    atTimer = () -> {};
    happens.run();
    return timer;
  }

  @Override
  public void offload(Runnable task) {
    use(Service.OFFLOAD);
    loop.execute(task);
  }

  @Override
  public RandomGenerator random() {
    Runnable happens = atRandom;
    atRandom = () -> {};
    happens.run();
    return new SplittableRandom(1);
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }
}
