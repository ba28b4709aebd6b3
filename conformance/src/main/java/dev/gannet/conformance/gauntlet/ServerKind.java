package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.process.JavaCommands;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Whose server is attacked. Both serve the same, with the defaults they were published with. */
enum ServerKind {
  GANNET,
  GRPC_JAVA;

  /** The same for both; memory is fixed, so that what is kept cannot hide in what there is. */
  private static final List<String> JVM_FLAGS =
      List.of(
          "-Xms256m",
          "-Xmx256m",
          "-XX:MaxDirectMemorySize=256m",
          "-XX:NativeMemoryTracking=summary",
          "-XX:+ExitOnOutOfMemoryError");

  /** As the launcher and the build name it. */
  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The memory it is given, in words. */
  static String memory() {
    return String.join(" ", JVM_FLAGS);
  }

  /** The command that serves. */
  List<String> command() throws IOException {
    return command(JVM_FLAGS);
  }

  /** The command that serves, in a JVM with these flags. */
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
