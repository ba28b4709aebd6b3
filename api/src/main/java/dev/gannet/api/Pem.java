package dev.gannet.api;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Certificates or a private key in PEM format (RFC 7468), read but not parsed; or a file that is
 * read again when it changes. Immutable.
 */
public final class Pem {
  private static final Duration USUAL_INTERVAL = Duration.ofSeconds(30);
  private static final Duration MIN_INTERVAL = Duration.ofMillis(100);

  private final byte @Nullable [] bytes;
  private final @Nullable Path file;
  private final @Nullable Duration interval;

  private Pem(byte @Nullable [] bytes, @Nullable Path file, @Nullable Duration interval) {
    this.bytes = bytes;
    this.file = file;
    this.interval = interval;
  }

  /**
   * Reads a file, once.
   *
   * @throws IOException if it cannot be read
   */
  public static Pem of(Path file) throws IOException {
    return new Pem(Files.readAllBytes(file), file, null);
  }

  /**
   * Reads the stream to its end and leaves it open.
   *
   * @throws IOException if it cannot be read
   */
  public static Pem of(InputStream stream) throws IOException {
    return new Pem(stream.readAllBytes(), null, null);
  }

  /** A file that is read again when it changes; it is checked every 30 s. */
  public static Pem reloaded(Path file) {
    return reloaded(file, USUAL_INTERVAL);
  }

  /**
   * A file that is read again when it changes. While servers and channels are open, they check its
   * modification time, size and identity at this interval. New connections use the new content;
   * open connections keep theirs. If the new content cannot be used, because it is incomplete or a
   * key does not fit its certificate, the old one stays in use, the log says why, and it is tried
   * again at the next check.
   *
   * <p>Replace a file by renaming another one to it. If a certificate and its key are two files,
   * one of them may be noticed before the other: this is corrected at the next check.
   *
   * @param interval between two checks; less than 100 ms is raised to 100 ms
   * @throws IllegalArgumentException if it is not positive
   */
  public static Pem reloaded(Path file, Duration interval) {
    if (!interval.isPositive()) {
      throw new IllegalArgumentException("the reload interval must be positive: " + interval);
    }
    return new Pem(
        null,
        Objects.requireNonNull(file, "file"),
        interval.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : interval);
  }

  /**
   * A stream over the PEM text; for a file that is {@linkplain #reloaded reloaded}, its current
   * text.
   *
   * @throws UncheckedIOException if that file cannot be read
   */
  public InputStream open() {
    byte[] read = bytes;
    Path source = file;
    if (read == null && source != null) {
      try {
        read = Files.readAllBytes(source);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new ByteArrayInputStream(read == null ? new byte[0] : read);
  }

  /** The file that it was read from, if any. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** How often the file is checked; empty if it is read only once. */
  public Optional<Duration> interval() {
    return Optional.ofNullable(interval);
  }

  @Override
  public String toString() {
    byte[] read = bytes;
    return "Pem(" + (read == null ? file : read.length + " bytes") + ")";
  }
}
