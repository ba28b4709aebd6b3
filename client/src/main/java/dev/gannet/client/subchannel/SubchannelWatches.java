package dev.gannet.client.subchannel;

import dev.gannet.api.Status;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.GuardedLog;
import java.lang.System.Logger;
import java.net.SocketAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a policy keeps open on one subchannel, on a connection that accepts calls. Only
 * used in the channel's {@link SerialTasks}.
 */
final class SubchannelWatches implements SubchannelWatch.Owner {
  private static final Logger LOG = System.getLogger(SubchannelWatches.class.getName());

  private final SerialTasks tasks;
  private final Executor policy;
  private final SocketAddress address;
  private final EventLog events;
  private final Supplier<ReadyConnections> ready;
  private final Set<SubchannelWatch<?, ?>> all = new LinkedHashSet<>();

  /**
   * None yet.
   *
   * @param policy runs the policy's callbacks, in the tasks
   * @param events of the subchannel
   * @param ready the connections of the subchannel at the moment
   */
  SubchannelWatches(
      SerialTasks tasks,
      Executor policy,
      SocketAddress address,
      EventLog events,
      Supplier<ReadyConnections> ready) {
    this.tasks = tasks;
    this.policy = policy;
    this.address = address;
    this.events = events;
    this.ready = ready;
  }

  /**
   * Adds a watch, and opens its call.
   *
   * @param transport the connection that accepts calls; null if there is none
   */
  void add(SubchannelWatch<?, ?> watch, @Nullable ClientTransport transport) {
    all.add(watch);
    if (transport != null) {
      open(watch, transport);
    }
  }

  /** This connection accepts calls. */
  void open(ClientTransport transport) {
    List.copyOf(all).forEach(it -> open(it, transport));
  }

  /** Outside the task, because credentials may be users' code. */
  private void open(SubchannelWatch<?, ?> watch, ClientTransport transport) {
    tasks.afterwards(watch.opening(transport));
  }

  /**
   * A connection accepts no more calls.
   *
   * @param to the one that does; null if there is none
   */
  void move(ClientTransport from, @Nullable ClientTransport to) {
    all.forEach(it -> it.onGoingAway(from));
    if (to != null) {
      open(to);
    }
  }

  /** Calls that wait for the end of their backoff are opened. */
  void endBackoffs() {
    List.copyOf(all).forEach(SubchannelWatch::endBackoff);
  }

  void stop() {
    List.copyOf(all).forEach(SubchannelWatch::stopInTask);
  }

  @Override
  public SerialTasks tasks() {
    return tasks;
  }

  @Override
  public Executor policy() {
    return policy;
  }

  @Override
  public ReadyConnections ready() {
    return ready.get();
  }

  @Override
  public void onUnserved(Status why, String fullMethodName) {
    String what = address + " does not know " + fullMethodName + ", and is not asked again: " + why;
    GuardedLog.warn(LOG, what);
    events.add(EventLog.Severity.ERROR, what);
  }

  @Override
  public void forget(SubchannelWatch<?, ?> watch) {
    all.remove(watch);
  }
}
