package dev.gannet.conformance.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command plays what it is told to, and says how it went. */
final class SimulateTest {
  private final StringWriter out = new StringWriter();

  private int simulate(String... options) {
    return new CommandLine(new Simulate())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .execute(options);
  }

  @Test
  void itCountsTheSeedsThatItRan() {
    assertThat(simulate("--seeds", "20", "--from", "7", "--threads", "2")).isZero();
    assertThat(out.toString())
        .contains("20 of 20 seeds", "seeds from 7;", "OK=", "0 storms broke a rule");
  }

  @Test
  void itUsesTheInProcessTransportIfChosen() {
    assertThat(simulate("--seeds", "20", "--transport", "in_process")).isZero();
    assertThat(out.toString()).contains("20 of 20 seeds", "0 connections", "OK=");
  }

  @Test
  void withoutSeedsOrThreadsItRefusesToRun() {
    assertThat(simulate("--seeds", "0")).isEqualTo(2);
    assertThat(simulate("--threads", "0")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }
}
