package dev.gannet.transport.netty;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.http2.Http2Transport;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;

/** Calls between a server and channels with TLS of one provider. */
final class TlsCalls implements AutoCloseable {
  private static final byte[] ANYTHING = {1};

  private final SslProvider provider;
  private final Server server;

  TlsCalls(SslProvider provider, ServerCredentials credentials) throws IOException {
    assumeTrue(provider == SslProvider.JDK || OpenSsl.isAvailable());
    this.provider = provider;
    this.server =
        Server.builder(0)
            .credentials(credentials)
            .transport(transport())
            .add(EchoService.definition())
            .start();
  }

  private Http2Transport transport() {
    return Http2Transport.over(new NettyPipes(NettyEventLoops::shared, () -> provider));
  }

  int port() {
    return server.port();
  }

  ManagedChannel channel(ChannelCredentials credentials) {
    return ManagedChannel.builder("localhost", server.port())
        .credentials(credentials)
        .transport(transport())
        .build();
  }

  /** The status of a call on a connection of its own. */
  Status call(ChannelCredentials credentials) throws Exception {
    try (ManagedChannel channel = channel(credentials)) {
      Caller caller = Caller.begin(channel, EchoService.UNARY, ANYTHING);
      caller.halfClose();
      return caller.status();
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
