package dev.gannet.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The fuzzer, Jazzer, on one target: a separate process, because it changes the classes that it
 * loads. It runs inputs on one thread.
 */
final class JazzerProcess {
  private static final String MAIN = "com.code_intelligence.jazzer.Jazzer";

  /**
   * The limit for runs that do not end. Targets limit the processor time of an input to one second;
   * this limit is in real time, in which any input may need a minute on a busy machine.
   */
  private static final int TIMEOUT_SECONDS = 120;

  private static final int HEAP_MIB = 1024;
  private static final int PROCESS_MIB = 3072;

  private static final int FIRST_JDK_WITH_UNSAFE_WARNINGS = 24;

  private final Folders folders;
  private final Target target;

  JazzerProcess(Folders folders, Target target) {
    this.folders = folders;
    this.target = target;
  }

  /**
   * Searches for new inputs for this time.
   *
   * @return the inputs that broke a rule; none if all rules held
   * @throws RunFailedException if the fuzzer itself failed
   */
  List<Path> fuzz(long seconds) throws IOException, InterruptedException {
    Path regressions = Files.createDirectories(folders.regressions(target));
    List<String> options =
        List.of(
            "-max_total_time=" + seconds,
            "-artifact_prefix=" + regressions + "/",
            "-print_final_stats=1");
    List<Path> inputs =
        List.of(folders.found(target), folders.corpus(target), folders.regressions(target));
    List<Path> before = filesIn(regressions);
    int code = run(options, inputs);
    List<Path> broken = new ArrayList<>(filesIn(regressions));
    broken.removeAll(before);
    if (code != 0 && broken.isEmpty()) {
      throw new RunFailedException("the fuzzer failed with exit code " + code);
    }
    return broken;
  }

  /**
   * Adds inputs of earlier runs to the sources, if they reach code that the present ones do not.
   */
  void merge() throws IOException, InterruptedException {
    int code = run(List.of("-merge=1"), List.of(folders.corpus(target), folders.found(target)));
    if (code != 0) {
      throw new RunFailedException("the fuzzer failed with exit code " + code);
    }
  }

  private int run(List<String> options, List<Path> inputs)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(jvm());
    command.addAll(
        List.of(
            MAIN,
            "--target_class=" + target.type().getName(),
            "--instrumentation_includes=dev.gannet.**",
            "--instrumentation_excludes=dev.gannet.fuzz.**:dev.gannet.suites.**",
            "--trace=cov",
            "--custom_hook_excludes=**",
            "--reproducer_path=" + Files.createDirectories(folders.found(target)).getParent(),
            "-timeout=" + TIMEOUT_SECONDS,
            "-report_slow_units=" + TIMEOUT_SECONDS,
            "-rss_limit_mb=" + PROCESS_MIB,
            "-max_len=" + target.maxInputBytes()));
    if (Files.exists(folders.dictionary(target))) {
      command.add("-dict=" + folders.dictionary(target));
    }
    command.addAll(options);
    for (Path folder : inputs) {
      command.add(Files.createDirectories(folder).toString());
    }
    Process process = new ProcessBuilder(command).inheritIO().start();
    try {
      return process.waitFor();
    } finally {
      process.destroy();
    }
  }

  private static List<String> jvm() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-ea",
            "-Xmx" + HEAP_MIB + "m",
            "-XX:+UseSerialGC",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED"));
    if (Runtime.version().feature() >= FIRST_JDK_WITH_UNSAFE_WARNINGS) {
      command.add("--sun-misc-unsafe-memory-access=allow");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    return command;
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }
}
