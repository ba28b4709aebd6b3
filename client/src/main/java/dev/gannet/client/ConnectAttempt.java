package dev.gannet.client;

import dev.gannet.api.Status;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.http2.ClientConnection;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeEvents;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to reach the target: its addresses are looked up and tried one after the other, until
 * a connection is ready. Tells its subchannel once how it ended.
 */
final class ConnectAttempt {
  /**
   * How long one address may take until its server's SETTINGS are there (gRPC's
   * MIN_CONNECT_TIMEOUT).
   */
  private static final long ADDRESS_TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

  private final ChannelSettings settings;
  private final Subchannel subchannel;
  private final ArrayDeque<InetSocketAddress> untried = new ArrayDeque<>();
  private final StringBuilder story = new StringBuilder();
  private Optional<Throwable> cause = Optional.empty();
  private volatile Optional<OneAddress> current = Optional.empty();
  private volatile boolean cancelled;

  ConnectAttempt(ChannelSettings settings, Subchannel subchannel) {
    this.settings = settings;
    this.subchannel = subchannel;
  }

  /** Begins in the background: looking up a name may block. */
  void start() {
    try {
      settings.pipes().offload(this::resolve);
    } catch (RuntimeException | Error e) {
      onThrown("no thread to connect on", e);
      tryNext();
    }
  }

  /** Goes no further. Any thread. */
  void cancel() {
    cancelled = true;
    current.ifPresent(OneAddress::giveUp);
  }

  private void resolve() {
    Target target = settings.target();
    try {
      Arrays.stream(InetAddress.getAllByName(target.host()))
          .map(address -> new InetSocketAddress(address, target.port()))
          .forEach(untried::add);
    } catch (UnknownHostException e) {
      story.append("unknown host ").append(target.host());
      cause = Optional.of(e);
    } catch (Throwable e) { // a resolver may be a user's
      onThrown("cannot look up " + target.host(), e);
    }
    tryNext();
  }

  private void onThrown(String what, Throwable thrown) {
    story.append(what).append(": ").append(words(thrown));
    cause = Optional.of(thrown);
  }

  private static String words(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getName() : message;
  }

  private void tryNext() {
    InetSocketAddress address = untried.poll();
    if (address == null || cancelled) {
      Status why =
          Status.UNAVAILABLE.withDescription(
              "cannot connect to " + settings.target() + ": " + story);
      subchannel.onFailed(this, cause.map(why::withCause).orElse(why));
      return;
    }
    OneAddress next = new OneAddress(address);
    current = Optional.of(next);
    try {
      next.connect();
    } catch (RuntimeException | Error e) { // whatever it is, calls wait for the attempt's end
      untried.clear();
      cause = Optional.of(e);
      next.decide(words(e));
    }
  }

  private void onAddressFailed(String why) {
    story.append(story.isEmpty() ? "" : "; ").append(why);
    tryNext();
  }

  /** The attempt at one address, from the socket to the server's first SETTINGS. */
  private final class OneAddress implements PipeProvider.Connecting, ClientTransport.Owner {
    private final InetSocketAddress address;
    private final ConnectionLimits limits = subchannel.limits();
    private final AtomicBoolean decided = new AtomicBoolean();
    private final AtomicBoolean opening = new AtomicBoolean();
    private volatile @Nullable ClientConnection connection;
    private volatile PipeProvider.@Nullable Cancellable timeout;
    private volatile PipeProvider.@Nullable Cancellable connecting;

    OneAddress(InetSocketAddress address) {
      this.address = address;
    }

    void connect() {
      if (!subchannel.mayOpen()) {
        decide("the channel is shut down");
        return;
      }
      opening.set(true);
      try {
        timeout = settings.pipes().schedule(this::onTimeout, ADDRESS_TIMEOUT_NANOS);
        connecting = settings.connector().connect(address, settings.serverName(), this);
      } catch (RuntimeException | Error e) {
        stopOpening();
        throw e;
      }
      if (decided.get()) {
        abandon(); // who decided may not have found it
      }
    }

    @Override
    public long handshakeNanos() {
      return limits.handshakeNanos();
    }

    @Override
    public PipeEvents onOpen(Pipe pipe) {
      ClientConnection opened = begin(pipe);
      connection = opened;
      subchannel.onOpened(opened);
      stopOpening(); // behind it, for a channel that ends waits for what is opening or open
      if (decided.get()) {
        opened.shutdown();
      }
      return opened;
    }

    private ClientConnection begin(Pipe pipe) {
      try {
        return ClientConnection.over(pipe, limits, this);
      } catch (RuntimeException | Error e) {
        onFailed("the connection cannot begin: " + words(e));
        throw e;
      }
    }

    @Override
    public void onFailed(String why) {
      stopOpening();
      decide(why);
    }

    /** What tells of the failure may fail itself, and be told of by who called. */
    private void stopOpening() {
      if (opening.compareAndSet(true, false)) {
        subchannel.onOpeningEnded();
      }
    }

    @Override
    public void onReady() {
      ClientConnection ready = connection;
      if (ready != null && decided.compareAndSet(false, true)) {
        stopTimeout();
        subchannel.onReady(ConnectAttempt.this, ready);
      }
    }

    @Override
    public void onGoingAway(Status why) {
      if (connection != null) {
        subchannel.onGoingAway(connection);
      }
    }

    @Override
    public void onTooManyPings() {
      subchannel.onTooManyPings(limits.keepAlive());
    }

    @Override
    public void onFault(SocketAddress server, String fault) {
      subchannel.faults().report(server, fault);
    }

    @Override
    public void onStreamFault(SocketAddress server, String fault) {
      subchannel.faults().reportOfStream(server, fault);
    }

    @Override
    public void onTerminated(Status why) {
      if (connection != null) {
        subchannel.onTerminated(connection);
      }
      decide(why.description().orElse("the connection was closed") + " (" + address + ")");
    }

    private void onTimeout() {
      if (decided.compareAndSet(false, true)) {
        try {
          abandon();
          closeSlow();
        } finally {
          onAddressFailed("no answer from " + address + " in time");
        }
      }
    }

    /**
     * Looks for a connection after the decision only: before it, one may become ready, and one that
     * opens behind this look finds the decision.
     */
    private void closeSlow() {
      ClientConnection slow = connection;
      if (slow != null) {
        slow.shutdownNow(Status.UNAVAILABLE.withDescription("no SETTINGS came in time"));
      }
    }

    /** Nobody wants the connection any more, nor to know what became of it. */
    void giveUp() {
      if (decided.compareAndSet(false, true)) {
        stopTimeout();
        abandon();
      }
    }

    /** Opens no pipe any more, if it has not yet. */
    private void abandon() {
      if (connecting != null) {
        connecting.cancel();
      }
    }

    /** The address is of no use; the first to say so leads on to the next. */
    private void decide(String why) {
      if (decided.compareAndSet(false, true)) {
        stopTimeout();
        onAddressFailed(why);
      }
    }

    private void stopTimeout() {
      if (timeout != null) {
        timeout.cancel();
      }
    }
  }
}
