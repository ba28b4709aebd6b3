package dev.gannet.testing;

import dev.gannet.api.BindableService;
import dev.gannet.api.Preview;
import dev.gannet.api.transport.Transport;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.inprocess.InProcessAddress;
import dev.gannet.transport.inprocess.InProcessOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * The servers and channels of one test: starts them, closes them at the end, and fails the test if
 * a call, a handler or a channel was left open, with the place where it was opened.
 *
 * <pre>{@code
 * try (Testbed testbed = Testbed.inProcess()) {
 *   GreeterClient greeter = GreeterClient.of(testbed.channelTo(new MyGreeter()));
 *   assertEquals("Hello Ada", greeter.sayHello(ada).getMessage());
 * }
 * }</pre>
 *
 * <p>In JUnit, {@link GannetExtension} creates one for each test. Safe for all threads.
 */
public final class Testbed implements AutoCloseable {
  /** The time for calls that are about to end. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private static final Duration USUAL_PATIENCE = Duration.ofSeconds(5);

  private enum Medium {
    PROCESS,
    LOOPBACK
  }

  private record Started(Server server, SocketAddress address, OpenedHere where) {}

  private record Built(ManagedChannel channel, OpenedHere where) {}

  private final Medium medium;
  private final Optional<VirtualClock> clock;
  private final Optional<Transport> transport;
  private final Transcript transcript;
  private final OpenCalls openCalls = new OpenCalls();
  private final RunningHandlers handlers = new RunningHandlers();
  private final List<Started> servers = new CopyOnWriteArrayList<>();
  private final List<Built> channels = new CopyOnWriteArrayList<>();
  private final List<Built> watched = new CopyOnWriteArrayList<>();
  private final List<FaultyNetwork> networks = new CopyOnWriteArrayList<>();
  private volatile Duration patience = USUAL_PATIENCE;

  private Testbed(Medium medium, Optional<VirtualClock> clock) {
    this.medium = medium;
    this.clock = clock;
    this.transport =
        clock.map(
            it -> ((TransportProvider) InProcessOptions.DEFAULT.transport()).by(it.scheduler()));
    this.transcript = new Transcript(clock.isPresent() ? clock.get()::nanoTime : System::nanoTime);
  }

  /** In-process servers: no sockets, and no ports that may be in use. */
  public static Testbed inProcess() {
    return new Testbed(Medium.PROCESS, Optional.empty());
  }

  /**
   * In-process servers with a clock that the test moves: deadlines, backoffs and delayed replies of
   * fake servers only happen when the test moves it. This is not available on loopback, because
   * threads that serve sockets use the system clock.
   */
  public static Testbed inProcess(VirtualClock clock) {
    return new Testbed(Medium.PROCESS, Optional.of(clock));
  }

  /**
   * Servers on a free port of the loopback interface, as on a network: with HTTP/2, sockets, and
   * TLS if credentials are set. Needs {@code gannet-transport-netty}.
   */
  public static Testbed onLoopback() {
    return new Testbed(Medium.LOOPBACK, Optional.empty());
  }

  /**
   * Sets how long, in real time, each channel, server and handler may take to end in {@link #close}
   * before it counts as left open, and how long a call may wait on a thread that only the
   * {@linkplain VirtualClock virtual clock} could wake before it ends with {@code CANCELLED}. The
   * default is five seconds. Applies to channels that are created afterwards.
   *
   * @return this
   * @throws IllegalArgumentException if it is not positive
   */
  public Testbed patience(Duration longest) {
    if (longest.isNegative() || longest.isZero()) {
      throw new IllegalArgumentException("the patience must be positive: " + longest);
    }
    patience = longest;
    return this;
  }

  /**
   * Starts a server with these services.
   *
   * @throws UncheckedIOException if it cannot listen
   */
  public Server serve(BindableService... services) {
    return serve(builder -> {
      for (BindableService service : services) {
        builder.add(service);
      }
      return builder;
    });
  }

  /**
   * Starts a server with services and options: {@code serve(it ->
   * it.add(service).intercept(auth))}.
   *
   * @throws UncheckedIOException if it cannot listen
   */
  public Server serve(UnaryOperator<ServerBuilder> options) {
    SocketAddress anywhere =
        medium == Medium.PROCESS
            ? InProcessAddress.anonymous()
            : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return serveAt(anywhere, options);
  }

  Server serveAt(SocketAddress address, UnaryOperator<ServerBuilder> options) {
    ServerBuilder builder = Server.builder(address);
    transport.ifPresent(builder::transport);
    builder.intercept(handlers).addTracer(transcript.ofServers());
    try {
      Server server = options.apply(builder).start();
      SocketAddress bound =
          address instanceof InetSocketAddress inet
              ? new InetSocketAddress(inet.getAddress(), server.port())
              : address;
      servers.add(
          new Started(server, bound, new OpenedHere("server at " + bound + " started here")));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The address of a server of this test bed.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public SocketAddress address(Server server) {
    return servers.stream()
        .filter(it -> it.server().equals(server))
        .findFirst()
        .map(Started::address)
        .orElseThrow(() -> new IllegalArgumentException("not a server of this test bed"));
  }

  /** A server with these services, and a channel to it. */
  public ManagedChannel channelTo(BindableService... services) {
    return channelTo(serve(services));
  }

  /** A channel to a server of this test bed; in plaintext on loopback. */
  public ManagedChannel channelTo(Server server) {
    return channelTo(server, builder -> builder);
  }

  /** A channel with options: {@code channelTo(server, it -> it.intercept(auth))}. */
  public ManagedChannel channelTo(Server server, UnaryOperator<ManagedChannelBuilder> options) {
    return channelTo(address(server), options);
  }

  /** A channel to an address, for example of a fake server, or of a network with faults. */
  public ManagedChannel channelTo(SocketAddress address) {
    return channelTo(address, builder -> builder);
  }

  /** A channel to an address, with options. */
  public ManagedChannel channelTo(
      SocketAddress address, UnaryOperator<ManagedChannelBuilder> options) {
    ManagedChannel channel = channelBuilder(address, options).build();
    channels.add(new Built(channel, new OpenedHere(channel + " built here")));
    return channel;
  }

  private ManagedChannelBuilder channelBuilder(
      SocketAddress address, UnaryOperator<ManagedChannelBuilder> options) {
    ManagedChannelBuilder builder = ManagedChannel.builder(address).plaintext();
    transport.ifPresent(builder::transport);
    if (clock.isPresent()) {
      builder.directExecutor().intercept(new StuckCalls(clock.get(), patience));
    }
    builder.addTracer(openCalls).addTracer(transcript.ofClients());
    return options.apply(builder).intercept(transcript.messages());
  }

  /**
   * Watches a channel that the code under test has built and must close: if it is not shut down at
   * the end, the test fails.
   */
  public ManagedChannel watch(ManagedChannel channel) {
    watched.add(new Built(channel, new OpenedHere(channel + " was seen here first")));
    return channel;
  }

  /**
   * A server with scripted replies; methods without a script are answered by the service: {@code
   * fake(new Greeter() {})}, or {@code fake(new MyGreeter())}.
   */
  public FakeServer fake(BindableService service) {
    SocketAddress anywhere =
        medium == Medium.PROCESS
            ? InProcessAddress.anonymous()
            : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new FakeServer(this, service.bindService(), anywhere);
  }

  /**
   * A network with faults in front of a server; pass its address to {@link
   * #channelTo(SocketAddress)}.
   *
   * @param seed the same seed gives the same faults at the same positions of the byte stream
   * @throws IllegalStateException if this test bed is not on loopback: in-process calls have no
   *     bytes that could be lost or delayed
   */
  @Preview(until = "0.3")
  public FaultyNetwork networkTo(Server server, long seed) {
    return networkTo(address(server), seed);
  }

  /**
   * A network with faults in front of an address, for example of a fake server; otherwise as {@link
   * #networkTo(Server, long)}. The test bed closes it.
   *
   * @throws IllegalStateException if this test bed is not on loopback
   */
  @Preview(until = "0.3")
  public FaultyNetwork networkTo(SocketAddress address, long seed) {
    if (medium != Medium.LOOPBACK || !(address instanceof InetSocketAddress inet)) {
      throw new IllegalStateException(
          "a network with faults needs real connections: use Testbed.onLoopback()");
    }
    FaultyNetwork network = FaultyNetwork.to(inet, seed);
    networks.add(network);
    return network;
  }

  /** A readable log of the calls of this test bed. */
  public Transcript transcript() {
    return transcript;
  }

  Optional<VirtualClock> clock() {
    return clock;
  }

  /** Seeds and other settings to repeat a failing test; may be empty. */
  String settings() {
    return networks.isEmpty() ? "" : networks.toString();
  }

  /**
   * Closes everything: channels, then servers, then networks.
   *
   * @throws AssertionError if something was left open: a call that has not ended, a handler that
   *     has not returned, a watched channel that is not shut down. The places where these were
   *     opened are suppressed exceptions of the error, so that they are printed with it
   */
  @Override
  public void close() {
    List<Throwable> left = new ArrayList<>();
    try {
      left.addAll(openCalls.awaitEnds(SETTLING));
      watched.stream().filter(it -> !it.channel().isShutdown()).forEach(it -> left.add(it.where()));
      closeChannels(left);
      closeServers(left);
      left.addAll(handlers.awaitReturns(patience));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      channels.forEach(it -> it.channel().shutdownNow());
      servers.forEach(it -> it.server().shutdownNow());
      networks.forEach(FaultyNetwork::close);
    }
    if (!left.isEmpty()) {
      throw failure(left);
    }
  }

  private void closeChannels(List<Throwable> left) throws InterruptedException {
    networks.forEach(FaultyNetwork::heal);
    for (Built built : channels) {
      if (left.isEmpty()) {
        built.channel().shutdown();
      } else {
        built.channel().shutdownNow();
      }
    }
    for (Built built : channels) {
      if (!built.channel().awaitTermination(patience)) {
        left.add(built.where());
      }
    }
  }

  private void closeServers(List<Throwable> left) throws InterruptedException {
    for (Started started : servers) {
      started.server().shutdownNow();
    }
    for (Started started : servers) {
      if (!started.server().awaitTermination(patience)) {
        left.add(started.where());
      }
    }
  }

  private static AssertionError failure(List<Throwable> left) {
    StringBuilder message = new StringBuilder("left open at the end of the test:");
    for (Throwable one : left) {
      message.append("\n  ").append(one.getMessage());
      firstUserLine(one).ifPresent(line -> message.append(": ").append(line));
    }
    AssertionError error = new AssertionError(message.toString());
    left.forEach(error::addSuppressed);
    return error;
  }

  /** The innermost stack frame outside Gannet and the JDK. */
  private static Optional<String> firstUserLine(Throwable opened) {
    for (StackTraceElement line : opened.getStackTrace()) {
      String type = line.getClassName();
      boolean ours =
          type.startsWith("dev.gannet.api.")
              || type.startsWith("dev.gannet.client.")
              || type.startsWith("dev.gannet.server.")
              || type.startsWith("dev.gannet.transport.")
              || (type.startsWith("dev.gannet.testing.") && !type.matches(".*Test(\\$.*)?"))
              || type.startsWith("java.");
      if (!ours) {
        return Optional.of(line.toString());
      }
    }
    return Optional.empty();
  }
}
