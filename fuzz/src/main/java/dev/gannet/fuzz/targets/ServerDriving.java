package dev.gannet.fuzz.targets;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Dispatch;
import dev.gannet.http2.Limits;
import dev.gannet.http2.Role;
import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameType;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.SimulatedNetwork;
import dev.gannet.suites.SimulatedWire;
import dev.gannet.transport.http2.Http2Transport;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A whole server with a service of all four kinds, and a client that sends anything: the server
 * never throws, sends only valid HTTP/2, ends every started call once, and keeps nothing when the
 * client is gone.
 *
 * <pre>
 *   options (1) | seed (4) | bytes, or (option 1) chunks with marks between, see {@link Script}
 * </pre>
 */
public final class ServerDriving {
  private static final int AS_SCRIPT = 1;
  private static final int WITHOUT_PREFACE = 2;
  private static final int INLINE = 4;
  private static final int FEW_CALLS = 8;
  private static final int LONG_WAY = 16;
  private static final int CUT = 32;
  private static final int SMALL_WINDOWS = 64;

  /** Larger than the size of an input. */
  private static final int SMALL_WINDOW_BYTES = 512;

  private static final int PORT = 50_051;
  private static final int MAX_MESSAGE_BYTES = 16 << 10;
  private static final byte[] SETTINGS =
      Script.frame(FrameType.SETTINGS, Flags.NONE, 0, new byte[0]);
  private static final Duration QUIET = Duration.ofMinutes(5);

  private static final String PATH = "/" + Octets.SERVICE + "/";
  private static final Script SCRIPT =
      new Script(
          List.of(
              request(PATH + "UnaryCall"),
              request(PATH + "StreamingInputCall"),
              request(PATH + "StreamingOutputCall"),
              request(PATH + "FullDuplexCall"),
              request(PATH + "EmptyCall", "grpc-encoding", "gzip"),
              request(PATH + "FullDuplexCall", "grpc-encoding", "gzip", "grpc-timeout", "1S"),
              request(PATH + "Unknown"),
              Script.block(":method", "GET", ":scheme", "http", ":path", "/")));

  private final SimulatedLoop loop;
  private final SimulatedNetwork network;
  private final EchoService service = new EchoService();
  private final int options;
  private final int seed;
  private final List<Script.Step> steps;
  private @Nullable RawPeer client;

  private ServerDriving(int options, int seed, List<Script.Step> steps) {
    this.options = options;
    this.seed = seed;
    this.steps = steps;
    this.loop = new SimulatedLoop(has(LONG_WAY) ? Long.MAX_VALUE - seed : 0);
    SimulatedWire wire =
        has(LONG_WAY) ? SimulatedWire.ROUGH.withCapacityBytes(1 << 12) : SimulatedWire.INSTANT;
    this.network = new SimulatedNetwork(loop, seed, wire);
  }

  private boolean has(int option) {
    return (options & option) != 0;
  }

  private static byte[] request(String path, String... more) {
    byte[] head =
        Script.block(
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            path,
            ":authority",
            "a",
            "te",
            "trailers",
            "content-type",
            "application/grpc",
            "grpc-accept-encoding",
            "gzip");
    return Bytes.join(head, Script.block(more));
  }

  /** Runs one input. */
  public static void fuzzerTestOneInput(byte[] input) {
    Input in = new Input(input);
    int options = in.octet();
    int seed = in.number();
    List<Script.Step> steps = stepsOf(in, options);
    Costs costs = new Costs();
    Budget.hold(costs::maxBytes, () -> new ServerDriving(options, seed, steps).play(costs));
  }

  private static List<Script.Step> stepsOf(Input in, int options) {
    List<Script.Step> steps = new ArrayList<>();
    if ((options & WITHOUT_PREFACE) == 0) {
      steps.add(new Script.Step.Says(PlainFrames.PREFACE));
    }
    if ((options & AS_SCRIPT) != 0) {
      steps.add(new Script.Step.Says(SETTINGS));
      steps.addAll(SCRIPT.ofChunks(in.chunks()));
    } else {
      steps.add(new Script.Step.Says(in.rest()));
    }
    return steps;
  }

  private void play(Costs costs) {
    FailureLog.clear();
    Server server = serve();
    network.connect(
        new InetSocketAddress("192.0.2.1", PORT), "", ChannelCredentials.insecure(), new Opening());
    loop.advance(Duration.ofMillis(3)); // the longest that a rough wire takes
    RawPeer peer = client;
    if (peer == null) {
      throw new IllegalStateException("the server does not listen");
    }
    peer.play(steps);
    if (has(CUT)) {
      network.cutAll("cut");
    } else {
      peer.close();
    }
    loop.advance(QUIET);
    service.checkEnds();
    server.shutdown();
    loop.advance(QUIET);
    Finding.unless(server.isTerminated(), "the server has not terminated");
    Finding.unless(network.openConnections() == 0, "a connection is open");
    Finding.unless(network.bytesUnderWay() == 0, "bytes are under way");
    Finding.unless(network.buffersInUse() == 0, "buffers are not given back");
    peer.checkWindow();
    FailureLog.check();
    costs.count(peer, service.calls(), service.messages() * MAX_MESSAGE_BYTES);
  }

  private Server serve() {
    ServerBuilder builder =
        Server.builder(PORT)
            .plaintext()
            .transport(Http2Transport.over(network))
            .dispatch(has(INLINE) ? Dispatch.inline() : Dispatch.on(loop))
            .maxInboundMessageBytes(MAX_MESSAGE_BYTES)
            .maxConcurrentCallsPerConnection(has(FEW_CALLS) ? 2 : 100)
            .add(service.definition());
    if (has(SMALL_WINDOWS)) {
      builder.transportLimits(
          it -> it.withFlowControlWindows(SMALL_WINDOW_BYTES, Limits.INITIAL_WINDOW_BYTES));
    }
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The client's pipe. */
  private final class Opening implements PipeProvider.Connecting {
    @Override
    public PipeListener onOpen(Pipe pipe) {
      RawPeer opened = new RawPeer(loop, pipe, Role.CLIENT, seed);
      client = opened;
      return opened;
    }

    @Override
    public void onFailed(String why) {
      throw new IllegalStateException(why);
    }
  }
}
