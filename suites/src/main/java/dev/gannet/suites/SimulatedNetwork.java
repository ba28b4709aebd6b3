package dev.gannet.suites;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.Faults.Operation;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.memory.WorkRateLimiter;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * A network inside this process: servers and channels that are built with {@code
 * .transport(Http2Transport.over(network))} reach each other here, by port only, whatever the host
 * name. Everything runs on one {@link SimulatedLoop}, so nothing happens until the loop is told to
 * run, and the same seed always leads to the same sequence of events.
 *
 * <p>Plaintext only. Use IP addresses as targets: names are resolved by the real resolver. Not
 * thread-safe, like the loop.
 */
public final class SimulatedNetwork implements PipeProvider, Scheduler {
  /** The result of attempts to connect from now on. */
  public enum Reachability {
    REACHABLE,
    /** As if no server listened. */
    REFUSED,
    /** As if packets were lost: attempts neither fail nor succeed. */
    SILENT
  }

  private static final int FIRST_FREE_PORT = 49_152; // IANA's dynamic ports begin here
  private static final int LAST_PORT = 0xffff;
  private static final int WORK_BYTES_PER_SECOND = 16 << 20; // as on two processors
  private static final byte[] ADDRESS = {(byte) 192, 0, 2, 1}; // for documentation (RFC 5737)

  private final SimulatedLoop loop;
  private final SimulatedHost client;
  private final SimulatedHost server;
  private final Chance chance;
  private final Map<Integer, Listener> listeners = new TreeMap<>();
  private final Set<SimulatedConnection> connections = new LinkedHashSet<>();
  private final List<Runnable> held = new ArrayList<>();
  private final BufferPool pool = new BufferPool();
  private final WorkRateLimiter work = WorkRateLimiter.ofBytesPerSecond(WORK_BYTES_PER_SECOND);
  private Tap tap = new NoTap();
  private Faults faults = Faults.NONE;
  private Reachability reachability = Reachability.REACHABLE;
  private boolean stalled;
  private int nextClientPort = FIRST_FREE_PORT;
  private int attempts;

  /** A network of wires that are {@link SimulatedWire#INSTANT}. */
  public SimulatedNetwork(SimulatedLoop loop) {
    this(loop, 0, SimulatedWire.INSTANT);
  }

  /**
   * A network of such wires.
   *
   * @param seed decides latencies, splits, and whatever engines leave to chance
   */
  public SimulatedNetwork(SimulatedLoop loop, long seed, SimulatedWire wire) {
    this.loop = loop;
    this.client = new SimulatedHost(loop);
    this.server = new SimulatedHost(loop);
    this.chance = new Chance(seed, wire);
  }

  /** The work budget of its connections, because they have their own clock. */
  WorkRateLimiter work() {
    return work;
  }

  /** Lower than the priority of any real transport: this one is used only if it is the only one. */
  @Override
  public int priority() {
    return Integer.MIN_VALUE;
  }

  @Override
  public boolean knows(SocketAddress address) {
    return address instanceof InetSocketAddress;
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    return (address, serverName, then) -> connect(address, serverName, credentials, then);
  }

  /** Connects once, with these credentials. */
  public Cancellable connect(
      SocketAddress address, String serverName, ChannelCredentials credentials, Connecting then) {
    if (!(credentials instanceof ChannelCredentials.Insecure)) {
      throw new IllegalArgumentException("a simulated network is plaintext only");
    }
    attempts++;
    Attempt attempt = new Attempt(address, then);
    loop.schedule(attempt::reach, chance.latencyNanos());
    return attempt::takeBack;
  }

  private void open(SocketAddress address, Connecting then) {
    Listener listener = listeners.get(portOf(address));
    if (listener == null) {
      then.onFailed("connection refused: " + address);
      return;
    }
    SocketAddress from = addressOf(nextClientPort);
    nextClientPort = nextClientPort == LAST_PORT ? FIRST_FREE_PORT : nextClientPort + 1;
    if (!listener.then.owner().admit(from)) {
      loop.execute(() -> then.onFailed("connection closed by peer"));
      return;
    }
    SimulatedConnection opened =
        new SimulatedConnection(this, from, address, () -> listener.then.owner().onGone(from));
    connections.add(opened);
    opened.pipe(Side.SERVER).driveBy(listener.then::onOpen);
    opened.pipe(Side.CLIENT).driveBy(then::onOpen);
  }

  /** Accepts all connections, and gives each pipe this listener. */
  public Listening listen(
      SocketAddress address, ServerCredentials credentials, Function<Pipe, PipeListener> onOpen)
      throws IOException {
    return listen(address, credentials, new Everybody(onOpen));
  }

  private record Everybody(Function<Pipe, PipeListener> opened)
      implements Accepting, Listening.Owner {
    @Override
    public Listening.Owner owner() {
      return this;
    }

    @Override
    public boolean admit(SocketAddress remote) {
      return true;
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      return opened.apply(pipe);
    }

    @Override
    public void onFailed(SocketAddress remote, String why) {}

    @Override
    public void onGone(SocketAddress remote) {}

    @Override
    public void onNotAccepted() {}

    @Override
    public void onStopped() {}
  }

  @Override
  public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
      throws IOException {
    if (!(credentials instanceof ServerCredentials.Insecure)) {
      throw new IllegalArgumentException("a simulated network is plaintext only");
    }
    int port = portOf(address) == 0 ? freePort() : portOf(address);
    if (listeners.containsKey(port)) {
      throw new BindException("address already in use: port " + port);
    }
    Listener listener = new Listener(port, then);
    listeners.put(port, listener);
    return listener;
  }

  private int freePort() throws IOException {
    for (int port = FIRST_FREE_PORT; port <= LAST_PORT; port++) {
      if (!listeners.containsKey(port)) {
        return port;
      }
    }
    throw new BindException("no port is free");
  }

  private static int portOf(SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      return inet.getPort();
    }
    throw new IllegalArgumentException("a simulated network has ports only: " + address);
  }

  private static InetSocketAddress addressOf(int port) {
    try {
      return new InetSocketAddress(InetAddress.getByAddress(ADDRESS), port);
    } catch (IOException e) {
      throw new IllegalStateException("four bytes are an address", e);
    }
  }

  @Override
  public Scheduler scheduler() {
    return this;
  }

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    refuseIfStruck(Operation.SCHEDULE);
    return loop.schedule(() -> survive(task), delayNanos);
  }

  /** Runs the task on the loop as well, because there is no other thread. */
  @Override
  public void offload(Runnable task) {
    refuseIfStruck(Operation.OFFLOAD);
    loop.execute(() -> survive(task));
  }

  /** What a task throws because of a simulated fault is dropped, as on the loops of real pipes. */
  private static void survive(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      if (!Faults.isSimulated(e)) {
        throw e;
      }
    }
  }

  private void refuseIfStruck(Operation operation) {
    if (faults.strike(operation)) {
      throw Faults.refusal();
    }
  }

  @Override
  public RandomGenerator random() {
    return chance.random();
  }

  @Override
  public long nanoTime() {
    return loop.nanoTime();
  }

  /** Sets the result of attempts to connect from now on. */
  public void setReachability(Reachability reachability) {
    this.reachability = reachability;
  }

  /** Closes all connections at once; everything on its way is lost. */
  public void cutAll(String why) {
    List.copyOf(connections).forEach(connection -> connection.cut(why));
  }

  /**
   * Stops all arrivals: bytes, ends and new connections. The ends are not told; what is sent
   * meanwhile is kept up to the wire's capacity.
   */
  public void stall() {
    stalled = true;
    for (SimulatedConnection connection : connections) {
      connection.stall(Side.CLIENT);
      connection.stall(Side.SERVER);
    }
  }

  /** Lets everything arrive that {@link #stall} held. */
  public void resume() {
    stalled = false;
    for (SimulatedConnection connection : connections) {
      connection.resume(Side.CLIENT);
      connection.resume(Side.SERVER);
    }
    connectHeld();
  }

  private void connectHeld() {
    List<Runnable> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(loop::execute);
  }

  /**
   * Stops the program at that side, as SIGSTOP does: nothing that was sent to it arrives, and no
   * task or timer of its pipes runs. Its handlers and callers belong to the test, and are not
   * stopped.
   */
  public void stop(Side side) {
    host(side).stop();
    connections.forEach(connection -> connection.stall(side));
  }

  /** Continues the program at that side: its late timers run before it reads what has arrived. */
  public void goOn(Side side) {
    host(side).goOn();
    connections.forEach(connection -> connection.resume(side));
    connectHeld();
  }

  SimulatedHost host(Side side) {
    return side == Side.CLIENT ? client : server;
  }

  /** Sets the observer of all connections, in place of the previous one. */
  public void setTap(Tap tap) {
    this.tap = tap;
  }

  /** Sets which operations fail from now on. */
  void setFaults(Faults faults) {
    this.faults = faults;
  }

  SimulatedLoop loop() {
    return loop;
  }

  Chance chance() {
    return chance;
  }

  BufferPool pool() {
    return pool;
  }

  Tap tap() {
    return tap;
  }

  Faults faults() {
    return faults;
  }

  void forget(SimulatedConnection connection) {
    connections.remove(connection);
  }

  /** The connections that are open at one end at least; the oldest first. */
  public List<SimulatedConnection> connections() {
    return List.copyOf(connections);
  }

  /** How many connections are open. */
  public int openConnections() {
    return connections.size();
  }

  /** How many attempts to connect there were. */
  public int connectAttempts() {
    return attempts;
  }

  /** How many bytes were sent and have neither arrived nor been lost. */
  public int bytesUnderWay() {
    return connections.stream().mapToInt(SimulatedConnection::bytesUnderWay).sum();
  }

  /**
   * How many buffers hold bytes that were written and have neither been read nor been lost; 0 once
   * all connections are closed.
   */
  public int buffersInUse() {
    return pool.lent();
  }

  /** An observer that does nothing. */
  private static final class NoTap implements Tap {
    @Override
    public void onSent(SimulatedConnection connection, Side from, ByteBuffer bytes) {}

    @Override
    public void onArriving(SimulatedConnection connection, Side to, ByteBuffer bytes) {}

    @Override
    public void onClosed(SimulatedConnection connection, Side end) {}
  }

  /** An attempt to connect, until its result is reported. */
  private final class Attempt {
    private final SocketAddress address;
    private final Connecting then;
    private boolean over;

    Attempt(SocketAddress address, Connecting then) {
      this.address = address;
      this.then = then;
    }

    void reach() {
      if (stalled || client.isStopped() || server.isStopped()) {
        held.add(this::reach);
      } else if (!over && reachability != Reachability.SILENT) {
        over = true;
        survive(this::end);
      }
    }

    private void end() {
      if (reachability == Reachability.REFUSED) {
        then.onFailed("connection refused: " + address);
      } else {
        open(address, then);
      }
    }

    void takeBack() {
      if (!over) {
        over = true;
        loop.execute(() -> survive(() -> then.onFailed("taken back")));
      }
    }
  }

  /** A port that a server listens on. */
  private final class Listener implements Listening {
    private final int port;
    private final Accepting then;

    Listener(int port, Accepting then) {
      this.port = port;
      this.then = then;
    }

    @Override
    public SocketAddress address() {
      return addressOf(port);
    }

    @Override
    public void close(Runnable onFree) {
      listeners.remove(port, this);
      onFree.run();
    }
  }
}
