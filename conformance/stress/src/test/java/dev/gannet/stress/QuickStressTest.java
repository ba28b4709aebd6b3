package dev.gannet.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A short run of each jcstress test, in every build; {@code ./gannet jcstress} takes longer. */
@Timeout(300)
final class QuickStressTest {
  @TempDir private Path folder;

  @Test
  void noTestHasAForbiddenOutcome() throws IOException, InterruptedException {
    Run run = run("--quick");
    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output()).contains("Failed tests: No matches", "Error tests: No matches");
  }

  /** The other test would also pass if there were no tests. */
  @Test
  void everyStressTestIsFound() throws IOException, InterruptedException {
    assertThat(run("-l").output())
        .contains(
            "MailboxStress",
            "RoundsStress",
            "CallInboxStress",
            "WaitingCallersStress",
            "PendingStreamStress",
            "ReadinessStress",
            "SerialDeliveryStress",
            "CancellationStress");
  }

  private record Run(int exitCode, String output) {}

  private Run run(String... arguments) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Path output = folder.resolve("output");
    List<String> command =
        new ArrayList<>(
            List.of(java, "-cp", System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = process.waitFor(240, TimeUnit.SECONDS);
      assertThat(ended).as("it ended in time; it said:%n%s", Files.readString(output)).isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly); // jcstress forks
      process.destroyForcibly();
    }
    return new Run(process.exitValue(), Files.readString(output));
  }
}
