package dev.gannet.conformance.longrun;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** The short form of the soak: too short to find leaks, long enough for three certificates. */
@Timeout(60)
final class SoakTest {
  private final StringWriter out = new StringWriter();

  @Test
  void noCallFailsWhileCertificatesAreReplaced() {
    int exitCode =
        new CommandLine(new Soak()).setOut(new PrintWriter(out, true)).execute("--minutes=0.05");

    assertThat(out.toString())
        .as("exit code %d", exitCode)
        .contains("ok    no call failed", "late=", "cancelled=", "new connection=");
  }

  @Test
  void aSoakThatIsTooShortToCompareIsRefused() {
    CommandLine soak = new CommandLine(new Soak()).setErr(new PrintWriter(out, true));

    assertThat(soak.execute("--minutes=0")).isEqualTo(2);
  }
}
