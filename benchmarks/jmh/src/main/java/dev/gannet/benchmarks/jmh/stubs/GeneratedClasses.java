package dev.gannet.benchmarks.jmh.stubs;

import dev.gannet.benchmarks.jmh.wide.WideMethods;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The class files that a plug-in's sources are compiled to; not those of messages, which both
 * share.
 */
record GeneratedClasses(int number, long bytes) {
  /** Counts the class files of that library's plug-in for the service {@code Wide}. */
  static GeneratedClasses of(Library library) throws IOException {
    int number = 0;
    long bytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder(), "Wide*.class")) {
      for (Path file : files) {
        if (owner(file.getFileName().toString()) == library) {
          number++;
          bytes += Files.size(file);
        }
      }
    }
    return new GeneratedClasses(number, bytes);
  }

  private static Library owner(String fileName) {
    if (fileName.startsWith("WideGrpc")) {
      return Library.GRPC_JAVA;
    }
    // The class of the file's own descriptor belongs to both.
    return fileName.startsWith("WideOuterClass") ? Library.BOTH : Library.GANNET;
  }

  private static Path folder() {
    try {
      Path root =
          Path.of(WideMethods.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      return Arrays.stream(WideMethods.class.getPackageName().split("\\.", -1))
          .reduce(root, Path::resolve, (a, b) -> b);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
