package dev.gannet.client.balancer;

import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.protocol.OrcaReport;
import dev.gannet.protocol.WireFields;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Optional;

/** Reports in gRPC's standard trailer. */
enum OrcaReports implements LoadReports {
  INSTANCE;

  /** The method for reports out of band. */
  static final MethodDescriptor<byte[], byte[]> STREAM =
      MethodDescriptor.of(
          MethodType.SERVER_STREAMING,
          "xds.service.orca.v3.OpenRcaService/StreamCoreMetrics",
          Marshallers.bytes(),
          Marshallers.bytes());

  /** An {@code OrcaLoadReportRequest}. */
  static byte[] request(Duration interval) {
    ByteArrayOutputStream duration = new ByteArrayOutputStream();
    WireFields.writeVarint(duration, 1, interval.getSeconds());
    WireFields.writeVarint(duration, 2, interval.getNano());
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    WireFields.writeBytes(request, 1, duration.toByteArray());
    return request.toByteArray();
  }

  static Optional<LoadReport> in(byte[] message) {
    return OrcaReport.parse(message).map(OrcaReports::report);
  }

  @Override
  public Optional<LoadReport> in(Metadata trailers) {
    return trailers.get(OrcaReport.TRAILER).flatMap(OrcaReports::in);
  }

  private static LoadReport report(OrcaReport report) {
    return LoadReport.builder()
        .applicationUtilization(number(report.applicationUtilization()))
        .cpuUtilization(number(report.cpuUtilization()))
        .queriesPerSecond(number(report.queriesPerSecond()))
        .errorsPerSecond(number(report.errorsPerSecond()))
        .memoryUtilization(number(report.memoryUtilization()))
        .requestCost(report.requestCost())
        .utilization(report.utilization())
        .namedMetrics(report.namedMetrics())
        .build();
  }

  /** Impossible values count as missing. */
  private static double number(double value) {
    return value >= 0 && value <= Double.MAX_VALUE ? value : 0;
  }
}
