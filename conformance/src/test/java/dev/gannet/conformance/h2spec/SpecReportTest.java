package dev.gannet.conformance.h2spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.conformance.h2spec.SpecCase.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How a report of h2spec is read, and what it amounts to. */
final class SpecReportTest {
  private static final String REPORT =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites>
        <testsuite name="1. Start" package="generic/1" id="1" tests="1" skipped="0" failures="0" errors="0">
          <testcase package="generic/1" classname="Sends a preface" time="0.6707"></testcase>
        </testsuite>
        <testsuite name="6.9. &lt;Windows&gt;" package="http2/6.9" tests="2">
          <testcase package="http2/6.9" classname="Sends too much" time="0.1">
            <error>GOAWAY Frame
      DATA \u0001\u0000\u00ff</error>
          </testcase>
          <testcase package="http2/6.9" classname="Sends nothing" time="0.1">
            <skipped></skipped>
          </testcase>
        </testsuite>
      </testsuites>
      """;

  private static final SpecCase GOOD =
      new SpecCase("generic/1", 1, "Sends a preface", Outcome.PASSED, "");
  private static final SpecCase BAD =
      new SpecCase("http2/6.9", 1, "Sends too much", Outcome.FAILED, "GOAWAY Frame\nDATA ???");
  private static final SpecCase SKIPPED =
      new SpecCase("http2/6.9", 2, "Sends nothing", Outcome.SKIPPED, "");

  @Test
  void everyCaseIsReadWhateverOctetsTheReportHolds() throws IOException {
    assertThat(SpecReport.read(REPORT.getBytes(StandardCharsets.ISO_8859_1)))
        .containsExactly(GOOD, BAD, SKIPPED);
  }

  @Test
  void otherTextsAreNoReport() {
    assertThatThrownBy(() -> SpecReport.read(new byte[] {'n', 'o'}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no report of h2spec");
  }

  @Test
  void casesThatFailOrAreSkippedAreFaultsWithTheirSection() {
    SpecVerdict verdict = new SpecVerdict(List.of(GOOD, BAD, SKIPPED), List.of());
    assertThat(verdict.faults(3)).hasSize(2);
    assertThat(verdict.faults(3).get(0))
        .startsWith("http2/6.9/1 FAILED: Sends too much")
        .contains("GOAWAY Frame");
    assertThat(verdict.faults(3).get(1)).startsWith("http2/6.9/2 SKIPPED: Sends nothing");
    assertThat(verdict.summary()).isEqualTo("3 cases: 1 passed, 1 failed, 1 skipped");
  }

  @Test
  void anOverruledCaseMustFail() {
    Overruled bad = new Overruled(BAD.name(), "reason");
    assertThat(new SpecVerdict(List.of(GOOD, BAD), List.of(bad)).faults(2)).isEmpty();
    Overruled good = new Overruled(GOOD.name(), "reason");
    assertThat(new SpecVerdict(List.of(GOOD), List.of(good)).faults(1))
        .singleElement()
        .asString()
        .contains("generic/1/1 PASSED")
        .contains("has to fail: reason");
    Overruled skipped = new Overruled(SKIPPED.name(), "reason");
    assertThat(new SpecVerdict(List.of(SKIPPED), List.of(skipped)).faults(1)).hasSize(1);
  }

  @Test
  void casesThatDidNotRunAreFaults() {
    Overruled bad = new Overruled(BAD.name(), "reason");
    assertThat(new SpecVerdict(List.of(GOOD), List.of(bad)).faults(2))
        .containsExactly(
            "1 cases were played, not 2", "http2/6.9/1 is overruled and was not played");
  }

  @Test
  void atMostFourCasesAreOverruled() {
    assertThat(Overruled.ALL).hasSizeLessThanOrEqualTo(4);
    assertThat(Overruled.ALL).allSatisfy(o -> assertThat(o.reason()).contains("RFC 9113 §"));
  }
}
