package dev.gannet.api;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Certificates or a private key in PEM form (RFC 7468), read but not yet understood. Immutable. */
public final class Pem {
  private final byte[] bytes;

  private Pem(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * Reads a file.
   *
   * @throws IOException if it cannot be read
   */
  public static Pem of(Path file) throws IOException {
    return new Pem(Files.readAllBytes(file));
  }

  /**
   * Reads the stream to its end and leaves it open.
   *
   * @throws IOException if it cannot be read
   */
  public static Pem of(InputStream stream) throws IOException {
    return new Pem(stream.readAllBytes());
  }

  /** A stream over the PEM text. */
  public InputStream open() {
    return new ByteArrayInputStream(bytes);
  }

  @Override
  public String toString() {
    return "Pem(" + bytes.length + " bytes)";
  }
}
