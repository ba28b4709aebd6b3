package dev.gannet.benchmarks.compare.baseline;

import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A git repository with its root folder. Runs git, and changes nothing. */
public final class Repository {
  private final Path root;

  private Repository(Path root) {
    this.root = root;
  }

  /**
   * The repository of which this folder is the root.
   *
   * @throws WrongUsageException if there is none, or no git
   */
  public static Repository at(Path root) throws InterruptedException {
    Repository repository = new Repository(root);
    Shell.Ended prefix = repository.git("rev-parse", "--show-prefix");
    // Below the root of another repository the prefix is the way from there.
    if (!prefix.isGood() || !prefix.said().isEmpty()) {
      throw new WrongUsageException(
          "--baseline needs the git repository: " + root + " is not the root of one");
    }
    return repository;
  }

  Path root() {
    return root;
  }

  /**
   * The full id of the commit with this name.
   *
   * @throws WrongUsageException if it stands for none
   */
  public String commit(String name) throws InterruptedException {
    Shell.Ended found =
        git("rev-parse", "--verify", "--quiet", "--end-of-options", name + "^{commit}");
    if (!found.isGood()) {
      throw new WrongUsageException(
          "--baseline: there is no commit %s in %s (a shallow clone has only the newest)"
              .formatted(name, root));
    }
    return found.said();
  }

  /** The commit of the working tree, and whether there are uncommitted changes. */
  public String workingTree() throws InterruptedException {
    String head = commit("HEAD");
    Shell.Ended status = git("status", "--porcelain");
    return status.isGood() && status.said().isEmpty() ? head : head + " with uncommitted changes";
  }

  /** Whether a commit contains this file. */
  boolean has(String commit, String file) throws InterruptedException {
    return git("cat-file", "-e", commit + ":" + file).isGood();
  }

  Shell.Ended git(String... arguments) throws InterruptedException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    try {
      return new Shell(root).run(command);
    } catch (IOException e) {
      throw new WrongUsageException("--baseline needs git: " + e.getMessage());
    }
  }
}
