package dev.gannet.benchmarks.compare.process;

import java.util.ArrayList;
import java.util.List;

/**
 * A Java program that runs in its own JVM, with the {@linkplain #jvmOptions() same options} as all
 * others.
 *
 * @param moreJvmOptions further options; empty for programs that are compared
 */
public record Program(
    String classPath, String mainClass, List<String> arguments, List<String> moreJvmOptions) {
  private static final int FIRST_JDK_WITH_UNSAFE_WARNINGS = 24;

  public Program {
    arguments = List.copyOf(arguments);
    moreJvmOptions = List.copyOf(moreJvmOptions);
  }

  /** A program without further options. */
  public Program(String classPath, String mainClass, List<String> arguments) {
    this(classPath, mainClass, arguments, List.of());
  }

  /** The options of every JVM that is measured. */
  public static List<String> jvmOptions() {
    List<String> options =
        new ArrayList<>(List.of("-Xms256m", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"));
    if (Runtime.version().feature() >= FIRST_JDK_WITH_UNSAFE_WARNINGS) {
      options.add("--sun-misc-unsafe-memory-access=allow");
    }
    return options;
  }

  /** The same program with further arguments. */
  public Program with(List<String> more) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(more);
    return new Program(classPath, mainClass, all, moreJvmOptions);
  }

  List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(jvmOptions());
    command.addAll(moreJvmOptions);
    command.addAll(List.of("-cp", classPath, mainClass));
    command.addAll(arguments);
    return command;
  }
}
