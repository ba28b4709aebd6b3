package dev.gannet.fuzz.targets;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.ServerCredentials;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.SimulatedNetwork;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import dev.gannet.suites.SimulatedWire;
import dev.gannet.transport.http2.Http2Transport;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A whole client with running calls of all four kinds, and a server that sends anything: the client
 * never throws, sends only valid HTTP/2, ends every call once, and keeps nothing when its channel
 * is shut down.
 *
 * <pre>
 *   options (1) | seed (4) | bytes, or (option 1) chunks with marks between, see {@link Script}
 * </pre>
 */
public final class ClientDriving {
  private static final int AS_SCRIPT = 1;
  private static final int WITHOUT_SETTINGS = 2;
  private static final int DIRECT = 4;
  private static final int MANY_CALLS = 8;
  private static final int LONG_WAY = 16;
  private static final int CUT = 32;
  private static final int GZIP = 64;
  private static final int SMALL_WINDOWS = 128;

  /** Larger than the size of an input. */
  private static final int SMALL_WINDOW_BYTES = 512;

  private static final int PORT = 50_051;
  private static final String HOST = "192.0.2.1"; // an address, so that no name is looked up
  private static final int MAX_MESSAGE_BYTES = 16 << 10;
  private static final int FEW = 4;
  private static final int MANY = 20;
  private static final byte[] SETTINGS =
      Script.frame(FrameType.SETTINGS, Flags.NONE, 0, new byte[0]);
  private static final Duration QUIET = Duration.ofMinutes(5);

  private static final Script SCRIPT =
      new Script(
          List.of(
              Script.block(":status", "200", "content-type", "application/grpc"),
              Script.block(
                  ":status", "200", "content-type", "application/grpc", "grpc-encoding", "gzip"),
              Script.block("grpc-status", "0"),
              Script.block("grpc-status", "13", "grpc-message", "%41 b%"),
              Script.block(
                  ":status", "200", "content-type", "application/grpc", "grpc-status", "5"),
              Script.block(":status", "103"),
              Script.block(":status", "503", "content-type", "text/html")));

  private final SimulatedLoop loop;
  private final SimulatedNetwork network;
  private final int options;
  private final int seed;
  private final List<Script.Step> steps;
  private final List<FuzzedCall> calls = new ArrayList<>();
  private final SplittableRandom random;
  private @Nullable RawPeer server;

  private ClientDriving(int options, int seed, List<Script.Step> steps) {
    this.options = options;
    this.seed = seed;
    this.steps = steps;
    this.random = new SplittableRandom(seed);
    this.loop = new SimulatedLoop(has(LONG_WAY) ? Long.MAX_VALUE - seed : 0);
    SimulatedWire wire =
        has(LONG_WAY) ? SimulatedWire.ROUGH.withCapacityBytes(1 << 12) : SimulatedWire.INSTANT;
    this.network = new SimulatedNetwork(loop, seed, wire);
  }

  private boolean has(int option) {
    return (options & option) != 0;
  }

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    Input in = new Input(input);
    int options = in.octet();
    int seed = in.number();
    List<Script.Step> steps = stepsOf(in, options);
    Costs costs = new Costs();
    Budget.hold(costs::maxBytes, () -> new ClientDriving(options, seed, steps).play(costs));
  }

  private static List<Script.Step> stepsOf(Input in, int options) {
    List<Script.Step> steps = new ArrayList<>();
    if ((options & WITHOUT_SETTINGS) == 0) {
      steps.add(new Script.Step.Says(SETTINGS));
    }
    if ((options & AS_SCRIPT) != 0) {
      steps.addAll(SCRIPT.ofChunks(in.chunks()));
    } else {
      steps.add(new Script.Step.Says(in.rest()));
    }
    return steps;
  }

  private void play(Costs costs) {
    FailureLog.clear();
    listen();
    ManagedChannel channel = channel();
    for (int i = 0; i < (has(MANY_CALLS) ? MANY : FEW); i++) {
      calls.add(FuzzedCall.start(channel, loop, random.split(), i, optionsOf(i)));
    }
    loop.advance(Duration.ofMillis(3)); // the longest that a rough wire takes
    RawPeer peer = server;
    if (peer == null) {
      throw new IllegalStateException("the client does not connect");
    }
    network.setReachability(Reachability.REFUSED);
    peer.play(steps);
    if (has(CUT)) {
      network.cutAll("cut");
    } else {
      peer.close();
    }
    loop.advance(QUIET);
    calls.forEach(FuzzedCall::takeAll);
    loop.runUntilIdle();
    calls.forEach(FuzzedCall::checkEnd);
    channel.shutdown();
    loop.advance(QUIET);
    Finding.unless(channel.isTerminated(), "the channel has not terminated");
    Finding.unless(network.openConnections() == 0, "a connection is open");
    Finding.unless(network.bytesUnderWay() == 0, "bytes are under way");
    Finding.unless(network.buffersInUse() == 0, "buffers are not given back");
    peer.checkWindow();
    FailureLog.check();
    long messages = calls.stream().mapToLong(FuzzedCall::messages).sum();
    costs.count(peer, calls.size(), messages * MAX_MESSAGE_BYTES);
  }

  private void listen() {
    InetSocketAddress address = new InetSocketAddress(HOST, PORT);
    try {
      network.listen(address, ServerCredentials.insecure(), this::accept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PipeListener accept(Pipe pipe) {
    RawPeer accepted = new RawPeer(loop, pipe, Role.SERVER, seed);
    server = accepted;
    return accepted;
  }

  private ManagedChannel channel() {
    ManagedChannelBuilder builder =
        ManagedChannel.builder(HOST, PORT)
            .plaintext()
            .transport(Http2Transport.over(network))
            .maxInboundMessageBytes(MAX_MESSAGE_BYTES);
    if (has(SMALL_WINDOWS)) {
      builder.transportLimits(
          it -> it.withFlowControlWindows(SMALL_WINDOW_BYTES, Limits.INITIAL_WINDOW_BYTES));
    }
    return has(DIRECT) ? builder.directExecutor().build() : builder.executor(loop).build();
  }

  private CallOptions optionsOf(int number) {
    CallOptions all = CallOptions.DEFAULT;
    if (has(GZIP)) {
      all = all.withCompression("gzip");
    }
    return number % 3 == 1
        ? all.withDeadline(Deadline.after(Duration.ofSeconds(20), loop::nanoTime))
        : all;
  }
}
