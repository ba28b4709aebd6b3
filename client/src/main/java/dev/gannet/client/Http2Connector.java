package dev.gannet.client;

import dev.gannet.transport.ConnectionLimits;
import dev.gannet.transport.http2.ClientConnection;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeEvents;
import dev.gannet.transport.pipe.PipeProvider;
import java.net.SocketAddress;

/**
 * Opens HTTP/2 connections over pipes.
 *
 * @param serverName what the server's certificate must name
 */
record Http2Connector(PipeProvider.Connector pipes, String serverName)
    implements TransportConnector {
  @Override
  public PipeProvider.Cancellable connect(
      SocketAddress address, ConnectionLimits limits, Opening then) {
    return pipes.connect(address, serverName, new Connecting(limits, then));
  }

  private record Connecting(ConnectionLimits limits, Opening then)
      implements PipeProvider.Connecting {
    @Override
    public ConnectionLimits connectionLimits() {
      return limits;
    }

    @Override
    public PipeEvents onOpen(Pipe pipe) {
      ClientConnection opened;
      try {
        opened = ClientConnection.over(pipe, limits, then);
      } catch (RuntimeException | Error e) {
        then.onNotOpened("the connection cannot begin: " + ConnectAttempt.textOf(e));
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
}
