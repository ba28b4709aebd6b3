package dev.gannet.transport.netty;

import dev.gannet.api.engine.EventLoopThread;
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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A socket that accepts connections. Safe for all threads.
 *
 * <pre>
 *   LISTENING ──its loop has ended──► REOPENING ──bound on another loop──► LISTENING
 *       │                                 └──five tries have failed──► STOPPED, and reported
 *       └──close──► CLOSED
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // the result of a close is seen in the channel's end
final class ListeningSocket implements Listening {
  private static final Logger LOG = System.getLogger(ListeningSocket.class.getName());
  private static final int MAX_TRIES = 5;
  private static final long BETWEEN_TRIES_NANOS = Duration.ofSeconds(1).toNanos();

  private final Acceptor.Terms terms;
  private final AtomicInteger open = new AtomicInteger();
  private final SocketAddress address;
  private volatile Channel channel;
  private volatile boolean closed;

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
    channel = bound.channel();
    address = Sockets.localOf(channel);
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
    if (closed) {
      return;
    }
    try {
      ChannelFuture binding = bind(address);
      binding.addListener(bound -> {
        if (bound.isSuccess()) {
          onReopened(binding.channel(), why);
        } else {
          tryAgain(number, bound.cause());
        }
      });
    } catch (Throwable e) {
      tryAgain(number, e);
    }
  }

  private void onReopened(Channel bound, Throwable why) {
    channel = bound;
    if (closed) {
      bound.close(); // close() may not have found it
    } else {
      log(Level.INFO, "listening again on {0}, which was closed: {1}", why);
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
    if (!closed) {
      try {
        terms.then().onStopped();
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
    if (!closed && address instanceof UnixDomainSocketAddress unix) {
      SocketFile.remove(unix.getPath()); // first: another server may bind it from then on
    }
    closed = true;
    ChannelFuture closing = channel.close();
    if (!(Thread.currentThread()
        instanceof EventLoopThread)) { // otherwise two threads might wait for each other
      closing.awaitUninterruptibly();
    }
  }
}
