package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
import dev.gannet.transport.Listening;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A socket that accepts connections. Safe for all threads.
 *
 * <pre>
 *   LISTENING ──its loop has ended──► REOPENING ──bound on another loop──► LISTENING
 *       │                                 ├──five tries have failed──► STOPPED, and reported
 *       └──close──► CLOSED ◄──close───────┘
 * </pre>
 *
 * <p>Netty removes the file of a Unix domain socket when it has closed the socket. Nobody may do so
 * before: another server could bind the path, and lose its file.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a close is seen in the channel's end
final class ListeningSocket implements Listening {
  private static final Logger LOG = System.getLogger(ListeningSocket.class.getName());
  private static final int MAX_TRIES = 5;
  private static final long BETWEEN_TRIES_NANOS = Duration.ofSeconds(1).toNanos();

  private final Acceptor.Terms terms;
  private final AtomicInteger open = new AtomicInteger();
  private final SocketAddress address;
  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.LISTENING;

  /** The last bind, which may be under way. */
  private ChannelFuture binding;

  private enum State {
    LISTENING,
    REOPENING,
    STOPPED,
    CLOSED
  }

  private ListeningSocket(Acceptor.Terms terms, SocketAddress asked) throws IOException {
    this.terms = terms;
    ChannelFuture bound;
    try {
      bound = bind(asked).awaitUninterruptibly();
    } catch (IOException e) {
      throw notBound(asked, e);
    }
    if (!bound.isSuccess()) {
      throw notBound(asked, bound.cause());
    }
    binding = bound;
    address = Sockets.localOf(bound.channel());
  }

  private static IOException notBound(SocketAddress asked, Throwable why) {
    return new IOException(
        "cannot listen on " + ErrorText.of(asked) + ": " + ErrorText.of(why), why);
  }

  /**
   * Listens from now on.
   *
   * @throws IOException if the address is in use or does not belong to this machine
   */
  static ListeningSocket open(Acceptor.Terms terms, SocketAddress address) throws IOException {
    ListeningSocket socket = new ListeningSocket(terms, address);
    Descriptors.ofThisProcess().reserve();
    prepareLogs();
    return socket;
  }

  /**
   * Has the JDK load its time zones: the first line of a log needs them, which takes a file
   * descriptor and much memory, and a JVM in which that has failed once cannot log any more.
   */
  private static void prepareLogs() {
    Objects.requireNonNull(ZoneId.systemDefault());
  }

  private ChannelFuture bind(SocketAddress at) throws IOException {
    NettyEventLoops.Kind kind = terms.loops().kind();
    NettyEventLoops.Family family = kind.familyOf(at);
    if (at instanceof UnixDomainSocketAddress unix) {
      SocketFile.makeWay(unix.getPath());
    }
    Bootstrap bootstrap =
        new Bootstrap()
            .group(terms.loops().next())
            .channelFactory(family.serverSockets())
            .handler(new Acceptor(terms, open, this::onEnded));
    Sockets.setUpListening(bootstrap, at, kind, terms.socketOptions());
    return bootstrap.bind(family.own().apply(at));
  }

  /** On the loop that has ended, or that has closed the socket because of an error. */
  private void onEnded(Throwable why) {
    reopen(1, why);
  }

  private void reopen(int number, Throwable why) {
    try {
      rebind()
          .ifPresent(begun ->
              begun.addListener(bound -> {
                if (bound.isSuccess()) {
                  onReopened(why);
                } else {
                  tryAgain(number, bound.cause());
                }
              }));
    } catch (Throwable e) {
      tryAgain(number, e);
    }
  }

  /** Binds the address again, unless the socket was closed. */
  private Optional<ChannelFuture> rebind() throws IOException {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return Optional.empty();
      }
      state = State.REOPENING;
      binding = bind(address);
      return Optional.of(binding);
    } finally {
      lock.unlock();
    }
  }

  private void onReopened(Throwable why) {
    if (changes(State.REOPENING, State.LISTENING)) {
      log(Level.INFO, "listening again on {0}, which was closed: {1}", why);
    }
  }

  /** Returns whether that was its state. */
  private boolean changes(State from, State to) {
    lock.lock();
    try {
      boolean changed = state == from;
      state = changed ? to : state;
      return changed;
    } finally {
      lock.unlock();
    }
  }

  private void tryAgain(int number, Throwable why) {
    boolean trying = false;
    if (number < MAX_TRIES) {
      try {
        terms.loops().next().runLater(() -> reopen(number + 1, why), BETWEEN_TRIES_NANOS);
        trying = true;
      } catch (Throwable e) {
        // There is no loop to try on.
      }
    }
    if (!trying) {
      stop(why);
    }
  }

  private void stop(Throwable why) {
    if (changes(State.REOPENING, State.STOPPED)) {
      try {
        terms.then().owner().onStopped();
      } finally {
        log(Level.ERROR, "cannot listen on {0} any more, the server shuts down: {1}", why);
      }
    }
  }

  private void log(Level level, String words, Throwable why) {
    try {
      LOG.log(level, words, ErrorText.of(address), ErrorText.of(why));
    } catch (Throwable e) {
      // there is nothing else to report to
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    ChannelFuture last;
    lock.lock();
    try {
      state = State.CLOSED;
      last = binding;
    } finally {
      lock.unlock();
    }
    last.addListener(bound -> closeBound(last)); // a bind that is under way ends first
    if (!(Thread.currentThread()
        instanceof EventLoopThread)) { // otherwise two threads might wait for each other
      closeBound(last.awaitUninterruptibly()).awaitUninterruptibly();
    }
  }

  private static ChannelFuture closeBound(ChannelFuture bound) {
    return bound.isSuccess() ? bound.channel().close() : bound;
  }
}
