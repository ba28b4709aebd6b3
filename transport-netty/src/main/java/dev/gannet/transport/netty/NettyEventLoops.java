package dev.gannet.transport.netty;

import dev.gannet.api.engine.EngineParts;
import dev.gannet.api.transport.EventLoops;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.UnixChannelOption;
import io.netty.util.concurrent.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Event loops, and the kinds of channels that they serve. All connections of this JVM share the
 * loops that are created on first use: as many daemon threads as processors. A loop that has ended
 * is replaced by a new one when its turn comes. Safe for all threads.
 *
 * <p>Uses Linux's epoll if its native library is present, otherwise the JDK's selectors.
 */
final class NettyEventLoops {
  /**
   * Sockets of one address family. The factories are lambdas, because a constructor reference loads
   * its class as soon as it is made, and most programs use one of these classes.
   *
   * @param own converts an address of the JDK into the type that these sockets take
   */
  record Family(
      ChannelFactory<? extends Channel> sockets,
      ChannelFactory<? extends ServerChannel> serverSockets,
      UnaryOperator<SocketAddress> own) {

    static Family tcp(
        ChannelFactory<? extends Channel> sockets,
        ChannelFactory<? extends ServerChannel> serverSockets) {
      return new Family(sockets, serverSockets, UnaryOperator.identity());
    }
  }

  /**
   * The types that loops and channels are created from.
   *
   * @param io creates the I/O handler of a loop
   * @param guard wraps each channel of the loop
   * @param tcp sockets of the network
   * @param unix sockets between programs on one machine
   * @param userTimeoutMillis the socket option that closes a connection whose data nobody
   *     acknowledges, if there is one
   * @param reusePort the option by which several sockets listen on one port
   */
  record Kind(
      IoHandlerFactory io,
      GuardedIo.Guard guard,
      Family tcp,
      Family unix,
      Optional<ChannelOption<Integer>> userTimeoutMillis,
      ChannelOption<Boolean> reusePort) {

    static Kind ofThisMachine() {
      return isEpollPresent() ? epoll() : nio();
    }

    private static boolean isEpollPresent() {
      try {
        return Epoll.isAvailable();
      } catch (NoClassDefFoundError e) {
        return false; // the epoll jars are optional
      }
    }

    private static Kind epoll() {
      return new Kind(
          EpollIoHandler.newFactory(),
          GuardedIo::guardEpoll,
          Family.tcp(() -> new EpollSocketChannel(), () -> new EpollServerSocketChannel()),
          new Family(
              () -> new EpollDomainSocketChannel(),
              () -> new EpollServerDomainSocketChannel(),
              it -> new DomainSocketAddress(it.toString())),
          Optional.of(EpollChannelOption.TCP_USER_TIMEOUT),
          UnixChannelOption.SO_REUSEPORT);
    }

    static Kind nio() {
      return new Kind(
          NioIoHandler.newFactory(),
          GuardedIo::guardNio,
          Family.tcp(() -> new NioSocketChannel(), () -> new NioServerSocketChannel()),
          new Family(
              () -> new NioDomainSocketChannel(),
              () -> new NioServerDomainSocketChannel(),
              UnaryOperator.identity()),
          Optional.empty(),
          NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT));
    }

    /** The socket types for that address. */
    Family familyOf(SocketAddress address) {
      return address instanceof UnixDomainSocketAddress ? unix : tcp;
    }

    /** The same with another factory of I/O handlers. */
    Kind with(IoHandlerFactory otherIo) {
      return new Kind(otherIo, guard, tcp, unix, userTimeoutMillis, reusePort);
    }
  }

  private static final OnFirstUse<NettyEventLoops> SHARED =
      new OnFirstUse<>(() -> {
        Descriptors.ofThisProcess().noteLimit();
        return of(Runtime.getRuntime().availableProcessors(), ByteBufAllocator.DEFAULT);
      });

  private static final Logger LOG = System.getLogger(NettyEventLoops.class.getName());

  private final Kind kind;
  private final ByteBufAllocator memory;
  private final AtomicReferenceArray<@Nullable GuardedLoop> loops;
  private final AtomicInteger turns = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean shutDown;

  /**
   * Loops that are created when they are needed.
   *
   * @param memory the allocator of buffers
   */
  NettyEventLoops(Kind kind, int threads, ByteBufAllocator memory) {
    this.kind = kind;
    this.memory = memory;
    this.loops = new AtomicReferenceArray<>(threads);
  }

  static NettyEventLoops shared() {
    return SHARED.get();
  }

  /** Separate loops; they run until they are shut down. */
  static NettyEventLoops of(int threads, ByteBufAllocator memory) {
    return new NettyEventLoops(Kind.ofThisMachine(), threads, memory);
  }

  /**
   * The loops behind the event loops that users create, created on first use.
   *
   * @throws IllegalStateException if these are closed
   */
  static NettyEventLoops of(EventLoops chosen) {
    return chosen == EventLoops.ofProcess()
        ? shared()
        : EngineParts.of(chosen, OwnLoops.class, it -> OwnLoops.ofThreads(it.threads())).loops();
  }

  Kind kind() {
    return kind;
  }

  ByteBufAllocator memory() {
    return memory;
  }

  /**
   * The next loop, in turn.
   *
   * @throws RejectedExecutionException if there is none, and none can be created
   */
  GuardedLoop next() {
    int turn = turns.getAndIncrement();
    Throwable failure = null;
    for (int i = 0; i < loops.length(); i++) {
      try {
        return at(Math.floorMod(turn + i, loops.length()));
      } catch (RuntimeException | Error e) {
        failure = e; // another one may have been created
      }
    }
    throw new RejectedExecutionException(
        "there is no event loop, and none can be created", failure);
  }

  private GuardedLoop at(int place) {
    GuardedLoop there = loops.get(place);
    return there != null && !there.hasEnded() ? there : make(place);
  }

  private GuardedLoop make(int place) {
    lock.lock();
    try {
      if (shutDown) {
        throw new RejectedExecutionException("the event loops are shut down");
      }
      GuardedLoop there = loops.get(place);
      if (there == null || there.hasEnded()) {
        there = new GuardedLoop(kind.io(), kind.guard(), new LoopFailover(this));
        loops.set(place, there);
      }
      return there;
    } finally {
      lock.unlock();
    }
  }

  boolean isShutDown() {
    return shutDown;
  }

  /**
   * Closes all connections and ends the loops; waits for their ends, but not for a loop that a
   * handler blocks: the log says so, and the loop ends when the handler returns. Must not be called
   * on a loop.
   *
   * @param timeoutSeconds how long tasks of the loops may go on, and how much longer to wait
   */
  void shutDown(long timeoutSeconds) {
    lock.lock();
    try {
      shutDown = true;
    } finally {
      lock.unlock();
    }
    List<GuardedLoop> ending = new ArrayList<>();
    for (int i = 0; i < loops.length(); i++) {
      GuardedLoop loop = loops.get(i);
      if (loop != null) {
        loop.shutdownGracefully(0, timeoutSeconds, TimeUnit.SECONDS);
        ending.add(loop);
      }
    }
    long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(2 * timeoutSeconds);
    int blocked = 0;
    for (GuardedLoop loop : ending) {
      Future<?> end = loop.terminationFuture();
      if (!end.awaitUninterruptibly(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        blocked++;
      }
    }
    if (blocked > 0) {
      LOG.log(
          Level.WARNING,
          "{0} of {1} event loops (gannet-loop) do not end because a handler or listener blocks them",
          blocked,
          ending.size());
    }
  }
}
