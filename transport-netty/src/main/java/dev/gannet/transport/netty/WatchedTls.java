package dev.gannet.transport.netty;

import dev.gannet.api.Pem;
import dev.gannet.transport.Scheduler;
import dev.gannet.transport.Scheduler.Cancellable;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The TLS context of new connections, created again when one of its files has changed. Safe for all
 * threads; the files are checked outside all event loops, by one thread at a time.
 *
 * <pre>
 *   WAITING ──timer──► CHECKING ──unchanged, or recreated──► WAITING
 *      │                  └──cannot be used: logged, once for each reason──► WAITING
 *      └──close──► CLOSED: the last context stays
 * </pre>
 */
final class WatchedTls implements Supplier<SslContext> {
  private static final Logger LOG = System.getLogger(WatchedTls.class.getName());

  /**
   * Distinguishes a version of a file from the next; for a file that cannot be read, the reason.
   */
  private record Version(
      Optional<FileTime> modified, long bytes, @Nullable Object key, String fault) {
    static Version of(Path file) {
      try {
        BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
        return new Version(Optional.of(now.lastModifiedTime()), now.size(), now.fileKey(), "");
      } catch (IOException e) {
        return new Version(Optional.empty(), 0, null, e.toString());
      }
    }
  }

  private final String whose;
  private final List<Path> files;
  private final long intervalNanos;
  private final Supplier<SslContext> maker;
  private final Scheduler scheduler;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile SslContext context;

  // Of the thread that checks.
  private volatile List<Version> used;
  private volatile String said = "";

  // Written under the lock.
  private @Nullable Cancellable timer;
  private volatile boolean closed;

  private WatchedTls(
      String whose, List<Pem> pems, Supplier<SslContext> maker, Scheduler scheduler) {
    this.whose = whose;
    this.maker = maker;
    this.scheduler = scheduler;
    List<Path> watched = new ArrayList<>();
    for (Pem pem : pems) {
      if (pem.interval().isPresent()) {
        pem.file().ifPresent(watched::add);
      }
    }
    this.files = List.copyOf(watched);
    this.intervalNanos =
        TimeUnit.NANOSECONDS.convert(
            pems.stream()
                .flatMap(pem -> pem.interval().stream())
                .min(Comparator.naturalOrder())
                .orElse(Duration.ZERO));
    this.used = versions(); // read before the content: a later change is found at the next check
    this.context = maker.get();
  }

  /**
   * The context that the maker creates now; watches the files it is created from.
   *
   * @param whose the server's or the channel's, for the log
   * @param pems those that must be reloaded are watched
   * @throws IllegalArgumentException if they cannot be used
   */
  static WatchedTls of(
      String whose, List<Pem> pems, Supplier<SslContext> maker, Scheduler scheduler) {
    WatchedTls made = new WatchedTls(whose, pems, maker, scheduler);
    made.checkLater();
    return made;
  }

  @Override
  public SslContext get() {
    return context;
  }

  private List<Version> versions() {
    return files.stream().map(Version::of).toList();
  }

  private void checkLater() {
    lock.lock();
    try {
      if (!closed && !files.isEmpty()) {
        timer = scheduler.schedule(this::offloadCheck, intervalNanos);
      }
    } catch (RuntimeException | Error e) { // there is no loop, or no memory
      log(Level.WARNING, "{0} TLS files are not watched any more: {1}", whose, e);
    } finally {
      lock.unlock();
    }
  }

  /** On an event loop, which must not read files. */
  private void offloadCheck() {
    try {
      scheduler.offload(this::check);
    } catch (RuntimeException | Error e) { // there is no thread for it now
      checkLater();
    }
  }

  private void check() {
    try {
      List<Version> now = versions();
      if (!now.equals(used)) {
        context = maker.get();
        used = now;
        said = "";
        log(Level.INFO, "{0} TLS files have changed; new connections use them", whose);
      }
    } catch (RuntimeException | Error e) {
      String why = String.valueOf(e.getMessage());
      if (!why.equals(said)) {
        said = why;
        log(
            Level.WARNING,
            "{0} TLS files have changed but cannot be used; new connections use the previous ones:"
                + " {1}",
            whose,
            why);
      }
    } finally {
      checkLater();
    }
  }

  /** Says nothing after the close: the files may be gone by then, and nobody needs them. */
  private void log(Level level, String text, Object... values) {
    if (!closed) {
      LOG.log(level, text, values);
    }
  }

  /** Ends the checks. */
  void close() {
    lock.lock();
    try {
      closed = true;
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
