package dev.gannet.transport.netty;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that says what a test wants, and opens its tunnels to one port of this machine. */
final class TestProxy implements AutoCloseable {
  private static final int NOWHERE = -1;

  final List<String> asked = new CopyOnWriteArrayList<>();
  private final ServerSocket listening;
  private final String answer;
  private final int port;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  private TestProxy(String answer, int port) throws IOException {
    this.answer = answer;
    this.port = port;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Answers that, and opens a tunnel. */
  static TestProxy to(int port, String answer) throws IOException {
    return new TestProxy(answer, port);
  }

  /** Answers that, and closes the connection. */
  static TestProxy saying(String answer) throws IOException {
    return new TestProxy(answer, NOWHERE);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        sockets.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // it is closed
    }
  }

  private void serve(Socket client) {
    try (client) {
      asked.add(head(client.getInputStream()));
      if (port == NOWHERE) {
        client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        client.getOutputStream().flush();
        client.shutdownOutput();
        client.getInputStream().transferTo(OutputStream.nullOutputStream());
        return;
      }
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
        sockets.add(server);
        client.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
        Thread.ofVirtual().start(() -> copy(server, client));
        copy(client, server);
      }
    } catch (IOException e) {
      // one of the sides has gone
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // one of the sides has gone
    }
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the client has gone");
      }
      text.append((char) next);
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
