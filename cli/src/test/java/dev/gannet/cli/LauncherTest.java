package dev.gannet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The script {@code ./gannet}, where it answers by itself and builds nothing. */
@Timeout(60)
final class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "gannet").toAbsolutePath().normalize();

  private record Answer(int exitCode, String text) {}

  private static Answer run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("sh", SCRIPT.toString()));
    command.addAll(List.of(arguments));
    Process script = new ProcessBuilder(command).redirectErrorStream(true).start();
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
}
