package dev.gannet.transport.netty;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.HostLookUp;
import dev.gannet.transport.Listening;
import dev.gannet.transport.ProxiedAddress;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import dev.gannet.transport.settings.ConnectionLimits;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Opens and accepts TCP and Unix domain socket connections with Netty, with or without TLS. */
@SuppressWarnings(
    "FutureReturnValueIgnored") // the result of a write or close is seen in the channel's end
public final class NettyPipes implements PipeProvider {
  private static final int PRIORITY = 100;

  /** Effectively no limit; timers add it to the clock. */
  private static final long MAX_HANDSHAKE_MILLIS = Duration.ofDays(365).toMillis();

  static {
    NettySystemProperties.setDefaults();
  }

  /**
   * How much may wait for a slow reader before a connection stops writing, and below which amount
   * it continues.
   */
  static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(32 << 10, 64 << 10);

  private static final ReadsInTurns READS_IN_TURNS = new ReadsInTurns();

  private final Supplier<NettyEventLoops> loops;
  private final Supplier<SslProvider> tlsProvider;
  private final Scheduler scheduler;

  /** For {@link java.util.ServiceLoader}. */
  public NettyPipes() {
    this(NettyEventLoops::shared);
  }

  /**
   * Pipes on those loops.
   *
   * @param loops called when loops are needed, because the first call may have to create them
   */
  NettyPipes(Supplier<NettyEventLoops> loops) {
    this(loops, () -> TlsContexts.preferred()); // a method reference would load the class
  }

  /**
   * The same.
   *
   * @param tlsProvider the TLS provider; called when it is needed, because looking for OpenSSL
   *     loads it
   */
  NettyPipes(Supplier<NettyEventLoops> loops, Supplier<SslProvider> tlsProvider) {
    this.loops = loops;
    this.tlsProvider = tlsProvider;
    this.scheduler = new NettyScheduler(loops);
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  /**
   * Every kind: those that nobody knows better fail with a text that says which kinds are
   * supported.
   */
  @Override
  public boolean knows(SocketAddress address) {
    return true;
  }

  @Override
  public PipeProvider on(EventLoops chosen) {
    NettyEventLoops own = NettyEventLoops.of(chosen);
    return new NettyPipes(() -> own, tlsProvider);
  }

  /**
   * With one TLS context for all its connections, because sessions can only be resumed within one
   * context.
   */
  @Override
  public Connector connector(ChannelCredentials credentials) {
    return new Connects(
        this,
        credentials instanceof ChannelCredentials.Insecure
            ? Optional.empty() // without loading TLS
            : TlsContexts.of(credentials, tlsProvider, scheduler));
  }

  private record Connects(NettyPipes pipes, Optional<WatchedTls> tls) implements Connector {
    @Override
    public Scheduler.Cancellable connect(
        SocketAddress address, String serverName, Connecting then) {
      return pipes.connect(address, serverName, tls.map(WatchedTls::get), then);
    }

    @Override
    public void close() {
      tls.ifPresent(WatchedTls::close);
    }
  }

  /** Listens, and keeps its TLS up to date until it is closed. */
  private record Listens(Listening socket, Optional<WatchedTls> tls) implements Listening {
    @Override
    public SocketAddress address() {
      return socket.address();
    }

    @Override
    public void close(Runnable onFree) {
      tls.ifPresent(WatchedTls::close);
      socket.close(onFree);
    }
  }

  private Scheduler.Cancellable connect(
      SocketAddress address, String serverName, Optional<SslContext> tls, Connecting then) {
    if (address instanceof InetSocketAddress host && host.isUnresolved()) {
      return HostLookUp.start(
          scheduler, host.getHostString(), new Found(this, host.getPort(), serverName, tls, then));
    }
    NettyEventLoops on = loops.get();
    Optional<ProxiedAddress> proxied =
        address instanceof ProxiedAddress it ? Optional.of(it) : Optional.empty();
    SocketAddress target = proxied.isPresent() ? proxied.get().target() : address;
    SocketAddress next = proxied.isPresent() ? proxied.get().proxyAddress() : address;
    int port = target instanceof InetSocketAddress inet ? inet.getPort() : -1;
    NettyEventLoops.Family family = on.kind().familyOf(next);
    Bootstrap bootstrap =
        new Bootstrap()
            .disableResolver() // its look-ups would block the loop
            .group(on.next())
            .channelFactory(family.sockets())
            .option(ChannelOption.ALLOCATOR, on.memory())
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler(
                new Setup(
                    channel -> tls.map(c -> c.newHandler(channel.alloc(), serverName, port)),
                    new Connected(on.kind(), serverName, then),
                    then.connectionLimits(),
                    proxied));
    Sockets.setUp(bootstrap, next, then.socketOptions());
    ChannelFuture connecting = bootstrap.connect(family.own().apply(next));
    String prefix = proxied.isPresent() ? "the proxy " + proxied.get().proxy() + ": " : "";
    if (connecting.isDone() && !connecting.isSuccess()) { // whose listeners may have no thread
      then.onFailed(prefix + ErrorText.whateverComes(connecting.cause()));
      return () -> {};
    }
    connecting.addListener(done -> {
      if (!done.isSuccess()) {
        then.onFailed(prefix + ErrorText.whateverComes(done.cause()));
      }
    });
    return () -> takeBack(connecting);
  }

  /** Connects to a host whose address is known now. */
  private record Found(
      NettyPipes pipes, int port, String serverName, Optional<SslContext> tls, Connecting then)
      implements HostLookUp.Then {
    @Override
    public Scheduler.Cancellable connect(InetAddress found) {
      return pipes.connect(new InetSocketAddress(found, port), serverName, tls, then);
    }

    @Override
    public void onFailed(Throwable why) {
      then.onFailed(ErrorText.whateverComes(why));
    }

    @Override
    public void onCancelled() {
      then.onFailed("the connection is no longer needed");
    }
  }

  private static void takeBack(ChannelFuture connecting) {
    Channel channel = connecting.channel();
    if (connecting.cause() == null) { // one that failed may have no loop
      GuardedLoop.execute(
          channel.eventLoop(),
          () -> {
            if (!channel.isActive() || channel.pipeline().get(Handshake.class) != null) {
              channel.close();
            }
          });
    }
  }

  @Override
  public Listening listen(SocketAddress address, ServerCredentials credentials, Accepting then)
      throws IOException {
    if (!(address instanceof InetSocketAddress || address instanceof UnixDomainSocketAddress)) {
      throw new IOException(
          "cannot listen on " + address + ": not an address of TCP or a Unix domain socket");
    }
    Optional<WatchedTls> tls = TlsContexts.of(credentials, tlsProvider, scheduler);
    NettyEventLoops on = loops.get();
    Setup setup =
        new Setup(
            channel -> tls.map(it -> it.get().newHandler(channel.alloc())),
            new Accepted(on.kind(), then),
            then.connectionLimits(),
            Optional.empty());
    Acceptor.Terms terms = new Acceptor.Terms(on, then, setup, then.socketOptions());
    try {
      return new Listens(ListeningSocket.open(terms, address), tls);
    } catch (IOException | RuntimeException | Error e) {
      tls.ifPresent(WatchedTls::close);
      throw e;
    }
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  /** Adds TLS, if configured, and the handler that waits for it to each new channel. */
  private static final class Setup extends NewChannel {
    private final Function<Channel, Optional<SslHandler>> tls;
    private final Handshake.Then then;
    private final ConnectionLimits limits;
    private final Optional<ProxiedAddress> proxied;

    /**
     * @param proxied what a proxy is asked first, if there is one
     * @param limits of these, TLS uses the time from the open socket to the end of its handshake,
     *     and the number of records it accepts; HTTP/2's own handshake has the time that is left
     */
    Setup(
        Function<Channel, Optional<SslHandler>> tls,
        Handshake.Then then,
        ConnectionLimits limits,
        Optional<ProxiedAddress> proxied) {
      this.proxied = proxied;
      this.tls = tls;
      this.then = then;
      this.limits = limits;
    }

    @Override
    void setUp(Channel channel) {
      long millis =
          Math.clamp(
              TimeUnit.NANOSECONDS.toMillis(limits.handshakeNanos()), 1, MAX_HANDSHAKE_MILLIS);
      if (proxied.isPresent()) {
        channel.pipeline().addLast(new ProxyTunnel(proxied.get(), millis));
      }
      Optional<SslHandler> handler = tls.apply(channel);
      if (handler.isPresent()) { // no lambda: a plaintext connection would load TLS for it
        setUpTls(channel, handler.get());
      } else {
        channel.config().setRecvByteBufAllocator(READS_IN_TURNS);
      }
      channel.pipeline().addLast(new Handshake(handler, millis, then));
    }

    private void setUpTls(Channel channel, SslHandler handler) {
      handler.setHandshakeTimeoutMillis(0); // Handshake watches it
      handler.setCumulator(ByteToMessageDecoder.MERGE_CUMULATOR);
      TlsRecords records = new TlsRecords(handler, limits.http2());
      channel.config().setRecvByteBufAllocator(new ReadsByRecords(records));
      channel.pipeline().addLast(records, handler, records.plaintext());
    }
  }

  /** Starts the pipe's listener; if that fails, what was written already is released. */
  private static void drive(Channel channel, NettyPipe pipe, Function<Pipe, PipeListener> driver) {
    PipeHandler handler = new PipeHandler(pipe);
    channel.pipeline().addLast(handler); // a listener that has started always learns of the end
    try {
      handler.drivenBy(driver.apply(pipe));
    } catch (RuntimeException | Error e) {
      pipe.onClosed();
      throw e;
    }
  }

  private record Connected(NettyEventLoops.Kind kind, String serverName, Connecting then)
      implements Handshake.Then {
    @Override
    public void onOpen(Channel channel, ConnectionInfo info, long openedNanos) {
      try {
        CertifiedServer server = new CertifiedServer(serverName, info.tls());
        drive(channel, new NettyPipe(channel, kind, info, openedNanos, server), then::onOpen);
      } catch (RuntimeException | Error e) {
        then.onFailed(ErrorText.whateverComes(e));
        throw e;
      }
    }

    @Override
    public void onFailed(Channel channel, String why) {
      then.onFailed(why);
    }
  }

  private record Accepted(NettyEventLoops.Kind kind, Accepting then) implements Handshake.Then {
    @Override
    public void onOpen(Channel channel, ConnectionInfo info, long openedNanos) {
      drive(channel, new NettyPipe(channel, kind, info, openedNanos), then::onOpen);
    }

    @Override
    public void onFailed(Channel channel, String why) {
      then.owner().onFailed(Sockets.remoteOf(channel), why);
    }
  }
}
