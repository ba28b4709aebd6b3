package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.LoadReports;
import dev.gannet.server.CallMetricRecorder;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What handlers record of their server's load comes with the end of their calls (gRFC A51). */
final class LoadReportsTest {
  private final Simulation simulation = new Simulation();

  /** Answers at once, and records that before. */
  private record Recording(Consumer<CallMetricRecorder> records)
      implements ServerCallHandler<String, String> {
    @Override
    public ServerCall.Listener<String> startCall(
        ServerCall<String, String> call, Metadata headers) {
      call.request(1);
      CallMetricRecorder.current().ifPresent(records);
      call.sendMessage("");
      call.close(Status.OK, new Metadata());
      return new ServerCall.Listener<>() {};
    }
  }

  private Optional<LoadReport> reported(
      Optional<CallMetricRecorder> ofServer, Consumer<CallMetricRecorder> records) {
    simulation.with(Texts.UNARY, new Recording(records));
    Simulation.start(
        simulation
            .serverBuilder()
            .intercept(
                ofServer
                    .map(CallMetricRecorder::interceptor)
                    .orElseGet(CallMetricRecorder::interceptor)));
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    return LoadReports.ofTrailers().in(call.heard().trailers());
  }

  @Test
  void metricsOfACallAreSentInItsTrailers() {
    assertThat(
            reported(
                Optional.empty(),
                it ->
                    it.recordCpuUtilization(0.821)
                        .recordMemoryUtilization(0.5847)
                        .recordApplicationUtilization(1.5)
                        .recordQueriesPerSecond(100)
                        .recordErrorsPerSecond(2)
                        .recordRequestCost("cost", 3456.32)
                        .recordUtilization("util", 0.30499)
                        .recordNamedMetric("queue", 7)))
        .hasValue(
            LoadReport.builder()
                .applicationUtilization(1.5)
                .cpuUtilization(0.821)
                .queriesPerSecond(100)
                .errorsPerSecond(2)
                .memoryUtilization(0.5847)
                .requestCost(Map.of("cost", 3456.32))
                .utilization(Map.of("util", 0.30499))
                .namedMetrics(Map.of("queue", 7.0))
                .build());
  }

  @Test
  void metricsThatACallDoesNotRecordComeFromItsServer() {
    CallMetricRecorder ofServer =
        new CallMetricRecorder().recordCpuUtilization(0.1).recordQueriesPerSecond(5);
    assertThat(reported(Optional.of(ofServer), it -> it.recordCpuUtilization(0.2)))
        .hasValue(LoadReport.builder().cpuUtilization(0.2).queriesPerSecond(5).build());
  }

  @Test
  void valuesOutOfRangeAreIgnored() {
    assertThat(
            reported(
                Optional.empty(),
                it ->
                    it.recordCpuUtilization(-1)
                        .recordMemoryUtilization(1.1)
                        .recordUtilization("util", 2)
                        .recordErrorsPerSecond(Double.NaN)
                        .recordQueriesPerSecond(1)))
        .hasValue(LoadReport.builder().queriesPerSecond(1).build());
  }

  @Test
  void aCallThatRecordsNothingSendsNothing() {
    assertThat(reported(Optional.empty(), it -> {})).isEmpty();
  }

  @Test
  void withoutTheInterceptorThereIsNoRecorder() {
    assertThat(CallMetricRecorder.current()).isEmpty();
  }
}
