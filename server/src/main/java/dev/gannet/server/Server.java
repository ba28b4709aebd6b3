package dev.gannet.server;

import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.transport.Listening;
import dev.gannet.transport.MemoryBudget;
import dev.gannet.transport.PeerFaults;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.ServerTransport;
import dev.gannet.transport.TransportProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A gRPC server that listens on an address. Made and started by {@link #builder}; safe for all
 * threads.
 *
 * <pre>
 *   SERVING ──shutdown──► DRAINING ──last connection closed──► TERMINATED
 * </pre>
 */
public final class Server implements AutoCloseable {
  private static final Status SHUT_DOWN =
      Status.UNAVAILABLE.withDescription("the server is shut down");
  private static final Duration CLOSE_GRACE = Duration.ofSeconds(5);

  private final ServerSettings settings;
  private final CallIntake intake;
  private final ReentrantLock lock = new ReentrantLock();
  private final Set<ServerTransport> transports = new LinkedHashSet<>();
  private final PeerFaults faults;
  private final LongAdder acceptFailures = new LongAdder();
  private final CountDownLatch terminated = new CountDownLatch(1);
  private @Nullable Listening listening;
  private boolean shutdown;

  private Server(ServerSettings settings) {
    this.settings = settings;
    this.intake = new CallIntake(settings);
    this.faults = new PeerFaults(settings.transport()::nanoTime);
  }

  /** A server on that port of all of this machine's addresses; 0 takes a free one. */
  public static ServerBuilder builder(int port) {
    return new ServerBuilder(new InetSocketAddress(port));
  }

  /** A server on that address. */
  public static ServerBuilder builder(SocketAddress address) {
    return new ServerBuilder(address);
  }

  static Server start(SocketAddress address, ServerSettings settings) throws IOException {
    Server server = new Server(settings);
    server.listen(address);
    return server;
  }

  private void listen(SocketAddress address) throws IOException {
    lock.lock();
    try {
      listening =
          settings
              .transport()
              .listen(address, settings.credentials(), settings.connections(), new Door());
    } finally {
      lock.unlock();
    }
  }

  /** What the transport asks the server, and tells it of connections. */
  private final class Door implements TransportProvider.Accepting {
    @Override
    public boolean admits(SocketAddress remote) {
      boolean admitted = settings.caps().enter(remote);
      if (!admitted) {
        faults.report(remote, "too many connections");
      }
      return admitted;
    }

    @Override
    public boolean isOpen() {
      return !isShutdown();
    }

    @Override
    public ServerCalls calls() {
      return intake;
    }

    @Override
    public void onOpened(ServerTransport transport) {
      add(transport);
    }

    @Override
    public void onFailed(SocketAddress remote, String why) {
      faults.report(remote, "no handshake", why);
    }

    @Override
    public void onGone(SocketAddress remote) {
      settings.caps().leave(remote);
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
    public void onFault(SocketAddress remote, String fault) {
      faults.report(remote, fault);
    }

    @Override
    public void onShed(SocketAddress remote, String why) {
      faults.report(remote, MemoryBudget.SHED, why);
    }

    @Override
    public void onStreamFault(SocketAddress remote, String fault) {
      faults.reportOfStream(remote, fault);
    }

    @Override
    public void onTerminated(ServerTransport transport) {
      remove(transport);
    }
  }

  private void add(ServerTransport transport) {
    lock.lock();
    try {
      transports.add(transport);
      if (shutdown) {
        transport.shutdownNow(SHUT_DOWN);
      }
    } finally {
      lock.unlock();
    }
  }

  private void remove(ServerTransport transport) {
    lock.lock();
    try {
      transports.remove(transport);
      countDownIfDone();
    } finally {
      lock.unlock();
    }
  }

  private void countDownIfDone() {
    if (shutdown && transports.isEmpty()) {
      terminated.countDown();
    }
  }

  /** The port it listens on; -1 if its address has none. */
  public int port() {
    return address() instanceof InetSocketAddress inet ? inet.getPort() : -1;
  }

  /** The address it listens on, with the real port where a free one was asked for. */
  public SocketAddress address() {
    lock.lock();
    try {
      if (listening == null) {
        throw new IllegalStateException("the server does not listen");
      }
      return listening.address();
    } finally {
      lock.unlock();
    }
  }

  /** The services it was built with. */
  public List<ServerServiceDefinition> services() {
    return settings.services();
  }

  /**
   * How often clients lost a connection or a call's stream, and for what, by words of this side:
   * rules that they broke, TLS that was not set up, connections above the caps, and connections and
   * answers that memory was too short for.
   */
  public Map<String, Long> peerFaults() {
    return faults.counts();
  }

  /**
   * How often no connection could be accepted, for want of file descriptors or memory: it is tried
   * again each second. The log has a line of it a minute, with the limit of descriptors.
   */
  public long acceptFailures() {
    return acceptFailures.sum();
  }

  /** What {@link LoadShedding} counts now; empty if it is off. */
  public Optional<LoadShedding.Snapshot> loadShedding() {
    return intake.shedding();
  }

  /** Accepts no more connections and calls; those under way go on to their end. Returns at once. */
  public Server shutdown() {
    for (ServerTransport transport : stopListening()) {
      transport.shutdown();
    }
    return this;
  }

  /** As {@link #shutdown}, and cancels all calls. Returns at once. */
  public Server shutdownNow() {
    for (ServerTransport transport : stopListening()) {
      transport.shutdownNow(SHUT_DOWN);
    }
    return this;
  }

  private List<ServerTransport> stopListening() {
    closeListening(); // without the lock: a loop that it waits for may be waiting for the lock
    lock.lock();
    try {
      shutdown = true;
      countDownIfDone();
      return List.copyOf(transports);
    } finally {
      lock.unlock();
    }
  }

  private void closeListening() {
    Listening open;
    lock.lock();
    try {
      open = shutdown ? null : listening;
    } finally {
      lock.unlock();
    }
    if (open != null) {
      open.close();
    }
  }

  public boolean isShutdown() {
    lock.lock();
    try {
      return shutdown;
    } finally {
      lock.unlock();
    }
  }

  /** Whether it was shut down and its last connection is closed. */
  public boolean isTerminated() {
    return terminated.getCount() == 0;
  }

  /** Blocks until the server has terminated. */
  public void awaitTermination() throws InterruptedException {
    terminated.await();
  }

  /** Blocks until the server has terminated, or so long; says whether it has. */
  public boolean awaitTermination(Duration timeout) throws InterruptedException {
    return terminated.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
  }

  /**
   * Shuts down in order: lets calls end for up to five seconds, then cancels what is left. On an
   * event loop, which must not wait, it returns at once, and the rest happens later.
   */
  @Override
  public void close() {
    if (Thread.currentThread() instanceof EventLoopThread) {
      stop();
      return;
    }
    shutdown();
    try {
      if (!awaitTermination(CLOSE_GRACE)) {
        shutdownNow();
        awaitTermination(CLOSE_GRACE);
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  /** As {@link #close}, on any thread and without waiting. */
  private void stop() {
    shutdown();
    try {
      settings.transport().schedule(this::shutdownNow, CLOSE_GRACE.toNanos());
    } catch (RuntimeException | Error e) {
      shutdownNow(); // nobody would do it later
    }
  }
}
