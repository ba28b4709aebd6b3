package dev.gannet.benchmarks.compare.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.benchmarks.harness.RunFailedException;
import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds of earlier commits, in a small repository whose launcher only says that it has built. */
final class BaselineBuildTest {
  private static final String SERVER =
      "benchmarks/src/main/java/dev/gannet/benchmarks/compare/program/GannetServer.java";
  private static final String BUILDS =
      """
      #!/bin/sh
      here=$(dirname "$0")
      echo "$* with $JAVA_HOME" >>"$here/../../../../builds"
      mkdir -p "$here/.gannet" "$here/benchmarks/target/classes"
      echo "$here/benchmarks/target/classes" >"$here/.gannet/benchmarks.classpath"
      """;
  private static final String FAILS =
      """
      #!/bin/sh
      echo "a class is missing"
      exit 1
      """;

  private final List<String> progress = new ArrayList<>();
  @TempDir private Path temporary;
  private Path root;

  @BeforeEach
  void aRepository() throws Exception {
    assumeTrue(hasGit(), "git is not on the PATH");
    root = Files.createDirectory(temporary.toRealPath().resolve("repository"));
    git("init", "--quiet");
    write(".gitignore", ".gannet/\nbuilds\n");
  }

  @Test
  void aCommitIsBuiltByItsOwnLauncherOnce() throws Exception {
    String commit = commit(BUILDS);
    Path folder = root.resolve(".gannet/baselines").resolve(commit);

    assertThat(build().classPath(commit))
        .isEqualTo(folder.resolve("tree") + "/benchmarks/target/classes");
    assertThat(build().classPath(commit)).startsWith(folder.toString());

    assertThat(builds())
        .containsExactly("bench-server --help with " + System.getProperty("java.home"));
    assertThat(progress).hasSize(1);
    assertThat(folder.resolve("tree").resolve(SERVER)).exists();
  }

  @Test
  void eachCommitHasABuildOfItsOwn() throws Exception {
    String first = commit(BUILDS);
    String second = commit(BUILDS + "# changed\n");

    assertThat(build().classPath(first)).contains(first);
    assertThat(build().classPath(second)).contains(second);
  }

  @Test
  void aBuildThatWasInterruptedIsRepeated() throws Exception {
    String commit = commit(BUILDS);
    Path tree = root.resolve(".gannet/baselines").resolve(commit).resolve("tree");
    Files.createDirectories(tree);
    Files.writeString(tree.resolve("left-behind"), "");

    build().classPath(commit);

    assertThat(tree.resolve("left-behind")).doesNotExist();
    assertThat(builds()).hasSize(1);
  }

  @Test
  void anIncompleteBuildIsRepeated() throws Exception {
    String commit = commit(BUILDS);
    Files.delete(Path.of(build().classPath(commit)));

    assertThat(Path.of(build().classPath(commit))).exists();
    assertThat(builds()).hasSize(2);
  }

  @Test
  void aBuildThatFailsNamesItsLogAndIsNotKept() throws Exception {
    String commit = commit(FAILS);
    Path log = root.resolve(".gannet/baselines").resolve(commit + ".log");

    assertThatThrownBy(() -> build().classPath(commit))
        .isInstanceOf(RunFailedException.class)
        .hasMessage(
            "the baseline, commit %s, could not be built: its ./gannet ended with 1; see %s"
                .formatted(commit, log));

    assertThat(log).content().isEqualTo("a class is missing\n");
    assertThat(root.resolve(".gannet/baselines").resolve(commit)).doesNotExist();
  }

  @Test
  void aCommitWithoutTheProgramsIsTooOld() throws Exception {
    write("gannet", BUILDS);
    String commit = commit();

    assertThatThrownBy(() -> build().classPath(commit))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("commit " + commit + " is too old");
    assertThat(root.resolve(".gannet")).doesNotExist();
  }

  @Test
  void aNameThatIsNoCommitIsRefused() throws Exception {
    commit(BUILDS);

    assertThatThrownBy(() -> Repository.at(root).commit("nowhere"))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("there is no commit nowhere in " + root);
  }

  @Test
  void aNameThatLooksLikeAnOptionIsNotPassedToGitAsOne() throws Exception {
    commit(BUILDS);

    assertThatThrownBy(() -> Repository.at(root).commit("--help"))
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("there is no commit --help");
  }

  @Test
  void anUnpackedArchiveHasNoBaselineEvenBelowAnotherRepository() throws Exception {
    commit(BUILDS);
    Path below = Files.createDirectory(root.resolve("below"));

    for (Path folder : List.of(temporary.toRealPath(), below)) {
      assertThatThrownBy(() -> Repository.at(folder))
          .isInstanceOf(WrongUsageException.class)
          .hasMessage("--baseline needs the git repository: " + folder + " is not the root of one");
    }
  }

  @Test
  void uncommittedChangesAreReported() throws Exception {
    String commit = commit(BUILDS);
    assertThat(Repository.at(root).workingTree()).isEqualTo(commit);

    write("new-file", "");

    assertThat(Repository.at(root).workingTree()).isEqualTo(commit + " with uncommitted changes");
  }

  private BaselineBuild build() throws InterruptedException {
    return new BaselineBuild(Repository.at(root), progress::add);
  }

  private List<String> builds() throws IOException {
    return Files.readAllLines(root.resolve("builds"));
  }

  /** One with that launcher. */
  private String commit(String launcher) throws Exception {
    write(SERVER, "");
    write("gannet", launcher);
    assertThat(root.resolve("gannet").toFile().setExecutable(true)).isTrue();
    return commit();
  }

  private String commit() throws Exception {
    git("add", "--all");
    git(
        "-c",
        "user.name=Nobody",
        "-c",
        "user.email=nobody@localhost",
        "-c",
        "commit.gpgsign=false",
        "commit",
        "--quiet",
        "--no-verify",
        "--message=one more");
    return Repository.at(root).commit("HEAD");
  }

  private void write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void git(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Shell.Ended ended = new Shell(root).run(command);
    assertThat(ended.code()).as(ended.said()).isZero();
  }

  private static boolean hasGit() throws InterruptedException {
    try {
      return new Shell(Path.of("").toAbsolutePath()).run(List.of("git", "--version")).isGood();
    } catch (IOException e) {
      return false;
    }
  }
}
