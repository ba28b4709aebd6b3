package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.OrcaReport;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Endpoints have calls by their weights, and weights by their reports (gRFC A58). */
final class WeightedRoundRobinTest {
  private static final Metadata.Key<String> REPORT = Metadata.Key.ascii("report");
  private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

  private final FakeChannel channel = new FakeChannel();
  private final LoadBalancer policy =
      LoadBalancerProvider.weightedRoundRobin(
              WeightedRoundRobinSettings.DEFAULT, WeightedRoundRobinTest::read)
          .create(channel);

  private static Optional<LoadReport> read(Metadata trailers) {
    return trailers
        .get(REPORT)
        .map(it -> it.split(" "))
        .map(it ->
            LoadReport.builder()
                .applicationUtilization(number(it[0]))
                .cpuUtilization(number(it[1]))
                .queriesPerSecond(number(it[2]))
                .errorsPerSecond(number(it[3]))
                .build());
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }

  private void resolves(String... hosts) {
    policy.onResolved(FakeChannel.endpoints(hosts));
    for (String host : hosts) {
      channel.of(host).becomesReady();
    }
  }

  private void reports(String host, String report) {
    Metadata trailers = new Metadata();
    trailers.set(REPORT, report);
    channel.of(host).serves(Status.OK, trailers);
  }

  private int share(String host) {
    return Collections.frequency(channel.picked(400), host);
  }

  @Test
  void withoutReportsAllEndpointsHaveTheSameShare() {
    resolves("a", "b");
    assertThat(share("a")).isEqualTo(200);
    reports("a", "0 0.5 100 0"); // one weight alone compares with nothing
    channel.advance(Duration.ofSeconds(11));
    assertThat(share("a")).isEqualTo(200);
  }

  @Test
  void anEndpointWithThreefoldCapacityGetsThreefoldCalls() {
    weighsThreeToOne();
  }

  /** Three to one, and seen to be so. */
  private void weighsThreeToOne() {
    resolves("a", "b");
    reports("a", "0 0.25 100 0");
    reports("b", "0 0.75 100 0");
    channel.advance(Duration.ofSeconds(9));
    assertThat(share("a")).isEqualTo(200); // the blackout is not over
    channel.advance(Duration.ofSeconds(2));
    assertThat(share("a")).isBetween(298, 302);
  }

  @Test
  void weightsThatChangeTakeEffectWithinAnUpdate() {
    weighsThreeToOne();
    reports("b", "0.25 0.75 300 0"); // the application's word comes before the processors'
    channel.advance(Duration.ofSeconds(1));
    assertThat(share("b")).isBetween(298, 302);
    reports("b", "0 0.75 300 1200"); // which fails more than it serves
    channel.advance(Duration.ofSeconds(1));
    assertThat(share("b")).isLessThan(70);
  }

  @Test
  void emptyReportsChangeNothing() {
    weighsThreeToOne();
    reports("a", "0 0 100 0");
    reports("a", "0 0.5 0 0");
    reports("a", "NaN NaN NaN 0");
    reports("a", "0 1e-10 1e300 0");
    channel.of("a").serves(Status.OK, new Metadata());
    channel.advance(Duration.ofSeconds(1));
    assertThat(share("a")).isBetween(298, 302);
  }

  @Test
  void oldReportsAreIgnored() {
    weighsThreeToOne();
    channel.advance(Duration.ofMinutes(3));
    assertThat(share("a")).isEqualTo(200);
  }

  @Test
  void weightsNeverExpireIfThePeriodIsForever() {
    LoadBalancer patient =
        LoadBalancerProvider.weightedRoundRobin(
                WeightedRoundRobinSettings.DEFAULT.withWeightExpirationPeriod(FOREVER),
                WeightedRoundRobinTest::read)
            .create(channel);
    patient.onResolved(FakeChannel.endpoints("a", "b"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    reports("a", "0 0.25 100 0");
    reports("b", "0 0.75 100 0");
    channel.advance(Duration.ofDays(1));
    assertThat(share("a")).isBetween(298, 302);
    patient.shutdown();
  }

  @Test
  void weightsAreNeverUsedIfTheBlackoutIsForever() {
    LoadBalancer careful =
        LoadBalancerProvider.weightedRoundRobin(
                WeightedRoundRobinSettings.DEFAULT
                    .withBlackoutPeriod(FOREVER)
                    .withWeightUpdatePeriod(FOREVER),
                WeightedRoundRobinTest::read)
            .create(channel);
    careful.onResolved(FakeChannel.endpoints("a", "b"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    reports("a", "0 0.25 100 0");
    reports("b", "0 0.75 100 0");
    channel.advance(Duration.ofDays(1));
    assertThat(share("a")).isEqualTo(200);
    careful.shutdown();
  }

  @Test
  void anEndpointThatIsReadyAgainIsBlackedOutAgain() {
    weighsThreeToOne();
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").becomesReady();
    assertThat(share("a")).isEqualTo(200);
    policy.shutdown();
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void sharesAreProportionalToWeightsForAnyStartOfTheSequence(long seed) {
    double[] weights = {1, 2, 3, 4};
    StaticStride stride = new StaticStride(weights, new AtomicInteger((int) (seed * 0x9e3779b9L)));
    int[] turns = new int[weights.length];
    for (int i = 0; i < 10_000; i++) {
      turns[stride.next()]++;
    }
    for (int i = 0; i < weights.length; i++) {
      assertThat(turns[i]).isBetween((int) (990 * weights[i]), (int) (1010 * weights[i]));
    }
  }

  @Test
  void extremeWeightsAreBoundedAndUnknownWeightsAreTheMean() {
    double[] weights = new double[101];
    weights[0] = 1e9;
    for (int i = 1; i < 100; i++) {
      weights[i] = 1;
    }
    StaticStride stride = new StaticStride(weights, new AtomicInteger());
    int[] turns = new int[weights.length];
    for (int i = 0; i < 1_000_000; i++) {
      turns[stride.next()]++;
    }
    assertThat(turns[1]).isPositive();
    assertThat((double) turns[0] / turns[100]).isBetween(9.5, 10.5);
  }

  @Test
  void ifEnabledOutOfBandReportsReplaceThoseOfCalls() {
    LoadBalancer apart =
        LoadBalancerProvider.weightedRoundRobin(
                WeightedRoundRobinSettings.DEFAULT.withOobReportingPeriod(Duration.ofMillis(2_500)),
                WeightedRoundRobinTest::read)
            .create(channel);
    apart.onResolved(FakeChannel.endpoints("a", "b"));
    channel.of("a").becomesReady();
    channel.of("b").becomesReady();
    FakeAddress.Watched ofA = channel.of("a").watches.getLast();
    assertThat(ofA.method).isEqualTo("xds.service.orca.v3.OpenRcaService/StreamCoreMetrics");
    assertThat(ofA.request).asHexString().isEqualTo("0A0808021080CAB5EE01");
    ofA.says(new OrcaReport(0.25, 0, 0, 100, 0, Map.of(), Map.of(), Map.of()).toBytes());
    channel
        .of("b")
        .watches
        .getLast()
        .says(new OrcaReport(0.75, 0, 0, 100, 0, Map.of(), Map.of(), Map.of()).toBytes());
    reports("a", "0 0.75 100 0");
    ofA.says((byte) 7); // which cannot be read
    channel.advance(Duration.ofSeconds(11));
    assertThat(share("a")).isBetween(298, 302);
    channel.of("a").is(SubchannelState.IDLE);
    channel.of("a").becomesReady();
    assertThat(channel.of("a").watches).hasSize(1);
    apart.shutdown();
  }

  @Test
  void settingsAreChecked() {
    WeightedRoundRobinSettings settings =
        WeightedRoundRobinSettings.DEFAULT
            .withBlackoutPeriod(Duration.ZERO)
            .withWeightExpirationPeriod(Duration.ofMinutes(1))
            .withWeightUpdatePeriod(Duration.ofMillis(1))
            .withErrorUtilizationPenalty(2)
            .withOobReportingPeriod(Duration.ofSeconds(10));
    assertThat(settings.oobReportingPeriod()).hasValue(Duration.ofSeconds(10));
    assertThat(settings.blackoutPeriod()).isZero();
    assertThat(settings.weightExpirationPeriod()).isEqualTo(Duration.ofMinutes(1));
    assertThat(settings.weightUpdatePeriod()).isEqualTo(Duration.ofMillis(100));
    assertThat(settings.errorUtilizationPenalty()).isEqualTo(2);
    for (double bad : List.of(-1.0, Double.NaN)) {
      assertThatThrownBy(() -> settings.withErrorUtilizationPenalty(bad))
          .hasMessageContaining("errorUtilizationPenalty");
    }
    assertThatThrownBy(() -> settings.withBlackoutPeriod(Duration.ofNanos(-1)))
        .hasMessageContaining("blackoutPeriod");
  }
}
