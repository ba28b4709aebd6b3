package dev.gannet.conformance.longrun;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports of loopback, outside the range from which the system takes the ports of connections: a
 * connection might otherwise take the port of a server while that is restarted.
 */
final class FreePorts {
  private static final int FIRST = 20_000;
  private static final int BEHIND_LAST = 32_000;
  private static final int STEP = 37;

  private FreePorts() {}

  /**
   * Finds {@code count} free ports.
   *
   * @throws IOException if there are fewer
   */
  static List<Integer> find(int count) throws IOException {
    List<Integer> found = new ArrayList<>();
    int range = BEHIND_LAST - FIRST;
    int first = (int) (ProcessHandle.current().pid() * STEP % range);
    for (int i = 0; i < range && found.size() < count; i++) {
      int port = FIRST + (first + i) % range;
      if (isFree(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new IOException("fewer than " + count + " ports are free");
    }
    return found;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
