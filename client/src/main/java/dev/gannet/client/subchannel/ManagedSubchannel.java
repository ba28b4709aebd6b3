package dev.gannet.client.subchannel;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.api.engine.Backoff;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.journal.ChannelJournal;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.settings.ChannelSettings;
import dev.gannet.client.tasks.SerialTasks;
import dev.gannet.client.tasks.TaskTimer;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.EntityIds;
import java.net.SocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One address of a channel (gRFC A61): attempts to connect to it, the backoff between them, and the
 * connections. One of them carries new calls, or several do (gRFC A105), and others may be
 * draining.
 *
 * <pre>
 *   IDLE ──connect──► CONNECTING ──SETTINGS──► READY ──going away, lost──► IDLE
 *    ▲                     │failed
 *    └──backoff is over── TRANSIENT_FAILURE
 *
 *   any ──shutdown──► SHUTDOWN, and over when the last connection is closed
 * </pre>
 *
 * <p>While several connections are allowed, or there still are several, they are in a {@link
 * ConnectionPool}; otherwise the only one is a {@link SingleConnection}. While the subchannel is
 * READY and its pool is full, an {@link AdditionalConnection} is made.
 *
 * <p>States change only in the channel's {@link SerialTasks}. Picks read {@link #ready} without
 * them; a closing connection is removed from it at once, so that no more calls use it.
 */
public final class ManagedSubchannel
    implements Subchannel,
        ConnectAttempt.Owner,
        ConnectAttempt.Outcome,
        AdditionalConnection.Owner {
  /** The state of the subchannel. */
  private sealed interface State {
    record Idle() implements State {
      @Override
      public void stop() {}
    }

    record Connecting(ConnectAttempt attempt) implements State {
      @Override
      public void stop() {
        attempt.cancel();
      }
    }

    record Ready() implements State {
      @Override
      public void stop() {}
    }

    record TransientFailure(TaskTimer timer) implements State {
      @Override
      public void stop() {
        timer.cancel();
      }
    }

    record Shutdown() implements State {
      @Override
      public void stop() {}
    }

    /** Ends the activities of the state; connections continue. */
    void stop();
  }

  /** What a channel provides for its subchannels. */
  public interface Owner {
    /** The tasks of the channel. */
    SerialTasks tasks();

    /** The settings of the next connection, and faults of servers. */
    ConnectionHealth health();

    /** The waiting calls. */
    PendingCalls pending();

    /** How many connections may carry calls to one address at a time. Any thread. */
    int maxConnectionsPerSubchannel();

    /** Diagnostic data. */
    ChannelJournal journal();

    /**
     * No timer can be set for the end of a backoff, so nobody must wait for it. Called in a task.
     */
    void onCannotBackOff(Status why);

    /** Waiting calls may be started; called in a task. */
    void onTransportReady();

    /** It makes no more connections, while calls on those that it has may go on; in a task. */
    void onShutdown(ManagedSubchannel subchannel);

    /** The subchannel is shut down and its last connection is closed; called in a task. */
    void onOver(ManagedSubchannel subchannel);
  }

  private static final AtomicReferenceFieldUpdater<ManagedSubchannel, ReadyConnections> READY =
      AtomicReferenceFieldUpdater.newUpdater(
          ManagedSubchannel.class, ReadyConnections.class, "ready");

  private final ChannelSettings settings;
  private final Owner owner;
  private final SocketAddress address;
  private final Endpoint endpoint;
  private final Subchannel.Listener listener;
  private final CallTracker tracker;
  private final PendingCalls pending;
  private final Backoff backoff = new Backoff();
  private final long id = EntityIds.next();
  private final EventLog events = new EventLog();
  private final OpenConnections connections = new OpenConnections();
  private final SubchannelWatches watches;
  private volatile ConnectivityState connectivity = ConnectivityState.IDLE;
  private volatile long connectsSucceeded;
  private volatile long connectsFailed;
  private final AdditionalConnection additional;
  private volatile ReadyConnections ready;
  private State state = new State.Idle();

  /**
   * A subchannel that is IDLE.
   *
   * @param policy runs the policy's callbacks about kept-open calls, in the tasks
   * @param endpoint has one address
   */
  public ManagedSubchannel(
      ChannelSettings settings,
      Owner owner,
      Executor policy,
      Endpoint endpoint,
      Subchannel.Listener listener,
      CallTracker tracker) {
    this.settings = settings;
    this.owner = owner;
    this.address = endpoint.onlyAddress();
    this.endpoint = endpoint;
    this.listener = listener;
    this.tracker = tracker;
    this.pending = owner.pending();
    this.watches = new SubchannelWatches(owner.tasks(), policy, address, events, this::ready);
    this.additional = new AdditionalConnection(settings, owner.tasks(), backoff, this);
    this.ready = new SingleConnection(tracker, pending);
  }

  /** Its number. */
  public long id() {
    return id;
  }

  /** The current state of the subchannel. Any thread. */
  public SubchannelValues values() {
    return new SubchannelValues(
        id,
        address,
        connectivity,
        connectsSucceeded,
        connectsFailed,
        events.kept(),
        connections.values());
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public Endpoint endpoint() {
    return endpoint;
  }

  /** The oldest connection for new calls; null if there is none. Any thread. */
  public @Nullable ClientTransport transport() {
    SubchannelConnection oldest = ready.oldest();
    return oldest == null ? null : oldest.transport();
  }

  private @Nullable ClientTransport transportForWatches() {
    SubchannelConnection best = ready.oldestWithRoom();
    return best == null ? null : best.transport();
  }

  /** Whether the channel whose calls wait there has created it. Any thread. */
  boolean isOfChannelOf(PendingCalls calls) {
    return pending == calls;
  }

  /** The connections for new calls. Any thread. */
  ReadyConnections ready() {
    return ready;
  }

  @Override
  public void connect() {
    owner.tasks().run(this::connectNow);
  }

  private void connectNow() {
    if (state instanceof State.Idle) {
      ConnectAttempt attempt = newAttempt(this);
      become(new State.Connecting(attempt), SubchannelState.CONNECTING);
      if (isCurrent(attempt)) { // a callback may have thrown, and this subchannel was discarded
        start(attempt);
      }
    }
  }

  @Override
  public ConnectAttempt newAttempt(ConnectAttempt.Outcome outcome) {
    long backoffNanos = backoff.delayNanos(settings.scheduler().random());
    return new ConnectAttempt(settings, endpoint, owner.health(), this, outcome, backoffNanos);
  }

  @Override
  public void start(ConnectAttempt attempt) {
    connections.onOpening();
    attempt.start();
  }

  private void become(State next, SubchannelState reported) {
    state = next;
    connectivity = reported.connectivity();
    events.add(
        reported.failure().isPresent() ? EventLog.Severity.WARNING : EventLog.Severity.INFO,
        reported.connectivity() + reported.failure().map(it -> ": " + it).orElse(""));
    listener.onState(this, reported);
  }

  @Override
  public void onOpened(SubchannelConnection connection) {
    owner
        .tasks()
        .run(() -> {
          connections.add(connection);
          if (state instanceof State.Shutdown) {
            owner.tasks().afterwards(connection::shutdown);
          }
        });
  }

  @Override
  public void onOpeningEnded() {
    owner
        .tasks()
        .run(() -> {
          connections.onOpeningEnded();
          endIfOver();
        });
  }

  @Override
  public void onOpenInVain(SubchannelConnection connection) {
    owner.tasks().afterwards(connection::shutdown);
  }

  @Override
  public void onReady(ConnectAttempt attempt, SubchannelConnection connection) {
    owner
        .tasks()
        .run(() -> {
          if (isCurrent(attempt)) {
            backoff.reset();
            poolOrSingle();
            carryNewCalls(connection);
            become(new State.Ready(), SubchannelState.READY);
            owner.onTransportReady();
            watches.open(connection.transport());
          }
        });
  }

  @Override
  public boolean mayAdd() {
    return state instanceof State.Ready && ready.size() < owner.maxConnectionsPerSubchannel();
  }

  @Override
  public void onAdditional(SubchannelConnection connection) {
    carryNewCalls(connection);
    owner.onTransportReady(); // it may be the only one now, so that calls wait for a picker
  }

  @Override
  public void onAdditionalFailed(Status why) {
    countFailure(why);
    events.add(EventLog.Severity.WARNING, "another connection failed: " + why);
  }

  @Override
  public void onMayAsk() {
    owner.tasks().afterwards(() -> ready.startWaiting());
  }

  /** Another number of connections is allowed. */
  public void onMaxConnectionsInTask() {
    if (state instanceof State.Shutdown) {
      return;
    }
    if (!mayAdd()) {
      additional.stopConnecting();
    }
    poolOrSingle();
    onMayAsk();
  }

  /** Changes what accepts calls, if it does not suit the number of connections. In a task. */
  private void poolOrSingle() {
    ReadyConnections now = ready;
    boolean several = Math.max(now.size(), owner.maxConnectionsPerSubchannel()) > 1;
    boolean pooled = !(now instanceof SingleConnection); // the class of pools is not loaded for it
    if (several && !pooled) {
      usePool(now);
    } else if (pooled && !several) {
      useSingle((ConnectionPool) now);
    }
  }

  /** The calls of the connection are counted from now on, and those that wait on it move here. */
  private void usePool(ReadyConnections single) {
    ConnectionPool pool =
        new ConnectionPool(
            owner::maxConnectionsPerSubchannel,
            tracker,
            pending,
            additional,
            settings.scheduler()::nanoTime);
    SubchannelConnection only = single.oldest();
    if (only == null) {
      ready = pool;
    } else if (READY.compareAndSet(this, single, pool.afterAdding(only))) {
      owner.tasks().afterwards(() -> only.transport().spreadCalls(call -> pool.count(only, call)));
    } // otherwise it has just gone away, and the next one will be in a pool
  }

  /** Calls that wait in the pool are picked for again, and wait on the connection. */
  private void useSingle(ConnectionPool pool) {
    SubchannelConnection only = pool.oldest();
    SingleConnection none = new SingleConnection(tracker, pending);
    ready = only == null ? none : none.afterAdding(only);
    // write-then-check with CallPicker.queue: ready first, then the pool is emptied; a call that
    // finds no connection there is queued, then reads ready once more
    pool.clear();
    owner.onTransportReady();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only changed in tasks
  private void carryNewCalls(SubchannelConnection connection) {
    connectsSucceeded++;
    owner.journal().forgetFailures(address);
    connection.carryNewCalls();
    ready = ready.afterAdding(connection); // not atomic: others only remove connections
  }

  private void carryNoNewCalls(SubchannelConnection connection) {
    READY.updateAndGet(this, it -> it.afterRemoving(connection));
  }

  @Override
  public void onStreamLimit() {
    ready.startWaiting();
  }

  @Override
  public <Q, R> Registration watch(MethodDescriptor<Q, R> method, Q request, Watcher<R> watcher) {
    SubchannelWatch<Q, R> watch =
        new SubchannelWatch<>(settings, watches, method, request, watcher);
    owner
        .tasks()
        .run(() -> {
          if (!(state instanceof State.Shutdown)) {
            watches.add(watch, transportForWatches());
          }
        });
    return watch;
  }

  @Override
  public void onFailed(ConnectAttempt attempt, Status why) {
    owner
        .tasks()
        .run(() -> {
          if (isCurrent(attempt)) {
            countFailure(why);
            backOff(attempt, why);
          }
        });
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // only changed in tasks
  private void countFailure(Status why) {
    connectsFailed++;
    owner.journal().onConnectFailed(address, why.description().orElse(why.code().name()));
  }

  private boolean isCurrent(ConnectAttempt attempt) {
    return state instanceof State.Connecting connecting && connecting.attempt() == attempt;
  }

  private void backOff(ConnectAttempt failed, Status why) {
    TaskTimer timer = new TaskTimer(() -> become(new State.Idle(), SubchannelState.IDLE));
    become(new State.TransientFailure(timer), SubchannelState.failed(why));
    backoff.onFailure();
    try {
      timer.start(settings.scheduler(), owner.tasks(), failed.untilNextNanos());
    } catch (RuntimeException | Error e) {
      owner.onCannotBackOff(why);
      become(new State.Idle(), SubchannelState.IDLE);
    }
  }

  /** The next attempt may begin at once, and the backoff after it is the first one again. */
  public void resetBackoffInTask() {
    backoff.reset();
    if (state instanceof State.TransientFailure failure) {
      failure.timer().cancel();
      become(new State.Idle(), SubchannelState.IDLE);
    } else if (state instanceof State.Connecting connecting) {
      connecting.attempt().limitBackoff(backoff.delayNanos(settings.scheduler().random()));
    }
    additional.endBackoff();
    watches.endBackoffs();
  }

  /** No call uses the connection from now on, even before the task runs. */
  @Override
  public void onGoingAway(SubchannelConnection connection) {
    carryNoNewCalls(connection);
    owner
        .tasks()
        .run(() -> {
          carryNoNewCalls(connection); // it may have become ready meanwhile
          watches.move(connection.transport(), transportForWatches());
          if (state instanceof State.Ready && transport() == null) {
            additional.stop();
            become(new State.Idle(), SubchannelState.IDLE);
          } else {
            poolOrSingle();
            onMayAsk();
          }
        });
  }

  @Override
  public void onTerminated(SubchannelConnection connection) {
    owner
        .tasks()
        .run(() -> {
          connections.remove(connection);
          endIfOver();
        });
  }

  @Override
  public void shutdown() {
    if (!isShutDown()) { // the channel may have done it
      owner.tasks().run(this::shutdownInTask);
    }
  }

  /** Whether it makes no more connections. Any thread. */
  public boolean isShutDown() {
    return connectivity == ConnectivityState.SHUTDOWN;
  }

  /** Opens nothing more and closes what is open when its calls have ended. May be called again. */
  public void shutdownInTask() {
    ready = ready.afterClearing();
    additional.stop();
    watches.stop();
    state.stop();
    boolean first = !isShutDown();
    state = new State.Shutdown();
    connectivity = ConnectivityState.SHUTDOWN;
    connections.inOrder().forEach(it -> owner.tasks().afterwards(it::shutdown));
    if (first) {
      owner.onShutdown(this);
    }
    endIfOver();
  }

  /** Ends the calls on all connections; after {@link #shutdownInTask}. */
  public void endCallsInTask(Status why) {
    connections.inOrder().forEach(it -> owner.tasks().afterwards(() -> it.shutdownNow(why)));
  }

  private void endIfOver() {
    if (state instanceof State.Shutdown && connections.areOver()) {
      owner.onOver(this);
    }
  }

  @Override
  public String toString() {
    return "subchannel to " + address;
  }
}
