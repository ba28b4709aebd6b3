package dev.gannet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./gannet}, without what it builds. */
@Timeout(60)
final class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "gannet").toAbsolutePath().normalize();

  private record Answer(int exitCode, String text) {}

  private static Answer run(String... arguments) throws IOException, InterruptedException {
    return run(SCRIPT, System.getenv("PATH"), arguments);
  }

  private static Answer run(Path launcher, String path, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", launcher.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("PATH", path);
    Process script = builder.start();
    String text = new String(script.getInputStream().readAllBytes(), UTF_8);
    assertThat(script.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Answer(script.exitValue(), text);
  }

  @Test
  void theVersionIsPrintedWithTheJdk() throws IOException, InterruptedException {
    for (String argument : new String[] {"version", "--version", "-V"}) {
      Answer answer = run(argument);
      assertThat(answer.exitCode()).isZero();
      assertThat(answer.text())
          .matches("Gannet \\d+\\.\\d+\\S*( \\(commit \\w+\\))?\nJDK \\d+ in .+\n");
    }
  }

  @Test
  void everyCommandKnowsItsVersion() throws IOException, InterruptedException {
    Answer version = run("version");
    assertThat(run("demo", "-V")).isEqualTo(version);
    assertThat(run("interop-server", "--version")).isEqualTo(version);
  }

  @Test
  void helpListsTheCommands() throws IOException, InterruptedException {
    Answer answer = run("-h");
    assertThat(answer.exitCode()).isZero();
    assertThat(answer.text()).startsWith("Usage: ./gannet COMMAND").contains("demo", "version");
    assertThat(run("help")).isEqualTo(answer);
    assertThat(run("--help")).isEqualTo(answer);
  }

  @Test
  void anUnknownCommandEndsWithExitCode2() throws IOException, InterruptedException {
    assertThat(run("frobnicate"))
        .isEqualTo(
            new Answer(2, "gannet: there is no command 'frobnicate'; ./gannet help lists them\n"));
  }

  @Test
  void anUnknownCommandIsAnsweredWithSimilarOnes() throws IOException, InterruptedException {
    assertThat(run("bench-sever").text())
        .endsWith("\nSimilar commands: bench bench-server bench-client\n");
    Answer proxy = run("interop-proxy");
    assertThat(proxy.exitCode()).isEqualTo(2);
    assertThat(proxy.text())
        .startsWith("gannet: there is no command 'interop-proxy'; ./gannet help lists them")
        .endsWith("\nSimilar commands: interop interop-server interop-client\n");
    assertThat(run("dmeo").text()).endsWith("\nSimilar commands: demo\n");
    assertThat(run("frobnicate", "--version").exitCode()).isEqualTo(2);
  }

  /** Maven compiles only what has changed, whether or not it was checked. */
  @Test
  void verifyCompilesAgainWhatWasCompiledWithoutChecks(@TempDir Path root)
      throws IOException, InterruptedException {
    Path launcher = Files.copy(SCRIPT, root.resolve("gannet"));
    Path bin = Files.createDirectory(root.resolve("bin"));
    Path maven = Files.writeString(bin.resolve("mvn"), "#!/bin/sh\necho Maven: \"$@\"\n");
    assertThat(maven.toFile().setExecutable(true)).isTrue();
    String path = bin + File.pathSeparator + System.getenv("PATH");
    Path classes = Files.createDirectories(root.resolve("module/target/classes"));
    Path unpacked = // says that files were unpacked into the classes
        Files.createDirectories(root.resolve("module/target/dependency-maven-plugin-markers"));

    assertThat(run(launcher, path, "test", "-o").text())
        .isEqualTo("Maven: -B -Dstyle.color=never verify -Dgannet.checks=off -o -T2\n");
    assertThat(classes).exists();

    String checked = "Maven: -B -Dstyle.color=never verify -o -T2\n";
    assertThat(run(launcher, path, "verify", "-o").text())
        .startsWith("Some classes were compiled without checks")
        .endsWith(checked);
    assertThat(classes).doesNotExist();
    assertThat(unpacked).doesNotExist();

    Files.createDirectories(classes);
    assertThat(run(launcher, path, "verify", "-o").text()).isEqualTo(checked);
    assertThat(classes).exists();
  }
}
