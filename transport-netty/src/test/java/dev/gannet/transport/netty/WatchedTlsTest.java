package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Pem;
import dev.gannet.transport.Scheduler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files are looked at as long as somebody wants to know, and no longer. */
final class WatchedTlsTest implements Scheduler {
  @TempDir Path directory;

  private final List<Runnable> timers = new ArrayList<>();
  private final List<Long> delays = new ArrayList<>();
  private Runnable threads = () -> {};
  private int made;
  private Runnable whileMade = () -> {};

  @Override
  public Cancellable schedule(Runnable task, long delayNanos) {
    timers.add(task);
    delays.add(delayNanos);
    return () -> timers.remove(task);
  }

  @Override
  public void offload(Runnable task) {
    threads.run();
    task.run();
  }

  @Override
  public RandomGenerator random() {
    return ThreadLocalRandom.current();
  }

  @Override
  public long nanoTime() {
    return 0;
  }

  private SslContext make() {
    made++;
    whileMade.run();
    try {
      return SslContextBuilder.forClient().build();
    } catch (SSLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void ring() {
    timers.removeFirst().run();
  }

  private WatchedTls watched(Pem... pems) {
    return WatchedTls.of("the test's", List.of(pems), this::make, this);
  }

  private Path file(String name) throws Exception {
    return Files.writeString(directory.resolve(name), name);
  }

  @Test
  void filesThatAreReadOnceAreNotWatched() throws Exception {
    watched(Pem.of(file("a")));
    assertThat(timers).isEmpty();
  }

  @Test
  void theShortestIntervalIsUsed() throws Exception {
    watched(Pem.reloaded(file("a")), Pem.reloaded(file("b"), Duration.ofSeconds(2)));
    assertThat(delays).containsExactly(2_000_000_000L);
  }

  @Test
  void contextsAreCreatedAgainOnlyIfAFileHasChanged() throws Exception {
    Path file = file("a");
    WatchedTls tls = watched(Pem.reloaded(file));
    SslContext first = tls.get();
    ring();
    ring();
    assertThat(tls.get()).isSameAs(first);
    Files.writeString(file, "longer");
    ring();
    assertThat(tls.get()).isNotSameAs(first);
    ring();
    assertThat(made).isEqualTo(2);
  }

  @Test
  void closingStopsTheTimer() throws Exception {
    WatchedTls tls = watched(Pem.reloaded(file("a")));
    assertThat(timers).hasSize(1);
    tls.close();
    assertThat(timers).isEmpty();
    tls.close();
    assertThat(tls.get()).isNotNull();
  }

  @Test
  void aCheckThatRunsDuringTheCloseIsTheLast() throws Exception {
    WatchedTls tls = watched(Pem.reloaded(file("a")));
    Runnable look = timers.getFirst();
    tls.close();
    look.run();
    assertThat(timers).isEmpty();
  }

  @Test
  void aCheckThatRunsDuringTheCloseSaysNothing() throws Exception {
    List<LogRecord> said = new ArrayList<>();
    Handler lines = new ListHandler(said);
    Logger log = Logger.getLogger(WatchedTls.class.getName());
    log.addHandler(lines);
    try {
      Path file = file("a");
      WatchedTls open = watched(Pem.reloaded(file));
      Files.delete(file);
      whileMade =
          () -> {
            throw new IllegalArgumentException("there is no such file");
          };
      ring();
      assertThat(said).hasSize(1);
      whileMade =
          () -> {
            open.close();
            throw new IllegalArgumentException("nor its directory");
          };
      ring();
      assertThat(said).hasSize(1);
    } finally {
      log.removeHandler(lines);
    }
  }

  /** Keeps what is logged. */
  private static final class ListHandler extends Handler {
    private final List<LogRecord> said;

    ListHandler(List<LogRecord> said) {
      this.said = said;
    }

    @Override
    public void publish(LogRecord line) {
      said.add(line);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void withoutAThreadTheCheckIsRepeated() throws Exception {
    Path file = file("a");
    WatchedTls tls = watched(Pem.reloaded(file));
    SslContext first = tls.get();
    Files.writeString(file, "longer");
    threads =
        () -> {
          throw new RejectedExecutionException("none");
        };
    ring();
    assertThat(tls.get()).isSameAs(first);
    threads =
        () -> {
          throw new OutOfMemoryError("simulated: unable to create native thread");
        };
    ring();
    assertThat(tls.get()).isSameAs(first);
    threads = () -> {};
    ring();
    assertThat(tls.get()).isNotSameAs(first);
  }
}
