package dev.gannet.conformance.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines that start the JVM of this process again, with another program or other flags. */
public final class JavaCommands {
  private static final List<String> QUIET_FLAGS =
      Runtime.version().feature() < 24
          ? List.of("--enable-native-access=ALL-UNNAMED")
          : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private JavaCommands() {}

  /** The JVM with these flags; the program must be appended. */
  public static List<String> java(List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QUIET_FLAGS);
    command.addAll(flags);
    return command;
  }

  /** One of the commands of this module, in a JVM with these flags. */
  public static List<String> ours(List<String> flags, String... arguments) {
    List<String> command = java(flags);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), "dev.gannet.conformance.Main"));
    command.addAll(List.of(arguments));
    return command;
  }

  /** One of the commands of this module, in a JVM that starts quickly. */
  public static List<String> oursQuickly(String... arguments) {
    return ours(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), arguments);
  }
}
