package dev.gannet.benchmarks.compare.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.gannet.benchmarks.harness.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What h2load says at its end. */
final class H2loadOutputTest {
  private static final int REPLY_BYTES = 5;

  private static final String GOOD =
      """
      progress: 100% done

      finished in 62.11ms, 161013.36 req/s, 6.90MB/s
      requests: 10000 total, 10000 started, 10000 done, 10000 succeeded, 0 failed, 0 errored, 0 timeout
      status codes: 10000 2xx, 0 3xx, 0 4xx, 0 5xx
      traffic: 439.29KB (449830) total, 195.41KB (200100) headers (space savings 90.00%), 48.83KB (50000) data
      """;

  @Test
  void timeAndRequestsAreRead() {
    H2loadOutput output = H2loadOutput.parse(GOOD, 10_000, REPLY_BYTES);

    assertThat(output.seconds()).isEqualTo(0.06211, within(1e-9));
    assertThat(output.succeeded()).isEqualTo(10_000);
  }

  @ParameterizedTest
  @CsvSource({"3.5s,3.5", "812us,0.000812", "2m,120"})
  void timesMayHaveSeveralUnits(String told, double seconds) {
    String output = GOOD.replace("62.11ms", told);

    assertThat(H2loadOutput.parse(output, 10_000, REPLY_BYTES).seconds())
        .isEqualTo(seconds, within(1e-9));
  }

  @ParameterizedTest
  @CsvSource({
    "'10000 succeeded, 0 failed','9999 succeeded, 1 failed'",
    "0 errored,1 errored",
    "0 timeout,1 timeout",
    "'10000 2xx, 0 3xx, 0 4xx, 0 5xx','9999 2xx, 0 3xx, 0 4xx, 1 5xx'",
    "10000 succeeded,9000 succeeded",
    "48.83KB (50000) data,48.83KB (49995) data"
  })
  void everyKindOfErrorIsAFailure(String good, String bad) {
    String output = GOOD.replace(good, bad);

    assertThatThrownBy(() -> H2loadOutput.parse(output, 10_000, REPLY_BYTES))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("of 10000 requests");
  }

  @Test
  void fewerRequestsThanWantedAreAFailure() {
    assertThatThrownBy(() -> H2loadOutput.parse(GOOD, 20_000, REPLY_BYTES))
        .isInstanceOf(RunFailedException.class);
  }

  @Test
  void outputWithoutAReportIsAFailureThatQuotesIt() {
    assertThatThrownBy(() -> H2loadOutput.parse("h2load: connection refused\n", 1, REPLY_BYTES))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("connection refused");
  }
}
