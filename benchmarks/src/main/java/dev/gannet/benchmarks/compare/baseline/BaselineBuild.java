package dev.gannet.benchmarks.compare.baseline;

import dev.gannet.benchmarks.compare.program.GannetServer;
import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The benchmark programs of a commit, built by that commit's own {@code ./gannet} from a copy of
 * its files in {@code .gannet/baselines/COMMIT}, and kept there for the next time. A folder in
 * which no build was completed is created again. One process builds at a time.
 */
public final class BaselineBuild {
  private static final String SERVER_SOURCE =
      "benchmarks/src/main/java/" + GannetServer.class.getName().replace('.', '/') + ".java";

  private final Repository repository;
  private final Path baselines;
  private final Consumer<String> progress;

  /** Builds of a repository; {@code progress} gets messages about long steps. */
  public BaselineBuild(Repository repository, Consumer<String> progress) {
    this.repository = repository;
    this.baselines = repository.root().resolve(".gannet").resolve("baselines");
    this.progress = progress;
  }

  /**
   * The class path of a commit's benchmark programs, which are built if necessary.
   *
   * @param commit its full id
   * @throws WrongUsageException if the commit is too old to have programs that can be compared
   * @throws RunFailedException if it cannot be built; the message says where the log is
   */
  public String classPath(String commit) throws IOException, InterruptedException {
    if (!repository.has(commit, SERVER_SOURCE)) {
      throw new WrongUsageException(
          "--baseline: commit %s is too old: it has no programs that can be compared (%s)"
              .formatted(commit, SERVER_SOURCE));
    }
    Files.createDirectories(baselines);
    try (FileChannel file =
        FileChannel.open(
            baselines.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      FileLock lock = file.lock();
      try {
        return builtOnce(commit);
      } finally {
        lock.release();
      }
    }
  }

  private String builtOnce(String commit) throws IOException, InterruptedException {
    Path folder = baselines.resolve(commit);
    Path completed = folder.resolve("classpath");
    if (Files.exists(completed)) {
      String classPath = Files.readString(completed);
      if (isThere(classPath)) {
        return classPath;
      }
    }
    delete(folder);
    progress.accept("Building commit " + commit + " (once; about two minutes)...");
    Path tree = Files.createDirectories(folder.resolve("tree"));
    Path log = baselines.resolve(commit + ".log");
    Files.deleteIfExists(log);
    try {
      unpack(commit, tree);
      build(tree, log);
      String classPath = Files.readString(tree.resolve(".gannet/benchmarks.classpath")).strip();
      if (!isThere(classPath)) {
        throw new IOException("not all that it was built into is there: " + classPath);
      }
      Path written = Files.writeString(folder.resolve("classpath.new"), classPath);
      Files.move(written, completed, StandardCopyOption.ATOMIC_MOVE);
      return classPath;
    } catch (IOException e) {
      delete(folder);
      throw new RunFailedException(
          "the baseline, commit %s, could not be built: %s; see %s"
              .formatted(commit, e.getMessage(), log),
          e);
    }
  }

  private static boolean isThere(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .allMatch(it -> Files.exists(Path.of(it)));
  }

  /** An archive, not a worktree of git, which the repository would have to track. */
  private void unpack(String commit, Path tree) throws IOException, InterruptedException {
    Path archive = tree.resolveSibling("tree.tar");
    must(repository.git("archive", "--format=tar", "--output=" + archive, commit));
    must(new Shell(tree).run(List.of("tar", "-xf", archive.toString())));
    Files.delete(archive);
  }

  private static void must(Shell.Ended ended) throws IOException {
    if (!ended.isGood()) {
      throw new IOException(ended.said());
    }
  }

  /** The tree's launcher builds what a command needs; the command only prints its help. */
  private static void build(Path tree, Path log) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(tree.resolve("gannet").toString(), "bench-server", "--help")
            .directory(tree.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.remove("GANNET_JAVA_OPTS");
    Process process = builder.start();
    process.getOutputStream().close();
    Thread end = new Thread(() -> endAll(process));
    Runtime.getRuntime().addShutdownHook(end);
    int code = process.waitFor();
    Runtime.getRuntime().removeShutdownHook(end);
    Path ownLog = tree.resolve(".gannet/build-benchmarks.log");
    if (code != 0) {
      if (Files.exists(ownLog)) {
        Files.writeString(log, Files.readString(ownLog), StandardOpenOption.APPEND);
      }
      throw new IOException("its ./gannet ended with " + code);
    }
  }

  /** Ends the build with this process: otherwise it would write where the next process builds. */
  private static void endAll(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(folder)) {
      found.forEach(all::add);
    }
    for (Path path : all.reversed()) {
      Files.delete(path);
    }
  }
}
