package dev.gannet.transport.inprocess;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Optional;

/** The in-process transport. It has no state and no thread; safe for all threads. */
final class InProcessTransport implements TransportProvider {
  /** No other transport supports these addresses better. */
  private static final int PRIORITY = Integer.MAX_VALUE;

  private static final Scheduler.Cancellable DONE = () -> {};

  private final InProcessOptions options;
  private final Scheduler scheduler;

  InProcessTransport(InProcessOptions options, Scheduler scheduler) {
    this.options = options;
    this.scheduler = scheduler;
  }

  @Override
  public int priority() {
    return PRIORITY;
  }

  @Override
  public ChannelCredentials defaultCredentials() {
    return ChannelCredentials.insecure();
  }

  /** Nothing leaves the process. */
  @Override
  public SecurityLevel securityLevel(ChannelCredentials credentials) {
    return SecurityLevel.PRIVACY_AND_INTEGRITY;
  }

  @Override
  public TransportProvider by(Scheduler other) {
    return new InProcessTransport(options, other);
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    if (!(credentials instanceof ChannelCredentials.Insecure)) {
      throw new IllegalArgumentException(
          "in-process connections are not encrypted: leave credentials out, or use plaintext()");
    }
    return this::connect;
  }

  /** Connects at once: there is nothing to cancel. */
  private Scheduler.Cancellable connect(
      SocketAddress address, TransportSettings settings, Opening then) {
    Optional<ServerRegistry.ListeningServer> listening = ServerRegistry.OF_PROCESS.find(address);
    if (listening.isEmpty()) {
      then.onNotOpened(
          address instanceof InProcessAddress
              ? "no server of this process listens at " + address
              : "not an in-process address: " + address);
    } else if (!listening.get().server().admit(address)) {
      then.onNotOpened("the server at " + address + " accepts no more connections");
    } else {
      connect(listening.get(), settings, then);
    }
    return DONE;
  }

  private void connect(
      ServerRegistry.ListeningServer listening, TransportSettings settings, Opening then) {
    InProcessAddress address = listening.address();
    Optional<Accepted> accepted = accept(listening);
    if (accepted.isPresent()) {
      connection(listening, accepted.get(), settings, then).open();
    } else {
      listening.server().onGone(address);
      then.onNotOpened("the server at " + address + " has refused the connection");
    }
  }

  private static Optional<Accepted> accept(ServerRegistry.ListeningServer listening) {
    try {
      return listening.server().accept(InProcessConnection.info(listening.address()));
    } catch (RuntimeException | Error e) {
      listening.server().onGone(listening.address());
      throw e;
    }
  }

  private InProcessConnection connection(
      ServerRegistry.ListeningServer listening,
      Accepted accepted,
      TransportSettings settings,
      Opening then) {
    try {
      return new InProcessConnection(listening, accepted, settings, options, scheduler, then);
    } catch (RuntimeException | Error e) {
      accepted.onNotOpened();
      listening.server().onGone(listening.address());
      throw e;
    }
  }

  @Override
  public Listening listen(
      SocketAddress address,
      ServerCredentials credentials,
      TransportSettings settings,
      Accepting then)
      throws IOException {
    if (!(credentials instanceof ServerCredentials.Insecure)) {
      throw new IllegalArgumentException("in-process connections are not encrypted: " + address);
    }
    if (!(address instanceof InProcessAddress inProcess)) {
      throw new IOException("not an in-process address: " + address);
    }
    return ServerRegistry.OF_PROCESS.register(inProcess, then, settings, options);
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }
}
