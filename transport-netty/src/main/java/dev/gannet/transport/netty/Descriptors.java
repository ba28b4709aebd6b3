package dev.gannet.transport.netty;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file descriptors of this process: how many are allowed, and a few in reserve for when they
 * run out. The first line of a log opens files, and so does loading the classes that write it. Safe
 * for all threads.
 */
final class Descriptors {
  private static final int RESERVED = 4;
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";
  private static final String UNLIMITED = "unlimited";
  private static final int MAX_CHAIN = 8;

  /**
   * EMFILE and ENFILE in the texts of the operating system, or as numbers in those of Netty's
   * native sockets.
   */
  private static final List<String> TOO_MANY =
      List.of("oo many open files", "error(-23)", "error(-24)");

  private static final Descriptors OF_THIS_PROCESS = new Descriptors();

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<SocketChannel> reserve = new ArrayDeque<>(RESERVED);

  private volatile OptionalLong lastKnownLimit = OptionalLong.empty();

  private Descriptors() {}

  static Descriptors ofThisProcess() {
    return OF_THIS_PROCESS;
  }

  /** Whether that was thrown because file descriptors have run out. */
  static boolean areWanting(Throwable thrown) {
    @Nullable Throwable at = thrown;
    for (int i = 0; at != null && i < MAX_CHAIN; i++) {
      String message = at.getMessage();
      if (message != null && TOO_MANY.stream().anyMatch(message::contains)) {
        return true;
      }
      at = at.getCause();
    }
    return false;
  }

  /** Reads the limit while there are still file descriptors for reading it. */
  void noteLimit() {
    limit();
  }

  /** Fills the reserve, as far as there are file descriptors. */
  void reserve() {
    lock.lock();
    try {
      while (reserve.size() < RESERVED) {
        reserve.add(SocketChannel.open());
      }
    } catch (IOException e) {
      // There are none: the reserve is filled after the next use.
    } finally {
      lock.unlock();
    }
  }

  /** Runs an action that may need file descriptors itself, with those of the reserve. */
  void withReserve(Runnable action) {
    free();
    try {
      action.run();
    } finally {
      reserve();
    }
  }

  private void free() {
    lock.lock();
    try {
      for (SocketChannel next = reserve.poll(); next != null; next = reserve.poll()) {
        next.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      lock.unlock();
    }
  }

  /** How many file descriptors this process may have, if the operating system says so in a file. */
  private OptionalLong limit() {
    OptionalLong limit = readLimit();
    if (limit.isPresent()) {
      lastKnownLimit = limit;
    }
    return lastKnownLimit;
  }

  private static OptionalLong readLimit() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(OPEN_FILES)) {
          String soft = line.substring(OPEN_FILES.length()).strip().split(" ", 2)[0];
          return soft.equals(UNLIMITED)
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseLong(soft));
        }
      }
      return OptionalLong.empty();
    } catch (IOException | NumberFormatException e) {
      // Only Linux has the file, and there may be no descriptor to open it.
      return OptionalLong.empty();
    }
  }

  /**
   * What has run out, and the limit as far as it is known.
   *
   * @param more further text after the limit, or empty
   */
  String describe(String more) {
    OptionalLong limit = limit();
    String known = limit.isPresent() ? "limit " + limit.getAsLong() : "";
    String both = known.isEmpty() || more.isEmpty() ? known + more : known + ", " + more;
    return "too many open files" + (both.isEmpty() ? "" : " (" + both + ")");
  }
}
