package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The thread of an event loop has ended, whatever it died of: calls on its connections fail at
 * once, and its work goes on elsewhere, or the server stops.
 */
@Timeout(60)
final class EndsOfLoopsTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet");
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final byte[] MESSAGE = {1, 2, 3};

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  static Stream<NettyEventLoops.Kind> kinds() {
    return Epoll.isAvailable()
        ? Stream.of(NettyEventLoops.Kind.ofThisMachine(), NettyEventLoops.Kind.nio())
        : Stream.of(NettyEventLoops.Kind.nio());
  }

  private static Server serve(BreakableLoops loops) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .transport(Http2Transport.over(loops.pipes()))
        .add(EchoService.definition())
        .start();
  }

  private static ManagedChannel connect(Server server, BreakableLoops loops) {
    return ManagedChannel.builder(InetAddress.getLoopbackAddress().getHostAddress(), server.port())
        .plaintext()
        .transport(Http2Transport.over(loops.pipes()))
        .build();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void serverWhoseLoopsEndClosesItsConnectionsAndListensOnOtherLoops(NettyEventLoops.Kind kind)
      throws Exception {
    try (BreakableLoops ofServer = new BreakableLoops(kind, 2);
        BreakableLoops ofClient = new BreakableLoops(1);
        Server server = serve(ofServer);
        ManagedChannel channel = connect(server, ofClient)) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      ofServer.endAll(new OutOfMemoryError("simulated"));
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      try (ManagedChannel late = connect(server, ofClient)) {
        assertThat(Caller.call(late, MESSAGE).isOk()).isTrue();
      }
      server.shutdown();
      assertThat(server.awaitTermination(LONG)).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void callsOfAChannelWhoseLoopEndsFailAndTheNextOnesGoWell(NettyEventLoops.Kind kind)
      throws Exception {
    try (BreakableLoops ofServer = new BreakableLoops(1);
        BreakableLoops ofClient = new BreakableLoops(kind, 1);
        Server server = serve(ofServer);
        ManagedChannel channel = connect(server, ofClient)) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      ofClient.endAll(new StackOverflowError("simulated"));
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(open.status().description().orElse(""))
          .contains("the event loop of the connection has ended", "StackOverflowError: simulated");
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      channel.shutdown();
      assertThat(channel.awaitTermination(LONG)).isTrue();
    }
  }

  @Test
  void anErrorThatCannotBeLoggedEndsTheLoopOnly() throws Exception {
    try (BreakableLoops loops = new BreakableLoops(2);
        Server server = serve(loops);
        ManagedChannel channel = connect(server, loops)) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      loops.endAll(new Unspeakable());
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
    }
  }

  @Test
  void serverThatIsListeningAgainTerminatesAfterThat() throws Exception {
    CountDownLatch listensAgain = new CountDownLatch(1);
    CountDownLatch mayListen = new CountDownLatch(1);
    Queue<String> order = new ConcurrentLinkedQueue<>();
    try (BreakableLoops loops = new BreakableLoops(holding(listensAgain, mayListen), 2)) {
      Server server = serve(loops);
      loops.breakAll(new OutOfMemoryError("simulated"));
      listensAgain.await();
      Thread terminating =
          Thread.ofPlatform()
              .start(() -> {
                server.close();
                order.add("terminated");
              });
      while (terminating.getState() != Thread.State.WAITING && terminating.isAlive()) {
        Thread.onSpinWait();
      }
      order.add("may listen");
      mayListen.countDown();
      terminating.join();
      assertThat(order).containsExactly("may listen", "terminated");
    }
  }

  /** Its second listening socket is not created before it may. */
  private static NettyEventLoops.Kind holding(CountDownLatch second, CountDownLatch may) {
    AtomicInteger made = new AtomicInteger();
    return listeningWith(() -> {
      if (made.incrementAndGet() == 2) {
        second.countDown();
        try {
          may.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
      return new NioServerSocketChannel();
    });
  }

  private static NettyEventLoops.Kind listeningWith(ChannelFactory<ServerChannel> sockets) {
    return with(NettyEventLoops.Family.tcp(NioSocketChannel::new, sockets));
  }

  private static NettyEventLoops.Kind with(NettyEventLoops.Family tcp) {
    NettyEventLoops.Kind kind = NettyEventLoops.Kind.nio();
    return new NettyEventLoops.Kind(
        kind.io(), kind.guard(), tcp, kind.unix(), kind.userTimeoutMillis(), kind.reusePort());
  }

  /** Clients could connect to such a socket, and nobody would accept their connections. */
  @Test
  void socketThatWasBoundWithoutAResultIsReplaced() throws Exception {
    AtomicInteger made = new AtomicInteger();
    NettyEventLoops.Kind kind =
        listeningWith(
            () -> made.incrementAndGet() == 2 ? new HalfBound() : new NioServerSocketChannel());
    try (BreakableLoops ofServer = new BreakableLoops(kind, 1);
        BreakableLoops ofClient = new BreakableLoops(1);
        Server server = serve(ofServer)) {
      ofServer.endAll(new OutOfMemoryError("simulated"));
      try (ManagedChannel channel = connect(server, ofClient)) {
        CallOptions patient = CallOptions.DEFAULT.withDeadline(LONG).withWaitForReady(true);
        Caller caller = Caller.begin(channel, EchoService.UNARY, MESSAGE, patient);
        caller.halfClose();
        assertThat(caller.status()).returns(true, Status::isOk);
      }
      assertThat(made).hasValue(3);
    }
  }

  /** Is bound, but neither reports that nor accepts connections. */
  private static final class HalfBound extends NioServerSocketChannel {
    @Override
    public ChannelFuture bind(SocketAddress address, ChannelPromise result) {
      config().setAutoRead(false);
      super.bind(address, newPromise());
      return result;
    }
  }

  /** The peer of such a socket would wait for it. */
  @Test
  void socketThatCouldNotBeClosedIsClosedLater() throws Exception {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    NettyEventLoops.Kind kind =
        with(
            NettyEventLoops.Family.tcp(() -> new HardToClose(closed), NioServerSocketChannel::new));
    try (BreakableLoops ofServer = new BreakableLoops(1);
        BreakableLoops ofClient = new BreakableLoops(kind, 1);
        Server server = serve(ofServer);
        ManagedChannel channel = connect(server, ofClient)) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      ofClient.endAll(new OutOfMemoryError("simulated"));
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(closed.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private static final class HardToClose extends NioSocketChannel {
    private final CompletableFuture<Boolean> closed;
    private int failures = 3;

    HardToClose(CompletableFuture<Boolean> closed) {
      this.closed = closed;
    }

    @Override
    protected void doClose() throws Exception {
      if (failures-- > 0) {
        throw new OutOfMemoryError("simulated");
      }
      super.doClose();
      closed.complete(true);
    }
  }

  @Test
  void aLoopThatIsBlockedKeepsNoOtherFromEnding() throws Exception {
    NettyEventLoops loops = NettyEventLoops.of(2, ByteBufAllocator.DEFAULT);
    CountDownLatch blocks = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    GuardedLoop blocked = loops.next();
    GuardedLoop other = loops.next();
    blocked.execute(() -> {
      blocks.countDown();
      try {
        goesOn.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    other.execute(() -> {});
    blocks.await();
    loops.shutDown(0);
    other.terminationFuture().await();
    assertThat(blocked.isTerminated()).isFalse();
    goesOn.countDown();
    blocked.terminationFuture().await();
  }

  @Test
  void serverStopsIfNoOtherLoopCanBeCreated() throws Exception {
    try (BreakableLoops ofServer = new BreakableLoops(2);
        BreakableLoops ofClient = new BreakableLoops(1);
        Server server = serve(ofServer);
        ManagedChannel channel = connect(server, ofClient)) {
      Caller open = Caller.begin(channel, EchoService.STREAM, MESSAGE).awaitAnswer();
      ofServer.makeNoMore();
      ofServer.endAll(new OutOfMemoryError("simulated"));
      assertThat(open.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(server.awaitTermination(LONG)).isTrue();
      assertThat(server.isShutdown()).isTrue();
    }
  }

  @Test
  void timersOfALoopThatHasEndedComeDue() throws Exception {
    try (BreakableLoops loops = new BreakableLoops(1)) {
      CompletableFuture<Boolean> due = new CompletableFuture<>();
      CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
      long delayNanos = Duration.ofSeconds(2).toNanos();
      var unwanted = loops.pipes().scheduler().schedule(() -> cancelled.complete(true), delayNanos);
      loops.pipes().scheduler().schedule(() -> due.complete(true), delayNanos + 1);
      loops.endAll(new OutOfMemoryError("simulated"));
      unwanted.cancel();
      assertThat(due.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(cancelled).isNotDone();
    }
  }

  /** For example the next try of a server to listen, which otherwise would never shut down. */
  @Test
  void timersComeDueIfNoOtherLoopCanBeCreated() throws Exception {
    try (BreakableLoops loops = new BreakableLoops(1)) {
      CompletableFuture<Boolean> due = new CompletableFuture<>();
      loops.pipes().scheduler().schedule(() -> due.complete(true), Duration.ofSeconds(2).toNanos());
      loops.makeNoMore();
      loops.endAll(new OutOfMemoryError("simulated"));
      assertThat(due.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  /** As long as loops end one after the other, each leaves what it was left. */
  @Test
  void timersOutliveManyLoops() throws Exception {
    try (BreakableLoops loops = new BreakableLoops(1)) {
      CompletableFuture<Boolean> due = new CompletableFuture<>();
      loops.pipes().scheduler().schedule(() -> due.complete(true), LONG.toNanos() / 30);
      for (int i = 0; i < 5; i++) {
        GuardedLoop loop = loops.loops().next();
        loops.endAll(new OutOfMemoryError("simulated"));
        loop.terminationFuture().await(LONG.toSeconds(), TimeUnit.SECONDS);
      }
      assertThat(due.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void tasksOfALoopThatHasEndedAreRunByAnother() throws Exception {
    try (BreakableLoops loops = new BreakableLoops(1)) {
      GuardedLoop loop = loops.loops().next();
      CompletableFuture<Boolean> began = new CompletableFuture<>();
      loop.execute(() -> began.complete(true));
      began.get(LONG.toSeconds(), TimeUnit.SECONDS);
      loops.endAll(new OutOfMemoryError("simulated"));
      loop.terminationFuture().await(LONG.toSeconds(), TimeUnit.SECONDS);
      CompletableFuture<Boolean> asLoop = new CompletableFuture<>();
      GuardedLoop.execute(loop, () -> asLoop.complete(GuardedLoop.isCurrent(loop)));
      assertThat(asLoop.get(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
