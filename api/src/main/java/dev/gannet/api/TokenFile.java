package dev.gannet.api;

import dev.gannet.api.engine.Backoff;
import dev.gannet.api.engine.ThrowableText;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The token in a file that another program renews. At most one thread reads it at a time; calls do
 * not wait for that thread while the last token can be used.
 *
 * <pre>
 *   no token ──read──► FRESH ──1 s──► DUE ──checked: unchanged or read again──► FRESH
 *    │    ▲                           └──cannot be read──► FRESH again, for at most keepFor
 *    │    └──────────backoff is over───────────┐
 *    └──cannot be read, nor the last token used──► BACKING OFF: calls fail as the last one has
 * </pre>
 */
final class TokenFile implements CallCredentials {
  private static final Logger LOG = System.getLogger(TokenFile.class.getName());
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /**
   * A token is used until so long before it expires: clocks differ, and the call takes time (gRFC
   * A97).
   */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /** By default no server accepts longer headers. */
  private static final int MAX_BYTES = 16 << 10;

  /** The clock, threads and random numbers. */
  record Environment(
      LongSupplier nanoTime, InstantSource time, Executor threads, RandomGenerator random) {
    static final Environment REAL =
        new Environment(
            System::nanoTime,
            InstantSource.system(),
            task -> Thread.ofVirtual().name("gannet-token-file").start(task),
            () -> ThreadLocalRandom.current().nextLong());
  }

  /** Identifies a version of the file. */
  private record Version(FileTime modified, long bytes, @Nullable Object key) {
    static Version of(Path file) throws IOException {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new Version(now.lastModifiedTime(), now.size(), now.fileKey());
    }
  }

  /**
   * A token that was read.
   *
   * @param goodNanos when the file was last found to contain it
   * @param lookedNanos when the file was last checked
   * @param expires when it expires, according to its content
   */
  private record Token(
      CompletionStage<Metadata> headers,
      Version version,
      long goodNanos,
      long lookedNanos,
      Instant expires) {
    Token good(long nanos) {
      return new Token(headers, version, nanos, nanos, expires);
    }

    Token looked(long nanos) {
      return new Token(headers, version, goodNanos, nanos, expires);
    }
  }

  /** How calls fail until that time. */
  private record Failure(CompletionStage<Metadata> end, long untilNanos) {}

  private final Path file;
  private final long keepNanos;
  private final Environment environment;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Token token;

  /** Null unless the last check has found no token that can be used. */
  private volatile @Nullable Failure failure;

  /** Only used by the reading thread. */
  private final Backoff backoff = new Backoff();

  // Guarded by the lock.
  private @Nullable CompletableFuture<Metadata> reading;

  /** The last text that was logged; written by the reading thread. */
  private volatile String said = "";

  TokenFile(Path file, Duration keepFor) {
    this(file, keepFor, Environment.REAL);
  }

  TokenFile(Path file, Duration keepFor, Environment environment) {
    if (keepFor.isNegative()) {
      throw new IllegalArgumentException(
          "the time for which a token is kept cannot be negative: " + keepFor);
    }
    this.file = Objects.requireNonNull(file, "file");
    this.keepNanos = TimeUnit.NANOSECONDS.convert(keepFor);
    this.environment = environment;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the last token is valid meanwhile
  public CompletionStage<Metadata> headersFor(Request request) {
    long now = environment.nanoTime().getAsLong();
    Token last = token;
    if (last != null && canBeUsed(last, now)) {
      if (now - last.lookedNanos() >= LOOK_NANOS) {
        read();
      }
      return last.headers();
    }
    Failure before = failure;
    return before != null && now - before.untilNanos() < 0 ? before.end() : read();
  }

  private boolean canBeUsed(Token last, long now) {
    return now - last.goodNanos() <= Math.max(keepNanos, LOOK_NANOS) && !isOver(last.expires());
  }

  private boolean isOver(Instant expires) {
    return !environment.time().instant().isBefore(expires.minus(MARGIN));
  }

  /** The result of the current check, or of one that starts now. */
  private CompletableFuture<Metadata> read() {
    CompletableFuture<Metadata> mine = new CompletableFuture<>();
    lock.lock();
    try {
      CompletableFuture<Metadata> underWay = reading;
      if (underWay != null) {
        return underWay;
      }
      reading = mine;
    } finally {
      lock.unlock();
    }
    try {
      environment.threads().execute(() -> look(mine));
    } catch (RuntimeException | Error e) {
      end(mine);
      mine.completeExceptionally(e);
    }
    return mine;
  }

  private void look(CompletableFuture<Metadata> then) {
    try {
      Token found = lookForToken();
      token = found;
      failure = null;
      backoff.reset();
      end(then);
      then.complete(found.headers().toCompletableFuture().join()); // which has ended
    } catch (Throwable e) {
      long delayNanos = backoff.nextDelayNanos(environment.random());
      long untilNanos = environment.nanoTime().getAsLong() + delayNanos;
      failure = new Failure(CompletableFuture.failedStage(e), untilNanos);
      end(then);
      then.completeExceptionally(e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // it is that look, or a later one
  private void end(CompletableFuture<Metadata> over) {
    lock.lock();
    try {
      if (reading == over) {
        reading = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The current token, or the last one if that may still be used. */
  private Token lookForToken() {
    long now = environment.nanoTime().getAsLong();
    Token last = token;
    try {
      Version version = Version.of(file);
      Token found = last != null && last.version().equals(version) ? last.good(now) : newest(now);
      if (isOver(found.expires())) {
        throw unusable(over(found.expires()));
      }
      said = "";
      return found;
    } catch (NoSuchFileException e) {
      return lastOr(last, now, unreadable("there is no such file", e));
    } catch (IOException e) {
      return lastOr(last, now, unreadable(ThrowableText.of(e), e));
    } catch (StatusException e) {
      return lastOr(last, now, e);
    }
  }

  private Token lastOr(@Nullable Token last, long now, StatusException why) {
    if (last == null || !canBeUsed(last, now)) {
      throw why;
    }
    String words = why.status().description().orElse("");
    if (!words.equals(said)) {
      said = words;
      LOG.log(Level.WARNING, "{0}; calls continue to use the last token", words);
    }
    return last.looked(now);
  }

  private StatusException unreadable(String why, IOException cause) {
    return Status.UNAVAILABLE
        .withDescription("the token file " + file + " cannot be read: " + why)
        .withCause(cause)
        .asException();
  }

  private String over(Instant expires) {
    return environment.time().instant().isBefore(expires)
        ? "the token expires at " + expires + ", in less than " + MARGIN.toSeconds() + " s"
        : "the token has expired at " + expires;
  }

  private StatusException unusable(String why) {
    return Status.UNAUTHENTICATED
        .withDescription("the token file " + file + " cannot be used: " + why)
        .asException();
  }

  private Token newest(long now) throws IOException {
    Version version = Version.of(file); // before the content: a later change is seen next time
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(MAX_BYTES + 1);
    }
    if (bytes.length > MAX_BYTES) {
      throw unusable("it has more than " + MAX_BYTES + " bytes");
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1).strip();
    try {
      FixedCredentials.checked(text);
    } catch (IllegalArgumentException e) {
      throw unusable(ThrowableText.of(e));
    }
    Metadata headers = FixedCredentials.headersOf("Bearer " + text);
    return new Token(
        CompletableFuture.completedStage(headers), version, now, now, TokenExpiry.of(text));
  }

  @Override
  public String toString() {
    return "token file " + file;
  }
}
