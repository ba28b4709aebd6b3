package dev.gannet.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class LatenciesTest {
  private static Histogram sumOf(Latencies latencies) {
    Histogram sum = new Histogram(Measurement.SIGNIFICANT_DIGITS);
    latencies.addTo(sum);
    return sum;
  }

  @Test
  void nothingIsLostWhileManyThreadsRecord() {
    Latencies latencies = Latencies.ofAnyThread();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 1; i <= 50; i++) {
        long nanos = i * 1_000L;
        threads.execute(() -> {
          for (int n = 0; n < 2_000; n++) {
            latencies.record(nanos);
          }
        });
      }
    }
    Histogram sum = sumOf(latencies);
    assertThat(sum.getTotalCount()).isEqualTo(100_000);
    for (int i = 1; i <= 50; i++) {
      assertThat(sum.getCountAtValue(i * 1_000L)).isEqualTo(2_000);
    }
  }

  @Test
  void oneThreadHasOneHistogram() {
    Latencies latencies = Latencies.ofOneThread();
    latencies.record(5);
    latencies.record(7);
    assertThat(sumOf(latencies).getMaxValue()).isEqualTo(7);
    assertThat(sumOf(latencies).getTotalCount()).isEqualTo(2);
  }
}
