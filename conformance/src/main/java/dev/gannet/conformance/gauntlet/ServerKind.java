package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.process.JavaCommands;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The attacked server's implementation. Both serve the same, with their published defaults. */
enum ServerKind {
  GANNET,
  GRPC_JAVA;

  /**
   * The same for both; the heap is fixed, so that retained memory cannot hide in a growing heap.
   */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-Xms256m",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=256m",
          "-XX:NativeMemoryTracking=summary",
          "-XX:+ExitOnOutOfMemoryError");

  /** Its name in the launcher and the build. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The options of the server's JVM: its memory, and these. */
  static List<String> jvmOptions(List<String> added) {
    return Stream.concat(JVM_FLAGS.stream(), added.stream()).toList();
  }

  /** The command that starts the server in a JVM with these flags. */
  List<String> command(List<String> flags) throws IOException {
    return switch (this) {
      case GANNET -> JavaCommands.ours(flags, "gauntlet-server");
      case GRPC_JAVA -> {
        List<String> command = JavaCommands.java(flags);
        command.addAll(List.of("-cp", grpcJava(), "dev.gannet.conformance.grpcjava.PlainServer"));
        yield command;
      }
    };
  }

  private static String grpcJava() throws IOException {
    try {
      Path classes =
          Path.of(ServerKind.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path target = classes.resolve("../../grpc-java-server/target").normalize();
      if (!Files.isDirectory(target.resolve("classes"))) {
        throw new IOException("grpc-java is not built: there is no " + target.resolve("classes"));
      }
      return target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*";
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
