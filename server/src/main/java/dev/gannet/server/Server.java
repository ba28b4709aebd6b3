package dev.gannet.server;

import dev.gannet.api.Preview;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.Draining;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.EntityIds;
import dev.gannet.transport.FaultReports;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.Listening;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC server that listens on an address. Created and started by {@link #builder}; safe for all
 * threads.
 *
 * <pre>
 *   STARTED ──shutdown──► SHUT_DOWN ──shutdown delay──► DRAINING ──last connection closed──► TERMINATED
 * </pre>
 *
 * <p>Without a {@linkplain ServerBuilder#shutdownDelay delay}, which is the default, it drains as
 * soon as it is shut down.
 */
public final class Server implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Server.class.getName());
  private static final Status SHUT_DOWN =
      Status.UNAVAILABLE.withDescription("the server is shut down");

  /** How long a shutdown waits for its addresses: a loop is rarely occupied for as long. */
  private static final Duration ADDRESS_WAIT = Duration.ofSeconds(1);

  /** The time for cancelled calls to be written, after the grace period of {@link #close}. */
  private static final Duration LAST_GRACE = Duration.ofSeconds(5);

  private final ServerSettings settings;
  private final CallIntake intake;
  private final ServerLifecycle lifecycle;
  private final ServerTransports transports = new ServerTransports();
  private final long id = EntityIds.next();
  private final @Nullable CallCounter counter;
  private final PeerFaults faults;
  private final LongAdder acceptFailures = new LongAdder();

  /** Notifies the running calls that the server accepts no more calls. */
  private record DrainedCalls(Draining draining) implements ServerObserver {
    @Override
    public void onDrain(Server server) {
      draining.begin();
    }
  }

  private Server(ServerSettings settings) {
    this.settings = settings;
    this.intake = new CallIntake(settings);
    List<ServerObserver> all = new ArrayList<>(settings.lifecycle().observers());
    all.add(new DrainedCalls(intake.draining()));
    this.lifecycle = new ServerLifecycle(this, List.copyOf(all));
    this.counter =
        settings.interception().counting() == ServerSettings.Counting.ON ? new CallCounter() : null;
    this.faults = new PeerFaults(settings.connections().transport().scheduler()::nanoTime);
  }

  /** A server on this port of all local addresses; 0 chooses a free port. */
  public static ServerBuilder builder(int port) {
    return new ServerBuilder(new InetSocketAddress(port));
  }

  /**
   * A server on this address: an {@link InetSocketAddress}, the {@link
   * java.net.UnixDomainSocketAddress} of a file, or another type that a transport on the class path
   * supports. The server creates the file of a Unix domain socket and deletes it when it shuts
   * down; a file that a killed server left is replaced.
   */
  public static ServerBuilder builder(SocketAddress address) {
    return new ServerBuilder(address);
  }

  static Server start(ServerSettings settings) throws IOException {
    Server server = new Server(settings);
    try {
      server.lifecycle.start();
      for (SocketAddress address : settings.connections().addresses()) {
        server.listen(address);
      }
    } catch (IOException | RuntimeException | Error e) {
      server.endConnections(); // if there are several addresses, the first may be open
      throw e;
    }
    return server;
  }

  private void listen(SocketAddress address) throws IOException {
    ServerSettings.Connections how = settings.connections();
    Listening opened =
        how.transport().listen(address, how.credentials(), how.settings(), new ServerAccepting());
    if (!transports.tryAdd(opened)) {
      opened.close(() -> {});
    }
  }

  /** Admits connections and answers the transport. */
  private final class ServerAccepting implements TransportProvider.Accepting {
    @Override
    public boolean admit(SocketAddress remote) {
      boolean admitted = settings.connections().caps().enter(remote);
      if (!admitted) {
        faults.report(
            PeerFault.TOO_MANY_CONNECTIONS,
            remote,
            "maxConnections or maxConnectionsPerAddress is reached");
      }
      return admitted;
    }

    @Override
    public Optional<TransportProvider.Accepted> accept(ConnectionInfo connection) {
      if (!transports.tryExpect()) { // it was still in its handshake
        return Optional.empty();
      }
      ServedConnection served = null;
      Optional<TransportProvider.Accepted> accepted = Optional.empty();
      try {
        served = new ServedConnection(connection, counter);
        if (tryAccept(served)) {
          accepted = Optional.of(new AcceptedConnection(served, served.calls(intake)));
        }
      } finally {
        if (accepted.isEmpty()) {
          onNotOpened(served);
        }
      }
      return accepted;
    }

    @Override
    public void onFailed(SocketAddress remote, String why) {
      faults.report(PeerFault.HANDSHAKE_FAILED, remote, "the handshake did not complete", why);
    }

    @Override
    public void onGone(SocketAddress remote) {
      settings.connections().caps().leave(remote);
    }

    @Override
    public void onNotAccepted() {
      acceptFailures.increment();
    }

    @Override
    public void onStopped() {
      stop();
    }

    @Override
    public FaultReports faults() {
      return faults;
    }

    @Override
    public void onTerminated(ServerTransport transport) {
      remove(transport);
    }
  }

  /** A connection that the filters have accepted. */
  private final class AcceptedConnection implements TransportProvider.Accepted {
    private final ServedConnection connection;
    private final ServerCalls calls;

    AcceptedConnection(ServedConnection connection, ServerCalls calls) {
      this.connection = connection;
      this.calls = calls;
    }

    @Override
    public ServerCalls calls() {
      return calls;
    }

    @Override
    public void onOpened(ServerTransport transport) {
      if (!transports.add(transport, connection)) {
        transport.shutdownNow(SHUT_DOWN);
      }
    }

    @Override
    public void onNotOpened() {
      Server.this.onNotOpened(connection);
    }
  }

  /** Asks the filters; an exception of a filter refuses the connection. */
  private boolean tryAccept(ServedConnection connection) {
    try {
      connection.begin(settings.interception().filters());
      return true;
    } catch (Throwable e) {
      faults.report(
          PeerFault.REFUSED_BY_FILTER,
          connection.remoteAddress(),
          "refused by a transport filter",
          ThrowableText.of(e));
      return false;
    }
  }

  private static void notifyTerminated(ServedConnection connection) {
    for (ServerTransportFilter filter : connection.passedFilters()) {
      try {
        filter.onTransportTerminated(connection);
      } catch (Throwable e) {
        GuardedLog.warn(LOG, "a transport filter of the server failed", e);
      }
    }
  }

  /** A connection that was expected is not opened. */
  private void onNotOpened(@Nullable ServedConnection connection) {
    try {
      if (connection != null) {
        notifyTerminated(connection);
      }
    } finally {
      transports.giveUp();
      terminateIfDone();
    }
  }

  private void remove(ServerTransport transport) {
    try {
      ServedConnection gone = transports.remove(transport);
      if (gone != null) {
        notifyTerminated(gone);
      }
    } finally {
      terminateIfDone();
    }
  }

  private void terminateIfDone() {
    if (transports.isDone()) {
      lifecycle.terminate();
    }
  }

  /** The port on which it listens; -1 if its address has none. */
  public int port() {
    return address() instanceof InetSocketAddress inet ? inet.getPort() : -1;
  }

  /** The first address on which it listens, with the actual port if 0 was requested. */
  public SocketAddress address() {
    List<SocketAddress> all = addresses();
    if (all.isEmpty()) {
      throw new IllegalStateException("the server does not listen");
    }
    return all.getFirst();
  }

  /** All addresses on which it listens, in the order in which they were added. */
  public List<SocketAddress> addresses() {
    return transports.addresses();
  }

  /** The services that were added to the builder, and the current ones of its registries. */
  public List<ServerServiceDefinition> services() {
    ServerSettings.Services all = settings.services();
    return Stream.concat(all.added().stream(), all.fallback().services().stream()).toList();
  }

  /** The current state of the server. Counts are 0 without {@link ServerBuilder#countCalls}. */
  public ServerSnapshot snapshot() {
    CallCounts calls = new CallCounts((counter == null ? new CallCounter() : counter).values());
    return transports.snapshot(id, calls, intake.counts());
  }

  /**
   * The number of times that clients lost a connection or the stream of a call, by reason; reasons
   * that did not occur are missing. The log has the details.
   */
  public Map<PeerFault, Long> peerFaults() {
    return faults.counts();
  }

  /**
   * The number of times that clients lost a connection because they did something more often than
   * {@link dev.gannet.api.transport.TransportLimits#withOffenceRate} allows, by what they did;
   * offences that did not occur are missing. {@link #peerFaults} counts the same as {@link
   * PeerFault#ABUSE}.
   */
  public Map<Offence, Long> offences() {
    return faults.offences();
  }

  /**
   * How often no connection could be accepted, for lack of file descriptors or memory: it is tried
   * again every second. Once per minute a log line names the limit of descriptors.
   */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** The current counts of {@link LoadShedding}; empty if it is off. */
  @Preview(until = "0.3")
  public Optional<LoadShedding.Snapshot> loadShedding() {
    return intake.shedding();
  }

  /**
   * Stops accepting connections and calls, after the {@linkplain ServerBuilder#shutdownDelay delay}
   * of the builder; running calls continue until they end. Does not wait for calls.
   *
   * <p>Without a delay, other servers can have its addresses when this returns: it waits for that,
   * but at most 1 s, which it takes only if an inline handler occupies the event loop of a
   * listening socket. With a delay, or on an event loop, it returns at once. In any case the
   * addresses are free when the server {@linkplain #awaitTermination() has terminated}.
   */
  public Server shutdown() {
    if (lifecycle.shutDown()) {
      Duration delay = settings.lifecycle().shutdownDelay();
      if (delay.isZero() || !trySchedule(this::drain, delay)) {
        drain();
      }
    }
    return this;
  }

  /** Returns false if the task cannot be scheduled: then nobody would run it later. */
  private boolean trySchedule(Runnable task, Duration delay) {
    try {
      settings
          .connections()
          .transport()
          .scheduler()
          .schedule(task, TimeUnit.NANOSECONDS.convert(delay));
      return true;
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private void drain() {
    lifecycle.drain();
    for (ServerTransport transport : transports.close(this::terminateIfDone)) {
      transport.shutdown();
    }
    awaitAddresses();
    terminateIfDone();
  }

  /**
   * Stops accepting connections and calls at once, without a delay, and cancels all calls. Does not
   * wait for their end, but waits for its addresses as {@link #shutdown} does.
   */
  public Server shutdownNow() {
    lifecycle.drain();
    endConnections();
    return this;
  }

  private void endConnections() {
    for (ServerTransport transport : transports.close(this::terminateIfDone)) {
      transport.shutdownNow(SHUT_DOWN);
    }
    awaitAddresses();
    terminateIfDone();
  }

  /** So that another server can be started at once, as long as that does not take long. */
  private void awaitAddresses() {
    if (!(Thread.currentThread() instanceof EventLoopThread)) {
      transports.awaitFree(ADDRESS_WAIT);
    }
  }

  /** Whether it was shut down. */
  public boolean isShutdown() {
    return lifecycle.isShutDown();
  }

  /** Whether it was shut down, its last connection is closed, and its addresses are free. */
  public boolean isTerminated() {
    return lifecycle.isTerminated();
  }

  /**
   * Blocks until the server has terminated; forever unless it is shut down.
   *
   * @throws IllegalStateException if it would block an event loop
   */
  public void awaitTermination() throws InterruptedException {
    if (!isTerminated()) {
      EventLoopThread.refuseToWait("Server.awaitTermination");
    }
    lifecycle.awaitTermination();
  }

  /**
   * Blocks until the server has terminated, with a timeout; returns whether it has.
   *
   * @throws IllegalStateException if it would block an event loop
   */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    if (timeout.isPositive() && !isTerminated()) {
      EventLoopThread.refuseToWait("Server.awaitTermination");
    }
    return lifecycle.awaitTermination(timeout);
  }

  /**
   * Shuts down gracefully: waits for running calls as long as {@link ServerBuilder#closeGrace},
   * after the {@linkplain ServerBuilder#shutdownDelay delay}, then cancels the rest and waits for
   * its end, for 5 more seconds at most. On an event loop, which must not wait, it returns at once,
   * and the rest happens later.
   */
  @Override
  public void close() {
    if (Thread.currentThread() instanceof EventLoopThread) {
      stop();
      return;
    }
    shutdown();
    try {
      if (!awaitTermination(patience())) {
        LOG.log(
            Level.WARNING,
            "closing the server cancels the calls that did not end within {0} s (closeGrace)",
            TimeUnit.MILLISECONDS.convert(settings.lifecycle().closeGrace()) / 1000.0);
        shutdownNow();
        awaitTermination(LAST_GRACE);
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private Duration patience() {
    long delayNanos = TimeUnit.NANOSECONDS.convert(settings.lifecycle().shutdownDelay());
    long graceNanos = TimeUnit.NANOSECONDS.convert(settings.lifecycle().closeGrace());
    return Duration.ofNanos(delayNanos + Math.min(graceNanos, Long.MAX_VALUE - delayNanos));
  }

  /** Like {@link #close}, on any thread and without waiting. */
  private void stop() {
    shutdown();
    if (!trySchedule(this::shutdownNow, patience())) {
      shutdownNow();
    }
  }
}
