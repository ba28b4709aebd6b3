package dev.gannet.transport.http2;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.SecurityLevel;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.api.transport.EventLoops;
import dev.gannet.api.transport.SocketOptions;
import dev.gannet.transport.Listening;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.ServerCalls;
import dev.gannet.transport.TransportProvider;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/** HTTP/2 over pipes: the transport of gRPC on a network. Safe for all threads. */
public final class Http2Transport implements TransportProvider {
  private final PipeProvider pipes;

  private Http2Transport(PipeProvider pipes) {
    this.pipes = pipes;
  }

  /** HTTP/2 over these pipes, with their clock and their timers. */
  public static Http2Transport over(PipeProvider pipes) {
    return new Http2Transport(pipes);
  }

  @Override
  public int priority() {
    return pipes.priority();
  }

  @Override
  public ChannelCredentials defaultCredentials() {
    return pipes.defaultCredentials();
  }

  @Override
  public SecurityLevel securityLevel(ChannelCredentials credentials) {
    return pipes.securityLevel(credentials);
  }

  @Override
  public TransportProvider on(EventLoops loops) {
    return over(pipes.on(loops));
  }

  @Override
  public Connector connector(ChannelCredentials credentials) {
    return new Connects(pipes.connector(credentials));
  }

  private record Connects(PipeProvider.Connector pipes) implements Connector {
    @Override
    public Scheduler.Cancellable connect(
        SocketAddress address, TransportSettings settings, Opening then) {
      return pipes.connect(
          address,
          then.serverName(),
          new Connecting(ConnectionLimits.of(settings), settings.sockets(), then));
    }

    @Override
    public void close() {
      pipes.close();
    }
  }

  @Override
  public Listening listen(
      SocketAddress address,
      ServerCredentials credentials,
      TransportSettings settings,
      Accepting then)
      throws IOException {
    ConnectionLimits limits = ConnectionLimits.of(settings);
    return pipes.listen(
        address, credentials, new ServerPipes(limits, settings.sockets(), then, pipes.scheduler()));
  }

  @Override
  public Scheduler scheduler() {
    return pipes.scheduler();
  }

  /** Creates a client's connection on a pipe that opens. */
  private record Connecting(ConnectionLimits limits, SocketOptions socketOptions, Opening then)
      implements PipeProvider.Connecting {
    @Override
    public ConnectionLimits connectionLimits() {
      return limits;
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      ClientConnection opened;
      try {
        opened = ClientConnection.over(pipe, limits, then);
      } catch (RuntimeException | Error e) {
        then.onNotOpened("the connection cannot be started: " + ThrowableText.of(e));
        throw e;
      }
      then.onOpened(opened);
      return opened;
    }

    @Override
    public void onFailed(String why) {
      then.onNotOpened(why);
    }
  }

  /** Creates a server's connection on each pipe that opens. */
  private record ServerPipes(
      ConnectionLimits limits, SocketOptions socketOptions, Accepting then, Scheduler scheduler)
      implements PipeProvider.Accepting {
    @Override
    public Listening.Owner owner() {
      return then;
    }

    @Override
    public ConnectionLimits connectionLimits() {
      return limits;
    }

    @Override
    public PipeListener onOpen(Pipe pipe) {
      Optional<Accepted> accepted = then.accept(pipe.info());
      if (accepted.isEmpty()) { // the server may have been shut down during the TLS handshake
        pipe.close();
        return new Unread();
      }
      ServerConnection opened;
      try {
        opened = open(pipe, accepted.get().calls());
      } catch (RuntimeException | Error e) {
        accepted.get().onNotOpened();
        throw e;
      }
      accepted.get().onOpened(opened);
      return opened;
    }

    private ServerConnection open(Pipe pipe, ServerCalls calls) {
      ConnectionLimits own = limits.jittered(scheduler.random());
      return ServerConnection.over(pipe, own, calls, then);
    }
  }

  /** A connection that is not wanted: what it sends is ignored. */
  private static final class Unread implements PipeListener {
    @Override
    public void onBytes(ByteBuffer bytes) {}

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }
}
