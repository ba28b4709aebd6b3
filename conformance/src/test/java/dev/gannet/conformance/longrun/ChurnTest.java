package dev.gannet.conformance.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The short form of the churn. */
@Timeout(120)
final class ChurnTest {
  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new Churn())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(out, true))
        .execute(arguments);
  }

  @Test
  void replacingServersUnderLoadKeepsAllRules() {
    assertThat(run("--replacements=10", "--every=50")).as(out.toString()).isZero();
  }

  @Test
  void aFleetThatCannotChangeIsRefused() {
    assertThat(run("--servers=1")).isEqualTo(2);
    assertThat(out.toString()).contains("--servers must be 2 or more");
  }
}
