package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.inprocess.InProcessAddress;
import dev.gannet.transport.inprocess.InProcessOptions;
import java.net.SocketAddress;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** The in-process transport, with the clock and the timers of the storm's loop. */
final class InProcessStormTransport implements StormTransport, Scheduler {
  private final SimulatedLoop loop;
  private final RandomGenerator random;
  private final List<InProcessAddress> addresses;
  private final TransportProvider inProcess;

  /**
   * A transport without connections.
   *
   * @param name begins the names of its addresses
   * @param odds of its options, and of its random numbers
   */
  InProcessStormTransport(SimulatedLoop loop, String name, int places, Odds odds) {
    this.loop = loop;
    this.random = new SplittableRandom(odds.seed());
    this.addresses = addresses(name, places);
    InProcessOptions options =
        InProcessOptions.DEFAULT.withWrittenMessages(odds.oneIn(2)).withCauses(odds.oneIn(2));
    this.inProcess = ((TransportProvider) options.transport()).by(this);
  }

  /**
   * Several addresses have names, because policies use their texts: the text of an anonymous one is
   * not the same in each run.
   */
  private static List<InProcessAddress> addresses(String name, int places) {
    return places == 1
        ? List.of(InProcessAddress.anonymous())
        : IntStream.range(0, places)
            .mapToObj(place -> InProcessAddress.of(name + "-" + place))
            .toList();
  }

  @Override
  public SocketAddress addressOf(int place) {
    return addresses.get(place);
  }

  @Override
  public ServerBuilder server(int place) {
    return Server.builder(addressOf(place)).transport(inProcess);
  }

  @Override
  public ManagedChannelBuilder channelToFirst() {
    return ManagedChannel.builder(addressOf(0));
  }

  @Override
  public ManagedChannelBuilder applyTo(ManagedChannelBuilder builder) {
    return builder.transport(inProcess);
  }

  @Override
  public List<Trouble> troubles() {
    return Trouble.ofPrograms();
  }

  @Override
  public void begin(Trouble trouble) {
    throw new IllegalStateException("there is no network for " + trouble);
  }

  @Override
  public void settle() {}

  @Override
  public boolean isBusy() {
    return false;
  }

  @Override
  public void checkAtRest() {}

  @Override
  public void checkNothingIsLeft() {}

  @Override
  public StormReport report(Map<Status.Code, Integer> ends, long digest) {
    return new StormReport(ends, 0, 0, 0, digest);
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    return loop.schedule(task, delayNanos);
  }

  @Override
  public void offload(Runnable task) {
    loop.execute(task);
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }
}
