package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Reports of servers of gRPC, as they are on the wire (gRFC A51). */
final class OrcaReportsTest {
  private static final Metadata.Key<byte[]> TRAILER =
      Metadata.Key.binary("endpoint-load-metrics-bin");

  private static Metadata trailers(String hex) {
    Metadata trailers = new Metadata();
    trailers.set(TRAILER, HexFormat.of().parseHex(hex));
    return trailers;
  }

  @Test
  void aReportIsReadFromTheTrailers() {
    assertThat(LoadReports.ofTrailers().in(trailers("09000000000000e03f310000000000000040")))
        .hasValue(LoadReport.builder().cpuUtilization(0.5).queriesPerSecond(2).build());
  }

  @Test
  void aMissingOrInvalidTrailerIsNoReport() {
    assertThat(LoadReports.ofTrailers().in(new Metadata())).isEmpty();
    assertThat(LoadReports.ofTrailers().in(trailers("0900"))).isEmpty();
  }

  @Test
  void impossibleNumbersAreIgnored() {
    assertThat(
            LoadReports.ofTrailers()
                .in(trailers("09000000000000e0bf31000000000000f07f39000000000000f87f")))
        .hasValue(LoadReport.builder().build());
  }

  @Test
  void weightedRoundRobinReadsOrcaReportsByDefault() {
    FakeChannel channel = new FakeChannel();
    LoadBalancer policy =
        LoadBalancerProvider.weightedRoundRobin(
                WeightedRoundRobinSettings.DEFAULT.withBlackoutPeriod(Duration.ZERO))
            .create(channel);
    policy.onResolved(FakeChannel.endpoints("a", "b"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    channel.of("a").serves(Status.OK, trailers("49000000000000d03f310000000000005940"));
    channel.of("b").serves(Status.OK, trailers("49000000000000e83f310000000000005940"));
    channel.advance(Duration.ofSeconds(1));
    assertThat(Collections.frequency(channel.picked(400), "a")).isBetween(298, 302);
  }
}
