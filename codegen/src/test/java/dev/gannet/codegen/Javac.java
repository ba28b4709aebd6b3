package dev.gannet.codegen;

import com.google.protobuf.MessageLite;
import dev.gannet.api.Channel;
import dev.gannet.protobuf.ProtobufMarshaller;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The compiler, in this process. */
final class Javac {
  private Javac() {}

  /**
   * Compiles all sources below one folder into another, on top of what is there.
   *
   * @return what the compiler had to say; empty if it was content
   */
  static String compile(Path sources, Path classes, String... options) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
    List<String> all = new ArrayList<>(List.of(options));
    all.addAll(List.of("--release", "21", "-proc:none", "-d", classes.toString()));
    all.addAll(List.of("-cp", classPath(classes)));
    try (StandardJavaFileManager files =
            compiler.getStandardFileManager(diagnostics, null, StandardCharsets.UTF_8);
        Stream<Path> tree = Files.walk(sources)) {
      List<Path> found = tree.filter(path -> path.toString().endsWith(".java")).toList();
      compiler
          .getTask(null, files, diagnostics, all, null, files.getJavaFileObjectsFromPaths(found))
          .call();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return diagnostics.getDiagnostics().stream()
        .map(Object::toString)
        .collect(Collectors.joining("\n"));
  }

  private static String classPath(Path classes) {
    return Stream.concat(
            Stream.of(classes),
            Stream.of(Channel.class, ProtobufMarshaller.class, MessageLite.class).map(Javac::home))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path home(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
