package dev.gannet.transport.netty;

import dev.gannet.transport.Listening;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A socket that accepts connections. Safe for all threads.
 *
 * <pre>
 *   LISTENING ──its loop has ended──► REOPENING ──bound on another loop──► LISTENING
 *       │                                 ├──five tries have failed──► STOPPED, and reported
 *       └──close──► CLOSED ◄──close───────┘
 * </pre>
 *
 * <p>What has become of a bind is looked at a second after it began, also when the socket has been
 * closed meanwhile: when memory is short, Netty may bind the socket and then fail without a result.
 * Clients could connect to it, and nobody would accept their connections.
 *
 * <p>Closing waits for nothing: an inline handler may occupy the loop of the socket for long. The
 * address is free when the loop has closed the socket.
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
  private Bind last;

  private enum State {
    LISTENING,
    REOPENING,
    STOPPED,
    CLOSED
  }

  private ListeningSocket(Acceptor.Terms terms, SocketAddress asked) throws IOException {
    this.terms = terms;
    last = new Bind();
    last.begin(asked);
    address = Sockets.localOf(last.await(asked));
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

  /** On the loop that has ended, or that has closed the socket because of an error. */
  private void onEnded(Throwable why) {
    try {
      reopen(1, why);
    } catch (RejectedExecutionException e) {
      stop(e); // there is no loop to try on
    }
  }

  /** The look comes first, so that no socket is bound that nobody looks at. */
  private void reopen(int number, Throwable why) {
    terms.loops().next().runLater(() -> look(number, why), BETWEEN_TRIES_NANOS);
    Bind next = new Bind();
    lock.lock();
    try {
      if (state == State.LISTENING || state == State.REOPENING) {
        state = State.REOPENING;
        last = next;
        next.begin(address);
      }
    } finally {
      lock.unlock();
    }
  }

  private void look(int number, Throwable why) {
    Bind closed = lastIn(State.CLOSED);
    if (closed != null) {
      closed.giveUp();
    }
    Bind bind = lastIn(State.REOPENING);
    if (bind == null) {
      return;
    }
    if (bind.isListening()) {
      if (changes(State.REOPENING, State.LISTENING)) {
        log(Level.INFO, "listening again on {0}, which was closed: {1}", why);
      }
      return;
    }
    bind.giveUp();
    if (number == MAX_TRIES) {
      stop(bind.failure().orElse(why));
      return;
    }
    try {
      reopen(number + 1, why);
    } catch (Throwable e) { // there is no loop, or no memory
      stop(e);
    }
  }

  private @Nullable Bind lastIn(State wanted) {
    lock.lock();
    try {
      return state == wanted ? last : null;
    } finally {
      lock.unlock();
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

  private void stop(Throwable why) {
    if (changes(State.REOPENING, State.STOPPED) || changes(State.LISTENING, State.STOPPED)) {
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
  public void close(Runnable onFree) {
    Bind closing;
    lock.lock();
    try {
      state = State.CLOSED;
      closing = last;
    } finally {
      lock.unlock();
    }
    closing.close(onFree);
  }

  /** One bind of the address, and the socket that came of it, if any. */
  private final class Bind implements Acceptor.Ended {
    private volatile @Nullable ChannelFuture result;
    private volatile @Nullable Throwable failure;
    private volatile boolean givenUp;

    /** Completed when nothing of this bind has the address any more. */
    private final CompletableFuture<Bind> free = new CompletableFuture<>();

    /** Throws nothing: a failure is seen in what this has become. */
    void begin(SocketAddress at) {
      try {
        result = bind(at);
      } catch (Throwable e) {
        failure = e;
      }
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
              .handler(new Acceptor(terms, open, this, System::nanoTime));
      Sockets.setUpListening(bootstrap, at, kind, terms.socketOptions());
      return bootstrap.bind(family.own().apply(at));
    }

    /** Waits until it listens; returns the socket. */
    Channel await(SocketAddress asked) throws IOException {
      ChannelFuture begun = result;
      if (begun != null && begun.awaitUninterruptibly().isSuccess()) {
        return begun.channel();
      }
      Throwable why = failure().orElseThrow();
      throw new IOException(
          "cannot listen on " + ErrorText.of(asked) + ": " + ErrorText.of(why), why);
    }

    Optional<Throwable> failure() {
      ChannelFuture begun = result;
      return Optional.ofNullable(begun == null ? failure : begun.cause());
    }

    boolean isListening() {
      ChannelFuture begun = result;
      return begun != null && begun.isSuccess() && begun.channel().isActive();
    }

    /** Closes the socket once it is bound, and runs the task when that has happened. */
    void close(Runnable onFree) {
      givenUp = true;
      free.thenRun(onFree);
      ChannelFuture begun = result;
      if (begun == null) {
        free.complete(this);
        return;
      }
      whenDone(begun.channel().closeFuture(), () -> free.complete(this));
      whenDone(begun, () -> closeBound(begun));
    }

    /** The task may run twice: a loop that has ended runs no listener. */
    private static void whenDone(ChannelFuture future, Runnable task) {
      future.addListener(done -> task.run());
      if (future.isDone()) {
        task.run();
      }
    }

    private void closeBound(ChannelFuture bound) {
      if (bound.isSuccess()) {
        bound.channel().close();
      } else {
        free.complete(this);
      }
    }

    /** Closes what the bind has left, whether or not its result is known. */
    void giveUp() {
      givenUp = true;
      ChannelFuture begun = result;
      if (begun == null) {
        return;
      }
      try {
        begun.channel().close();
      } catch (Throwable e) {
        free.complete(this); // it has no loop yet, so it is not bound, either
      }
    }

    @Override
    public void onEnded(Throwable why) {
      if (!givenUp) {
        ListeningSocket.this.onEnded(why);
      }
    }
  }
}
