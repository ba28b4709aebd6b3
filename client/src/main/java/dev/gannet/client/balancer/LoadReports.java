package dev.gannet.client.balancer;

import dev.gannet.api.Metadata;
import dev.gannet.api.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads servers' load reports from the trailers of calls (gRFC A51). Safe for all threads; never
 * blocks and never throws.
 */
@FunctionalInterface
public interface LoadReports {
  /** The report in these trailers; empty if there is none, or it cannot be read. */
  Optional<LoadReport> in(Metadata trailers);

  /**
   * Reads the trailer {@code endpoint-load-metrics-bin}, which gRPC servers send. Reports over 64
   * KiB or with more than 1,000 names are ignored.
   */
  static LoadReports ofTrailers() {
    return OrcaReports.INSTANCE;
  }

  /**
   * Asks the server of a subchannel to send load reports periodically, independent of calls (gRFC
   * A51, {@code xds.service.orca.v3.OpenRcaService}). For policies: the listener is called among
   * the policy's other events. Unreadable reports are ignored. A server that does not support this
   * is not asked again on that connection.
   *
   * @param interval how often the policy wants a report; a server may take longer
   */
  static Registration watch(
      Subchannel subchannel, Duration interval, Consumer<LoadReport> listener) {
    return subchannel.watch(
        OrcaReports.STREAM,
        OrcaReports.request(interval),
        message -> OrcaReports.in(message).ifPresent(listener));
  }
}
