package dev.gannet.suites;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Deadline;
import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.http2.Http2Transport;
import dev.gannet.transport.inprocess.InProcessAddress;
import dev.gannet.transport.inprocess.InProcessOptions;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** A server and a channel on one simulated network, as most tests want them. */
final class Simulation {
  static final int PORT = 50_051;
  static final String HOST = "192.0.2.1"; // an address, so that no name is looked up

  private static final SocketAddress SERVER = new InetSocketAddress(PORT);

  private final SimulatedLoop loop;
  private final SimulatedNetwork network;
  private final TransportProvider transport;
  private final SocketAddress address;
  private final boolean pluggedIn;
  private final List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();

  Simulation() {
    this(0, SimulatedWire.INSTANT);
  }

  /** On that medium, by that clock. */
  Simulation(Medium medium, SimulatedLoop loop) {
    this.loop = loop;
    this.network = new SimulatedNetwork(loop);
    this.transport =
        switch (medium) {
          case HTTP2, PLUGGED_IN -> Http2Transport.over(network);
          case DIRECT -> new DirectTransport(loop);
          case IN_PROCESS ->
              ((TransportProvider) InProcessOptions.DEFAULT.transport())
                  .by(new LoopScheduler(loop));
        };
    this.address = medium == Medium.IN_PROCESS ? InProcessAddress.anonymous() : SERVER;
    this.pluggedIn = medium == Medium.PLUGGED_IN;
  }

  /** On that medium. */
  Simulation(Medium medium) {
    this(medium, new SimulatedLoop());
  }

  Simulation(long seed, SimulatedWire wire) {
    this(new SimulatedLoop(), seed, wire);
  }

  Simulation(SimulatedLoop loop, long seed, SimulatedWire wire) {
    this.loop = loop;
    this.network = new SimulatedNetwork(loop, seed, wire);
    this.transport = Http2Transport.over(network);
    this.address = SERVER;
    this.pluggedIn = false;
  }

  /** Serves a method; before the server starts. */
  Simulation with(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    methods.add(ServerMethodDefinition.of(method, handler));
    return this;
  }

  ServerBuilder serverBuilder() {
    return Server.builder(address)
        .plaintext()
        .transport(transport)
        .dispatch(Dispatch.on(loop))
        .add(ServerServiceDefinition.of(Texts.SERVICE, methods));
  }

  Server serve() {
    return start(serverBuilder());
  }

  /** Listens in place of a server. */
  void listen(TransportProvider.Accepting server) {
    try {
      transport.listen(address, ServerCredentials.insecure(), TransportSettings.OF_SERVERS, server);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Server start(ServerBuilder builder) {
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  ManagedChannelBuilder channelBuilder() {
    if (pluggedIn) {
      return ManagedChannel.builder(OneAddress.SCHEME + ":///server")
          .addNameResolver(new OneAddress(new InetSocketAddress(HOST, PORT), List.of()))
          .loadBalancer(new OneConnection.Provider())
          .overrideAuthority(HOST + ":" + PORT)
          .plaintext()
          .transport(transport)
          .executor(loop);
    }
    ManagedChannelBuilder builder =
        address.equals(SERVER)
            ? ManagedChannel.builder(HOST, PORT)
            : ManagedChannel.builder(address);
    return builder.plaintext().transport(transport).executor(loop);
  }

  /** A channel whose resolver provides service configs. */
  ManagedChannelBuilder configuredBy(ChangingConfig resolver) {
    return ManagedChannel.builder(ChangingConfig.SCHEME + ":///server")
        .addNameResolver(resolver)
        .plaintext()
        .transport(transport)
        .executor(loop);
  }

  /** A channel that balances over servers with these authorities, all at the server's address. */
  ManagedChannelBuilder balancingOver(String... authorities) {
    SocketAddress at = address.equals(SERVER) ? new InetSocketAddress(HOST, PORT) : address;
    return ManagedChannel.builder(OneAddress.SCHEME + ":///server")
        .addNameResolver(new OneAddress(at, List.of(authorities)))
        .roundRobin()
        .overrideAuthority("channel.example")
        .plaintext()
        .transport(transport)
        .executor(loop);
  }

  ManagedChannel channel() {
    return channelBuilder().build();
  }

  /** A client of the server that knows no gRPC, connected. */
  RawPeer rawClient(Limits limits) {
    AtomicReference<RawPeer> client = new AtomicReference<>();
    network.connect(
        new InetSocketAddress(HOST, PORT),
        HOST,
        ChannelCredentials.insecure(),
        new Opened(limits, client));
    run();
    return client.get();
  }

  private record Opened(Limits limits, AtomicReference<RawPeer> client)
      implements PipeProvider.Connecting {
    @Override
    public PipeListener onOpen(Pipe pipe) {
      RawPeer made = RawPeer.client(pipe, limits);
      client.set(made);
      return made;
    }

    @Override
    public void onFailed(String why) {
      throw new AssertionError(why);
    }
  }

  /** A server that knows no gRPC and does this as soon as a request's headers have come. */
  void serveRaw(BiConsumer<RawPeer, Http2Stream> onRequest) {
    try {
      network.listen(
          new InetSocketAddress(HOST, PORT),
          ServerCredentials.insecure(),
          pipe -> RawPeer.server(pipe, onRequest));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  SimulatedLoop loop() {
    return loop;
  }

  SimulatedNetwork network() {
    return network;
  }

  void run() {
    loop.runUntilIdle();
  }

  void advance(Duration duration) {
    loop.advance(duration);
  }

  /** Options with a deadline that far from now by the virtual clock. */
  CallOptions within(Duration duration) {
    return CallOptions.DEFAULT.withDeadline(Deadline.after(duration, loop::nanoTime));
  }
}
