package dev.gannet.conformance.gauntlet;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private static final List<String> QUIET_FLAGS =
      Runtime.version().feature() < 24
          ? List.of("--enable-native-access=ALL-UNNAMED")
          : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

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
    List<String> command = new ArrayList<>(java(flags));
    switch (this) {
      case GANNET -> command.addAll(ourMain("gauntlet-server"));
      case GRPC_JAVA ->
          command.addAll(List.of("-cp", grpcJava(), "dev.gannet.conformance.grpcjava.PlainServer"));
    }
    return command;
  }

  /** One of our own commands, in a process that starts quickly. */
  static List<String> ourCommand(String... arguments) {
    List<String> command =
        new ArrayList<>(java(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")));
    command.addAll(ourMain(arguments));
    return command;
  }

  private static List<String> java(List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QUIET_FLAGS);
    command.addAll(flags);
    return command;
  }

  private static List<String> ourMain(String... arguments) {
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "dev.gannet.conformance.Main"));
    command.addAll(List.of(arguments));
    return command;
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
