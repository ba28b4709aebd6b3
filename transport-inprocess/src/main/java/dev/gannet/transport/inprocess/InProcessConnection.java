package dev.gannet.transport.inprocess;

import dev.gannet.api.CallContext;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.Status;
import dev.gannet.api.transport.TransportLimits;
import dev.gannet.transport.CallStart;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider.Accepted;
import dev.gannet.transport.TransportProvider.Accepting;
import dev.gannet.transport.TransportProvider.Opening;
import dev.gannet.transport.settings.TransportSettings;
import java.net.SocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Both sides of a connection between a channel and a server of one process. Safe for all threads.
 *
 * <pre>
 *   OPENING ──► OPEN ──shutdown of either end──► DRAINING ──the last call has ended──► CLOSED
 * </pre>
 *
 * <p>Write-then-check: a call enters the table, then reads the state; a thread that shuts down
 * changes the state, then reads the table.
 */
final class InProcessConnection implements ClientTransport {
  private enum State {
    OPENING,
    OPEN,
    DRAINING,
    CLOSED
  }

  private static final Status SHUT_DOWN = gone("is shut down");

  private final Accepting server;
  private final Accepted accepted;
  private final Opening client;
  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final ConnectionInfo info;
  private final String authority;
  private final boolean passesCauses;
  private final boolean writesMessages;
  private final int clientMetadataBytes;
  private final InProcessTracing tracing;
  private final InProcessAdmission admission;
  private final CallTable calls = new CallTable();
  private final @Nullable CallPermits permits;
  private final ServerSide serverSide = new ServerSide(this);
  private final AtomicReference<State> state = new AtomicReference<>(State.OPENING);

  /**
   * What the channel and the server have asked for before the connection was open: shutdowns, to be
   * run once it is. So neither of them is notified of its end before it was notified of its
   * opening.
   */
  private final AtomicReference<@Nullable Runnable> onceOpen = new AtomicReference<>();

  InProcessConnection(
      ServerRegistry.ListeningServer listening,
      Accepted accepted,
      TransportSettings settings,
      InProcessOptions options,
      Scheduler scheduler,
      Opening client) {
    this.server = listening.server();
    this.accepted = accepted;
    this.client = client;
    this.scheduler = scheduler;
    this.clock = scheduler::nanoTime;
    this.info = info(listening.address());
    this.authority = client.authority();
    this.tracing = new InProcessTracing(accepted.calls().tracers(), info, authority);
    this.passesCauses = options.passesCauses() || listening.options().passesCauses();
    this.writesMessages = options.writesMessages() || listening.options().writesMessages();
    this.clientMetadataBytes = settings.limits().maxInboundMetadataBytes();
    TransportLimits limits = listening.settings().limits();
    this.admission =
        new InProcessAdmission(this, accepted.calls(), tracing, limits.maxInboundMetadataBytes());
    this.permits =
        limits.isMaxConcurrentCallsPerConnectionSet()
            ? new CallPermits(limits.maxConcurrentCallsPerConnection(), scheduler)
            : null;
  }

  /** Both sides of a connection to that address: nobody outside of the process sees its calls. */
  static ConnectionInfo info(SocketAddress address) {
    return new ConnectionInfo(
        address, address, Optional.empty(), Optional.empty(), SecurityLevel.PRIVACY_AND_INTEGRITY);
  }

  private static Status gone(String how) {
    return Status.UNAVAILABLE.withDescription("the in-process connection " + how);
  }

  /** Notifies both sides. If they shut the connection down meanwhile, that is done afterwards. */
  void open() {
    accepted.onOpened(serverSide);
    client.onOpened(this);
    state.set(State.OPEN);
    runPostponed();
    if (state.get() == State.OPEN) {
      if (permits != null) {
        client.onMaxConcurrentStreams(permits.most());
      }
      client.onReady();
    }
  }

  @Override
  public <Q, R> ClientStream<Q> open(CallStart<Q, R> start, ClientCallEventListener events) {
    return new InProcessClientStream<>(this, start, events);
  }

  /** There is no network between the ends: the answer is immediate. */
  @Override
  public void ping(Ping ping) {
    if (state.get() == State.OPEN) {
      ping.onAnswer(0);
    } else {
      ping.onFailed(SHUT_DOWN);
    }
  }

  @Override
  public String authority() {
    return authority;
  }

  @Override
  public ConnectionInfo connection() {
    return info;
  }

  @Override
  public int callsWaiting() {
    return permits == null ? 0 : permits.callsWaiting();
  }

  /** Calls that are served come first, so that they are counted when others look for a permit. */
  @Override
  public void spreadCalls(UnaryOperator<ClientCallEventListener> listeners) {
    if (permits == null) {
      return; // no call has a reason to use another connection
    }
    List<InProcessServerStream<?, ?>> queue = permits.waitingCalls();
    calls.forEach(call -> call.replaceListenerIfServed(listeners));
    queue.forEach(call -> call.spread(listeners));
  }

  @Override
  public void shutdown() {
    whenOpen(() -> drain(SHUT_DOWN));
  }

  @Override
  public void shutdownNow(Status status) {
    whenOpen(() -> {
      beginToDrain(status);
      calls.forEach(call -> call.endBoth(status, status));
      drain(status);
    });
  }

  /** Runs a shutdown now, or once the connection is open. */
  private void whenOpen(Runnable shutdown) {
    onceOpen.updateAndGet(before -> before == null ? shutdown : inTurn(before, shutdown));
    if (state.get() != State.OPENING) {
      runPostponed();
    }
  }

  private static Runnable inTurn(Runnable first, Runnable second) {
    return () -> {
      first.run();
      second.run();
    };
  }

  private void runPostponed() {
    Runnable postponed = onceOpen.getAndSet(null);
    if (postponed != null) {
      postponed.run();
    }
  }

  private void beginToDrain(Status why) {
    if (state.compareAndSet(State.OPEN, State.DRAINING)) {
      client.onGoingAway(why);
    }
  }

  private void drain(Status why) {
    beginToDrain(why);
    if (permits != null) {
      permits.leaveUnserved(why);
    }
    closeIfDrained();
  }

  private void closeIfDrained() {
    if (state.get() == State.DRAINING
        && calls.isEmpty()
        && state.compareAndSet(State.DRAINING, State.CLOSED)) {
      CallContext.runDetached(this::onClosed); // a handler's thread may have ended the last call
    }
  }

  private void onClosed() {
    client.onTerminated(gone("to " + info.remoteAddress() + " is closed"));
    server.onTerminated(serverSide);
    server.onGone(info.remoteAddress());
  }

  /** Counts a call and returns its slot. */
  int enter(InProcessClientStream<?, ?> call) {
    return calls.add(call);
  }

  /** Why a counted call is not carried; null if it is. */
  @Nullable Status refusal() {
    return state.get() == State.OPEN ? null : SHUT_DOWN;
  }

  /** Removes a call from the count. */
  void leave(int slot) {
    calls.remove(slot);
    if (state.get() == State.DRAINING) {
      closeIfDrained();
    }
  }

  /** Null if the number of concurrent calls is not limited. */
  @Nullable CallPermits permits() {
    return permits;
  }

  ServerCalls served() {
    return accepted.calls();
  }

  /** Decides what becomes of its calls. */
  InProcessAdmission admission() {
    return admission;
  }

  InProcessTracing tracing() {
    return tracing;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /** The scheduler's clock. */
  LongSupplier clock() {
    return clock;
  }

  /** Both sides have the same address. */
  ConnectionInfo info() {
    return info;
  }

  boolean passesCauses() {
    return passesCauses;
  }

  boolean writesMessages() {
    return writesMessages;
  }

  int clientMetadataBytes() {
    return clientMetadataBytes;
  }

  /** The server's view of the connection. */
  private record ServerSide(InProcessConnection connection) implements ServerTransport {
    @Override
    public void shutdown() {
      connection.shutdown();
    }

    @Override
    public void shutdownNow(Status status) {
      connection.shutdownNow(status);
    }

    @Override
    public boolean equals(Object other) {
      return other == this;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }
}
