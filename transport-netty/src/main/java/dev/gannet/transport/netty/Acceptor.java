package dev.gannet.transport.netty;

import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.pipe.PipeProvider.Accepting;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers each connection that a listening socket accepts with an event loop, or closes it if
 * that fails: no connection stays open without being served.
 *
 * <p>If no connection can be accepted, most often because file descriptors have run out
 * (CVE-2023-4785), it pauses for a second: the next attempt would fail at once, too, and waste a
 * processor. The server is notified of each such failure, and one line is logged per minute.
 *
 * <pre>
 *   ACCEPTING ──failure──► PAUSED ──a second has passed──► RESUMING ──► ACCEPTING
 *                            ▲                                │
 *                            └──────── there is no memory ────┘
 * </pre>
 *
 * <p>A pause needs no memory, neither to begin nor to end: there may be none. So there is no timer,
 * but the loop looks at a paused socket after each round of its tasks.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a close is seen in the channel's end
final class Acceptor extends LoopMember {
  private static final Logger LOG = System.getLogger(Acceptor.class.getName());
  private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long BETWEEN_LINES_NANOS = Duration.ofMinutes(1).toNanos();

  private enum State {
    ACCEPTING,
    PAUSED,
    RESUMING
  }

  /** The settings of accepted connections, and the listener that is notified of them. */
  record Terms(
      NettyEventLoops loops, Accepting then, ChannelHandler setup, SocketOptions socketOptions) {}

  /** Is notified when the socket does not listen any more. */
  @FunctionalInterface
  interface Ended {
    /** On the socket's loop. Called again if it throws because memory is short. */
    void onEnded(Throwable why);
  }

  private final Terms terms;
  private final AtomicInteger open;
  private final Ended ended;
  private final Admission admission;
  private final LongSupplier clock;
  private final Throwable closed = new IOException("the listening socket was closed");
  private @Nullable Channel listening;
  private State state = State.ACCEPTING;
  private long pausedUntilNanos;
  private boolean reported;
  private boolean logged;
  private long loggedNanos;
  private long unlogged;

  /**
   * An acceptor for one listening socket.
   *
   * @param open counts the open connections, including those of earlier sockets of the server
   * @param clock the time in nanoseconds
   */
  Acceptor(Terms terms, AtomicInteger open, Ended ended, LongSupplier clock) {
    this.terms = terms;
    this.open = open;
    this.ended = ended;
    this.clock = clock;
    this.admission = new Admission(terms, open);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    super.handlerAdded(context);
    listening = context.channel();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    Channel accepted = (Channel) message;
    try {
      begin(accepted);
    } catch (Throwable e) {
      closeForcibly(accepted);
      onFailure(e);
    }
  }

  private void begin(Channel accepted) {
    ByteBufAllocator memory = terms.loops().memory();
    accepted.config().setOption(ChannelOption.ALLOCATOR, memory);
    Sockets.setUpAccepted(accepted.config(), terms.socketOptions());
    accepted.config().setOption(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyPipes.WATER_MARK);
    accepted.pipeline().addLast(admission);
    GuardedLoop loop = terms.loops().next();
    loop.execute(() -> register(accepted, loop));
  }

  /** On the connection's loop. */
  private static void register(Channel accepted, GuardedLoop loop) {
    try {
      loop.register(accepted);
    } finally {
      if (!accepted.isRegistered()) {
        closeForcibly(accepted);
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    onFailure(cause);
  }

  private void onFailure(Throwable cause) {
    pause();
    try {
      terms.then().owner().onNotAccepted();
      log(cause);
    } catch (Throwable e) {
      // There is nothing else to report to, and the loop must continue.
    }
  }

  private void pause() {
    Channel channel = listening;
    if (state == State.PAUSED || channel == null) {
      return;
    }
    state = State.PAUSED;
    pausedUntilNanos = clock.getAsLong() + PAUSE_NANOS;
    askForLooks();
    try {
      channel.config().setAutoRead(false);
    } catch (Throwable e) {
      // It accepts connections during its pause, or fails to.
    }
  }

  /**
   * Ends a pause that has lasted a second. Netty does not throw what fails while it reads, but
   * passes it to {@link #exceptionCaught}, which pauses again. Then reading stays switched on
   * although the socket does not read.
   */
  @Override
  boolean lookWhileServed() {
    Channel channel = listening;
    if (state != State.PAUSED || channel == null) {
      return true;
    }
    if (clock.getAsLong() - pausedUntilNanos < 0) {
      return false;
    }
    state = State.RESUMING;
    try {
      if (channel.config().isAutoRead()) {
        channel.read();
      } else {
        channel.config().setAutoRead(true);
      }
    } catch (Throwable e) {
      pause();
    }
    if (state == State.RESUMING) {
      state = State.ACCEPTING;
    }
    return state == State.ACCEPTING;
  }

  private void log(Throwable cause) {
    Channel channel = listening;
    if (channel == null) {
      return;
    }
    long now = System.nanoTime();
    if (logged && now - loggedNanos < BETWEEN_LINES_NANOS) {
      unlogged++;
      return;
    }
    String before = unlogged == 0 ? "" : " (" + unlogged + " more failures were not logged)";
    if (Descriptors.areWanting(cause)) {
      Descriptors.ofThisProcess()
          .withReserve(() ->
              write(
                  channel,
                  Descriptors.ofThisProcess().describe(open.get() + " connections open")
                      + "; raise the limit of open files (ulimit -n) or set maxConnections"
                      + before));
    } else {
      write(channel, ErrorText.of(cause) + " (" + open.get() + " connections open)" + before);
    }
    logged = true;
    loggedNanos = now;
    unlogged = 0;
  }

  private static void write(Channel channel, String why) {
    LOG.log(
        Level.WARNING,
        "cannot accept connections on {0}, trying again every second: {1}",
        ErrorText.of(Sockets.localOf(channel)),
        why);
  }

  /** The socket was closed, by an error or together with its loop. */
  @Override
  void reportEnd(Throwable why) {
    if (!reported) {
      ended.onEnded(why);
      reported = true;
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    context.fireChannelInactive();
    fail(closed); // so that the report is repeated if memory is short
  }

  /** Closes a new channel that exceeds the limit before anything else is done for it. */
  private static final class Admission extends NewChannel {
    private final Terms terms;
    private final AtomicInteger open;

    Admission(Terms terms, AtomicInteger open) {
      this.terms = terms;
      this.open = open;
    }

    @Override
    void setUp(Channel channel) {
      SocketAddress remote = Sockets.remoteOf(channel);
      if (!terms.then().owner().admit(remote)) {
        channel.close();
        return;
      }
      open.incrementAndGet();
      boolean watched = false;
      try {
        channel.closeFuture().addListener(done -> leave(remote));
        watched = true;
      } finally {
        if (!watched) {
          leave(remote);
        }
      }
      channel.pipeline().addLast(terms.setup());
    }

    private void leave(SocketAddress remote) {
      open.decrementAndGet();
      terms.then().owner().onGone(remote);
    }
  }
}
