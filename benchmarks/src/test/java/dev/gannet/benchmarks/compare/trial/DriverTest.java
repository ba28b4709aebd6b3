package dev.gannet.benchmarks.compare.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.benchmarks.QuickStart;
import dev.gannet.benchmarks.compare.statistics.Metric;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A workload by one server and one client, with real processes and a tiny round. */
@Timeout(60)
final class DriverTest {
  private static final double CALLS_PER_SECOND = 1_000;

  private static Roster roster;

  @BeforeAll
  static void startQuickly() throws IOException {
    roster = QuickRoster.of(QuickStart.shared());
  }

  /** One workload of each kind: those that differ in numbers alone take the same way. */
  static Stream<String> workloads() {
    Map<Object, Workload> kinds = new LinkedHashMap<>();
    Workloads.all().stream()
        .filter(it -> it.servers() == 1) // CompareCommandTest compares with three
        .forEach(it -> kinds.putIfAbsent(kind(it), it));
    return kinds.values().stream().map(Workload::name);
  }

  private static Object kind(Workload workload) {
    if (!(workload.task() instanceof Workload.Task.Calls calls)) {
      return workload.task();
    }
    Workload.Shape shape = calls.shape();
    return List.of(
        shape.kind(), shape.style(), shape.wire(), shape.metadataEntries() > 0, calls.rate());
  }

  @ParameterizedTest
  @MethodSource("workloads")
  void everyKindOfWorkloadGivesFigures(String name) throws IOException, InterruptedException {
    Workload workload = Workloads.named(name).orElseThrow();
    Effort effort = Effort.quick().with(200, 1, Duration.ofMillis(150));
    try (Certificate certificate = new Certificate();
        Stage stage = new Stage(workload, certificate)) {
      Driver driver = Driver.of(stage, contender(workload), roster);
      driver.warmUp(effort);
      if (workload.isPaced()) {
        driver.offer(CALLS_PER_SECOND);
      }
      Round round = driver.round(effort);
      driver.check();

      assertThat(round.figures()).isNotEmpty();
      assertThat(round.figures().values())
          .allMatch(Double::isFinite); // a tiny one may cost nothing
      round.figure(Metric.CALLS_PER_SECOND).ifPresent(it -> assertThat(it).isPositive());
    }
  }

  private static Contender contender(Workload workload) {
    boolean isIdle = workload.task() instanceof Workload.Task.IdleConnections;
    return new Contender("gannet-virtual", isIdle ? Roster.RAW : Roster.GANNET);
  }
}
