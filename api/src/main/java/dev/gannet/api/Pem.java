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
 * Certificates or a private key in PEM form (RFC 7468), read but not yet understood; or the file
 * that they are read from again and again. Immutable.
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

  /** A file that is read again when it changes; looked at every 30 s. */
  public static Pem reloaded(Path file) {
    return reloaded(file, USUAL_INTERVAL);
  }

  /**
   * A file that is read again when it changes. Servers and channels look that often at its
   * modification time, size and identity, as long as they are open. Connections that are opened
   * after that use the new content; those that are open keep theirs. Where the new content cannot
   * be used, because only half of it is written or a key does not fit its certificate, the old one
   * stays in use, the log says why, and it is tried again each time.
   *
   * <p>Replace a file by renaming another to it. Where a certificate and its key are two files, one
   * of them may be seen before the other: that lasts for one look.
   *
   * @param interval between two looks; at least 100 ms, shorter ones are taken as 100 ms
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
   * A stream over the PEM text; of a file that is {@linkplain #reloaded reloaded}, its text of now.
   *
   * @throws UncheckedIOException if that file cannot be read
   */
  public InputStream open() {
    byte[] read = bytes;
    Path from = file;
    if (read == null && from != null) {
      try {
        read = Files.readAllBytes(from);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return new ByteArrayInputStream(read == null ? new byte[0] : read);
  }

  /** The file that it comes from, where it comes from one. */
  public Optional<Path> file() {
    return Optional.ofNullable(file);
  }

  /** How often the file is looked at; empty if it was read once and for all. */
  public Optional<Duration> interval() {
    return Optional.ofNullable(interval);
  }

  @Override
  public String toString() {
    byte[] read = bytes;
    return "Pem(" + (read == null ? file : read.length + " bytes") + ")";
  }
}
