package dev.gannet.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.protocol.OrcaReport;
import dev.gannet.server.call.FakeServerStream;
import dev.gannet.server.call.TestCalls;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerCallEventListener;
import dev.gannet.transport.ServerMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a handler records goes along with the end of its call. */
final class CallMetricRecorderTest {

  private final SimulatedLoop loop = new SimulatedLoop();

  /** The trailers of a call whose handler records that. */
  @SuppressWarnings("unchecked") // its messages are texts
  private Metadata trailers(ServerInterceptor interceptor, Consumer<CallMetricRecorder> records) {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "pkg.Service",
            List.of(
                TestCalls.served(
                    MethodType.BIDI_STREAMING,
                    (call, headers) -> {
                      records.accept(CallMetricRecorder.current().orElseThrow());
                      call.close(Status.OK, new Metadata());
                      return new ServerCall.Listener<>() {};
                    })));
    CallIntake intake =
        new CallIntake(
            ServerSettings.Services.of(
                List.of(ServerInterceptor.intercept(service, List.of(interceptor))),
                Dispatch.on(loop)),
            ServerSettings.Interception.NONE,
            ServerSettings.Formats.DEFAULT,
            () -> 0);
    FakeServerStream stream = new FakeServerStream();
    ServerCallEventListener events =
        ((ServerMethod<String, String>) intake.find("/pkg.Service/Method").orElseThrow())
            .begin(stream);
    assertThat(events.onBegun()).isEqualTo(CallAdmission.ADMITTED);
    events.flush();
    loop.runUntilIdle();
    assertThat(stream.told).isNotEmpty();
    return stream.trailers;
  }

  private Optional<OrcaReport> report(
      ServerInterceptor interceptor, Consumer<CallMetricRecorder> records) {
    return trailers(interceptor, records).get(OrcaReport.TRAILER).flatMap(OrcaReport::parse);
  }

  private Optional<OrcaReport> report(Consumer<CallMetricRecorder> records) {
    return report(CallMetricRecorder.interceptor(), records);
  }

  @Test
  void recordedMetricsAreReported() {
    assertThat(
            report(it ->
                it.recordCpuUtilization(1.5)
                    .recordMemoryUtilization(0.25)
                    .recordApplicationUtilization(0.5)
                    .recordQueriesPerSecond(100)
                    .recordErrorsPerSecond(2)
                    .recordRequestCost("rows", 7)
                    .recordUtilization("disk", 1)
                    .recordNamedMetric("depth", -3)))
        .contains(
            new OrcaReport(
                1.5,
                0.25,
                0.5,
                100,
                2,
                Map.of("rows", 7.0),
                Map.of("disk", 1.0),
                Map.of("depth", -3.0)));
  }

  @Test
  void aReportMayContainOnlyOneKindOfMetric() {
    assertThat(report(it -> it.recordRequestCost("rows", 7))).isPresent();
    assertThat(report(it -> it.recordUtilization("disk", 0.5))).isPresent();
    assertThat(report(it -> it.recordNamedMetric("depth", 3))).isPresent();
  }

  @Test
  void withoutRecordedMetricsThereIsNoReport() {
    assertThat(trailers(CallMetricRecorder.interceptor(), it -> {}).isEmpty()).isTrue();
  }

  @Test
  void valuesOutOfRangeAreIgnored() {
    assertThat(
            report(it ->
                it.recordCpuUtilization(-1)
                    .recordMemoryUtilization(1.1)
                    .recordApplicationUtilization(Double.NaN)
                    .recordUtilization("disk", -0.1)
                    .recordUtilization("net", 1.1)))
        .isEmpty();
  }

  @Test
  void valuesThatACallDoesNotRecordComeFromTheServer() {
    CallMetricRecorder ofServer =
        new CallMetricRecorder().recordCpuUtilization(0.5).recordMemoryUtilization(0.5);
    OrcaReport report =
        report(CallMetricRecorder.interceptor(ofServer), it -> it.recordCpuUtilization(0.75))
            .orElseThrow();
    assertThat(report.cpuUtilization()).isEqualTo(0.75);
    assertThat(report.memoryUtilization()).isEqualTo(0.5);
  }

  @Test
  void outsideOfACallThereIsNoRecorder() {
    assertThat(CallMetricRecorder.current()).isEmpty();
  }
}
