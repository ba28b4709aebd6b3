package dev.gannet.transport.netty;

import dev.gannet.api.Pem;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** The certificates and keys of tests. */
final class TlsFiles {
  private TlsFiles() {}

  private static InputStream open(String name) {
    return Objects.requireNonNull(TlsFiles.class.getResourceAsStream("/tls/" + name), name);
  }

  /** Without a file. */
  static Pem pem(String name) throws IOException {
    try (InputStream in = open(name)) {
      return Pem.of(in);
    }
  }

  /** Puts one in place of a file, in one step. */
  static Path put(String name, Path file) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    try (InputStream in = open(name)) {
      Files.copy(in, next, StandardCopyOption.REPLACE_EXISTING);
    }
    return Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
