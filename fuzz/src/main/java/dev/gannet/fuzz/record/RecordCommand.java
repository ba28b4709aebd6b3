package dev.gannet.fuzz.record;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fuzz-record}: a proxy on this machine that records both directions of each connection. */
@Command(
    name = "fuzz-record",
    mixinStandardHelpOptions = true,
    description =
        "A proxy between clients and a server on this machine that makes inputs of what they"
            + " send. Writes an input for each target that can use it. Runs until it is stopped.")
public final class RecordCommand implements Callable<Integer> {
  private static final int BUFFER_BYTES = 16 << 10;

  @Option(names = "--port", required = true, description = "The port that clients connect to.")
  private int port;

  @Option(names = "--server-port", required = true, description = "The port of the server.")
  private int serverPort;

  @Option(names = "--to", required = true, description = "The folder for the inputs.")
  private Path folder = Path.of("");

  @Override
  public Integer call() throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    try (ServerSocket listening = new ServerSocket(port, 0, here)) {
      while (true) {
        Socket client = listening.accept();
        Thread.startVirtualThread(() -> serve(client, here));
      }
    }
  }

  private void serve(Socket client, InetAddress here) {
    try (client;
        Socket server = new Socket(here, serverPort)) {
      ByteArrayOutputStream clientSaid = new ByteArrayOutputStream();
      ByteArrayOutputStream serverSaid = new ByteArrayOutputStream();
      Thread back = Thread.startVirtualThread(() -> pump(server, client, serverSaid));
      pump(client, server, clientSaid);
      back.join();
      Seeds seeds = new Seeds(folder);
      seeds.ofClient(clientSaid.toByteArray());
      seeds.ofServer(serverSaid.toByteArray());
    } catch (IOException e) {
      System.err.println("a connection is lost: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Forwards bytes and the end of the stream. */
  private static void pump(Socket from, Socket to, ByteArrayOutputStream kept) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
        kept.write(buffer, 0, bytes);
        out.write(buffer, 0, bytes);
      }
      to.shutdownOutput();
    } catch (IOException e) {
      // one side was reset: the other side is closed, too, and what was recorded until then is kept
      close(to);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      System.err.println("a socket cannot be closed: " + e);
    }
  }
}
