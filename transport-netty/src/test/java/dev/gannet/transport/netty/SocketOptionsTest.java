package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.SocketOptions;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Options of sockets that builders are given reach real sockets. */
@Timeout(60)
final class SocketOptionsTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final int BUFFER_BYTES = 20_000;

  private final List<Channel> connected = new CopyOnWriteArrayList<>();
  private final List<Channel> listening = new CopyOnWriteArrayList<>();
  private final List<Object> accepted = new CopyOnWriteArrayList<>();
  private final NettyEventLoops loops =
      new NettyEventLoops(recordingKind(), 2, ByteBufAllocator.DEFAULT);

  @AfterEach
  void end() {
    loops.shutDown(5);
  }

  private NettyEventLoops.Kind recordingKind() {
    NettyEventLoops.Kind nio = NettyEventLoops.Kind.nio();
    return new NettyEventLoops.Kind(
        nio.io(),
        nio.guard(),
        NettyEventLoops.Family.tcp(this::socket, this::serverSocket),
        nio.unix(),
        nio.userTimeoutMillis(),
        nio.reusePort());
  }

  private Channel socket() {
    Channel made = new NioSocketChannel();
    connected.add(made);
    return made;
  }

  private ServerChannel serverSocket() {
    ServerChannel made = new Recording(accepted);
    listening.add(made);
    return made;
  }

  /** Keeps the sockets that it accepts. */
  private static final class Recording extends NioServerSocketChannel {
    private final List<Object> accepted;

    Recording(List<Object> accepted) {
      this.accepted = accepted;
    }

    @Override
    protected int doReadMessages(List<Object> buffer) throws Exception {
      List<Object> read = new ArrayList<>();
      int count = super.doReadMessages(read);
      accepted.addAll(read);
      buffer.addAll(read);
      return count;
    }
  }

  /**
   * A server and a channel with those options; one call goes well, then the sockets are looked at.
   */
  private void call(UnaryOperator<SocketOptions> options, Runnable look) throws Exception {
    Http2Transport transport = Http2Transport.over(new NettyPipes(() -> loops));
    try (Server server =
            Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .transport(transport)
                .socketOptions(options)
                .add(EchoService.definition())
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", server.port())
                .plaintext()
                .transport(transport)
                .socketOptions(options)
                .build()) {
      assertThat(Caller.call(channel, MESSAGE).isOk()).isTrue();
      look.run();
    }
  }

  private <T> T ofClient(ChannelOption<T> option) {
    return connected.getFirst().config().getOption(option);
  }

  private <T> T ofServer(ChannelOption<T> option) {
    return ((Channel) accepted.getFirst()).config().getOption(option);
  }

  private <T> T ofListening(ChannelOption<T> option) {
    return listening.getFirst().config().getOption(option);
  }

  @Test
  void byDefaultOnlyTcpNoDelayIsSet() throws Exception {
    call(
        UnaryOperator.identity(),
        () -> {
          assertThat(ofClient(ChannelOption.TCP_NODELAY)).isTrue();
          assertThat(ofServer(ChannelOption.TCP_NODELAY)).isTrue();
          assertThat(ofClient(ChannelOption.SO_KEEPALIVE)).isFalse();
          assertThat(ofServer(ChannelOption.SO_KEEPALIVE)).isFalse();
          assertThat(ofListening(ChannelOption.SO_REUSEADDR)).isTrue();
          assertThat(ofListening(ChannelOption.SO_BACKLOG)).isEqualTo(4096);
          assertThat(ofClient(ChannelOption.CONNECT_TIMEOUT_MILLIS)).isEqualTo(20_000);
        });
  }

  @Test
  void flagsReachBothEnds() throws Exception {
    call(
        options -> options.withNoDelay(false).withKeepAlive(true).withReuseAddress(false),
        () -> {
          assertThat(ofClient(ChannelOption.TCP_NODELAY)).isFalse();
          assertThat(ofServer(ChannelOption.TCP_NODELAY)).isFalse();
          assertThat(ofClient(ChannelOption.SO_KEEPALIVE)).isTrue();
          assertThat(ofServer(ChannelOption.SO_KEEPALIVE)).isTrue();
          assertThat(ofListening(ChannelOption.SO_REUSEADDR)).isFalse();
        });
  }

  @Test
  void buffersHaveTheirSizeOrWhatTheSystemMakesOfIt() throws Exception {
    call(
        options -> options.withReceiveBufferBytes(BUFFER_BYTES).withSendBufferBytes(BUFFER_BYTES),
        () -> {
          // Linux doubles what it is asked for
          assertThat(ofClient(ChannelOption.SO_RCVBUF)).isBetween(BUFFER_BYTES, 2 * BUFFER_BYTES);
          assertThat(ofServer(ChannelOption.SO_RCVBUF)).isBetween(BUFFER_BYTES, 2 * BUFFER_BYTES);
          assertThat(ofClient(ChannelOption.SO_SNDBUF)).isBetween(BUFFER_BYTES, 2 * BUFFER_BYTES);
          assertThat(ofServer(ChannelOption.SO_SNDBUF)).isBetween(BUFFER_BYTES, 2 * BUFFER_BYTES);
        });
  }

  @Test
  void connectTimeoutAndBacklogReachTheirSockets() throws Exception {
    call(
        options -> options.withConnectTimeout(Duration.ofMillis(1_500)).withBacklog(7),
        () -> {
          assertThat(ofClient(ChannelOption.CONNECT_TIMEOUT_MILLIS)).isEqualTo(1_500);
          assertThat(ofListening(ChannelOption.SO_BACKLOG)).isEqualTo(7);
        });
  }

  @Test
  void severalServersListenOnOnePortIfTheyShareIt() throws IOException {
    try (Server first = sharing(0)) {
      try (Server second = sharing(first.port())) {
        assertThat(second.port()).isEqualTo(first.port());
      }
    }
  }

  private static Server sharing(int port) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .socketOptions(options -> options.withReusePort(true))
        .add(EchoService.definition())
        .start();
  }
}
