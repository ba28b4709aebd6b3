package dev.gannet.benchmarks.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Every benchmark does what it says, with every parameter; how fast is not the question here. */
final class BenchmarksRunTest {
  static {
    // JMH in another process would disturb a measurement, but nothing is measured here
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  @Timeout(300)
  void everyBenchmarkRuns() throws RunnerException {
    Options options =
        new OptionsBuilder()
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();
    assertThat(new Runner(options).run()).hasSizeGreaterThan(20);
  }
}
