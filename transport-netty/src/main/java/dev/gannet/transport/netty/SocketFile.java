package dev.gannet.transport.netty;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The file of a Unix domain socket. Netty removes it when a server ends; a server that was killed
 * leaves it, and no server can listen there until it is removed.
 */
final class SocketFile {
  private SocketFile() {}

  /**
   * Removes the file of a socket on which no process listens any more. Netty's native sockets would
   * remove any file.
   *
   * @throws BindException if a process listens there, or it is another kind of file; the file stays
   */
  static void makeWay(Path file) throws BindException {
    if (isSocket(file) && isRefused(file)) {
      remove(file);
    }
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new BindException(
          isSocket(file) ? "Address already in use" : "a file with this name already exists");
    }
  }

  /** A file that cannot be removed stays. */
  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // Who binds it is told that it is in use.
    }
  }

  /** Or a pipe or device, which no Unix domain socket can connect to. */
  private static boolean isSocket(Path file) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isOther();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isRefused(Path file) {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false); // a listener whose backlog is full is one, too
      probe.connect(UnixDomainSocketAddress.of(file));
      return false;
    } catch (ConnectException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
