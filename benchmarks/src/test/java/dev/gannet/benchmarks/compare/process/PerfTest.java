package dev.gannet.benchmarks.compare.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.benchmarks.harness.RunFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What counts instructions, by a stand-in for perf: hardly any machine of ours has counters. */
@Timeout(60)
final class PerfTest {
  @TempDir private Path folder;

  /** Runs what perf is to run meanwhile, and says that at the end. */
  private String perf(String says) throws IOException {
    Path script = folder.resolve("perf");
    Files.writeString(
        script,
        "#!/bin/sh\nwhile [ \"$1\" != -- ]; do shift; done\nshift\n\"$@\"\necho '"
            + says
            + "' >&2\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script.toString();
  }

  @Test
  void endReturnsTheNumberOfInstructions() throws Exception {
    Perf.Counting counting =
        new Perf(perf("123456789,,instructions:u,1000,100.00,,")).begin(ProcessHandle.current());
    assertThat(counting.end()).isEqualTo(123_456_789);
  }

  @Test
  void aProcessorWithoutCountersIsReportedAsTheReason() throws IOException {
    assertThat(Perf.find(perf("<not supported>,,instructions,0,100.00,,")))
        .isEqualTo(
            new Perf.Found.Missing(
                "perf counts no instructions: <not supported>,,instructions,0,100.00,,"));
  }

  @Test
  void aPerfThatCannotStartReportsTheReason() throws IOException {
    Path script = folder.resolve("perf");
    Files.writeString(script, "#!/bin/sh\necho 'Access limited' >&2\nexit 255\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThat(Perf.find(script.toString()))
        .isEqualTo(new Perf.Found.Missing("perf counts no instructions: Access limited"));
    assertThatThrownBy(() -> new Perf(script.toString()).begin(ProcessHandle.current()))
        .isInstanceOf(RunFailedException.class);
  }

  @Test
  void outputWithoutACountHasNoCount() {
    assertThat(Perf.parse("")).isEmpty();
    assertThat(Perf.parse("<not counted>,,instructions,0,0.00,,")).isEmpty();
    assertThat(Perf.parse("12,,cycles,1,100.00,,")).isEmpty();
    assertThat(Perf.parse("# started on\n\n12,,instructions,1,100.00,,")).hasValue(12);
  }
}
