package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.function.UnaryOperator;

/** A server on a free port of the loopback, and a channel to it. */
record Started(Server server, ManagedChannel channel) implements AutoCloseable {
  static Started with(UnaryOperator<ServerBuilder> what) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Server server = what.apply(Server.builder(any)).start();
    return new Started(
        server, ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build());
  }

  /** Starts a server at an address where another one listens. */
  static void failing(UnaryOperator<ServerBuilder> what) throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerBuilder builder = what.apply(Server.builder(taken.getLocalSocketAddress()));
      assertThatThrownBy(builder::start).isInstanceOf(IOException.class);
    }
  }

  @Override
  public void close() {
    channel.close();
    server.close();
  }
}
