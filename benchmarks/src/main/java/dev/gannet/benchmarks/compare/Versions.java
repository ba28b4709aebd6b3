package dev.gannet.benchmarks.compare;

import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.compare.trial.Roster;
import java.io.File;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The libraries that took part, by the names of their jars. */
final class Versions {
  private static final Pattern TOLD =
      Pattern.compile(
          "(netty-codec-http2|netty-tcnative-classes|protobuf-java|grpc-netty-shaded|grpc-core"
              + "|armeria|armeria-grpc|vertx-grpc-server|vertx-core|helidon-webserver-grpc)"
              + "-[0-9].*\\.jar");

  private Versions() {}

  static List<String> of(Roster roster) {
    return Stream.of(roster.servers(), roster.clients())
        .flatMap(Collection::stream)
        .filter(it -> it.source() instanceof Source.Built)
        .map(it -> it.name() + ": " + libraries(it))
        .toList();
  }

  private static String libraries(Entrant entrant) {
    Source.Built built = (Source.Built) entrant.source();
    return Stream.of(built.program().classPath().split(File.pathSeparator))
        .map(it -> String.valueOf(Path.of(it).getFileName()))
        .filter(it -> TOLD.matcher(it).matches())
        .map(it -> it.substring(0, it.length() - ".jar".length()))
        .sorted()
        .collect(Collectors.joining(", "));
  }
}
