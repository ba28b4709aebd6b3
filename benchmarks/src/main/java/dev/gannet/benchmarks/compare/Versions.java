package dev.gannet.benchmarks.compare;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.compare.trial.Roster;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The versions of the compared libraries, by the names of their jars. */
final class Versions {
  private static final Pattern LIBRARIES =
      Pattern.compile(
          "(netty-codec-http2|netty-tcnative-classes|protobuf-java|grpc-netty-shaded|grpc-core"
              + "|armeria|armeria-grpc|vertx-grpc-server|vertx-grpc-client|vertx-core"
              + "|helidon-webserver-grpc|helidon-webclient-grpc)"
              + "-[0-9].*\\.jar");

  private Versions() {}

  static List<String> of(String commit, Roster roster) {
    Stream<String> libraries =
        Stream.of(roster.servers(), roster.clients())
            .flatMap(Collection::stream)
            .flatMap(Versions::of);
    return Stream.concat(Stream.of("Gannet: commit " + commit), libraries).toList();
  }

  private static Stream<String> of(Entrant entrant) {
    return switch (entrant.source()) {
      case Source.Built(Program program) ->
          Stream.of(entrant.name() + ": " + libraries(program.classPath()));
      case Source.Tool(String path) -> Stream.of(ownWords(path));
      case Source.Own() -> Stream.empty();
      case Source.Missing(String why) -> Stream.empty();
    };
  }

  /** The version that a tool prints. */
  private static String ownWords(String path) {
    try {
      Process process = new ProcessBuilder(path, "--version").redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      return path + ": " + e.getMessage();
    }
  }

  private static String libraries(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .map(it -> String.valueOf(Path.of(it).getFileName()))
        .filter(it -> LIBRARIES.matcher(it).matches())
        .map(it -> it.substring(0, it.length() - ".jar".length()))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
