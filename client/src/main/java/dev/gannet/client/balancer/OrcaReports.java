package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.protocol.OrcaReport;
import java.util.Optional;

/** Reports in the trailer that gRPC has for them. */
enum OrcaReports implements LoadReports {
  INSTANCE;

  @Override
  public Optional<LoadReport> in(Metadata trailers) {
    return trailers.get(OrcaReport.TRAILER).flatMap(OrcaReport::parse).map(OrcaReports::report);
  }

  private static LoadReport report(OrcaReport from) {
    return new LoadReport(
        number(from.applicationUtilization()),
        number(from.cpuUtilization()),
        number(from.queriesPerSecond()),
        number(from.errorsPerSecond()),
        number(from.memoryUtilization()),
        from.requestCost(),
        from.utilization(),
        from.namedMetrics());
  }

  /** What no server can mean counts as not given. */
  private static double number(double value) {
    return value >= 0 && value <= Double.MAX_VALUE ? value : 0;
  }
}
