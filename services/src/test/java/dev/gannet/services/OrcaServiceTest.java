package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Duration;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.LoadReport;
import dev.gannet.client.balancer.LoadReports;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.services.orca.v3.OpenRcaServiceClient;
import dev.gannet.services.orca.v3.OrcaLoadReport;
import dev.gannet.services.orca.v3.OrcaLoadReportRequest;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports on a server's load apart from its calls, over a real connection. */
@Timeout(30)
final class OrcaServiceTest {
  private static final java.time.Duration SHORT = java.time.Duration.ofMillis(10);

  private final CallMetricRecorder load = new CallMetricRecorder();

  private static OrcaLoadReportRequest every(long nanos) {
    return OrcaLoadReportRequest.newBuilder()
        .setReportInterval(Duration.newBuilder().setNanos((int) nanos))
        .build();
  }

  private static OpenRcaServiceClient client(Started started) {
    return OpenRcaServiceClient.of(started.channel());
  }

  @Test
  void reportsAreSentAtOnceAndRepeatedlyWithoutCostsOfCalls() throws IOException {
    load.recordCpuUtilization(0.5)
        .recordMemoryUtilization(0.25)
        .recordApplicationUtilization(1.5)
        .recordQueriesPerSecond(100)
        .recordErrorsPerSecond(1)
        .recordUtilization("disk", 0.75)
        .recordNamedMetric("depth", 7)
        .recordRequestCost("tokens", 3);
    try (Started started = Started.with(it -> it.add(new OrcaService(load, SHORT)));
        ServerStreamingCall<OrcaLoadReport> reports = client(started).streamCoreMetrics(every(1))) {
      OrcaLoadReport all =
          OrcaLoadReport.newBuilder()
              .setCpuUtilization(0.5)
              .setMemUtilization(0.25)
              .setApplicationUtilization(1.5)
              .setRpsFractional(100)
              .setEps(1)
              .putUtilization("disk", 0.75)
              .putNamedMetrics("depth", 7)
              .build();
      assertThat(reports.next()).isEqualTo(all);
      assertThat(reports.next()).isEqualTo(all);
      load.clear();
      OrcaLoadReport last;
      do {
        last = reports.next();
      } while (last.equals(all));
      assertThat(last).isEqualTo(OrcaLoadReport.getDefaultInstance());
    }
  }

  @Test
  void reportsAreNotSentMoreOftenThanTheServerAllows() throws IOException {
    try (Started started = Started.with(it -> it.add(new OrcaService(load)));
        ServerStreamingCall<OrcaLoadReport> reports = client(started).streamCoreMetrics(every(1))) {
      reports.next();
      assertThatThrownBy(() -> reports.hasNext(java.time.Duration.ofMillis(100)))
          .isInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void reportsEndWhenTheServerDrains() throws IOException {
    try (Started started = Started.with(it -> it.add(new OrcaService(load)));
        ServerStreamingCall<OrcaLoadReport> reports = client(started).streamCoreMetrics(every(1))) {
      reports.next();
      started.server().shutdown();
      assertThatThrownBy(reports::next)
          .isInstanceOfSatisfying(
              StatusException.class,
              it -> assertThat(it.status().code()).isEqualTo(Status.Code.UNAVAILABLE));
    }
  }

  @Test
  void aServiceReportsForItsNextServerAfterTheFirstHasDrained() throws IOException {
    OrcaService service = new OrcaService(load, SHORT);
    Started.with(it -> it.add(service)).close();
    try (Started next = Started.with(it -> it.add(service));
        ServerStreamingCall<OrcaLoadReport> reports = client(next).streamCoreMetrics(every(1))) {
      assertThat(reports.next()).isNotNull();
      assertThat(reports.next()).isNotNull();
    }
  }

  private static final class Row implements Shelves {
    @Override
    public Shelf put(Book book) {
      return Shelf.newBuilder().setRow(7).build();
    }
  }

  @Test
  void reportsTakeNoThreadOfTheServersExecutor() throws IOException {
    try (ExecutorService one = Executors.newSingleThreadExecutor();
        Started started =
            Started.with(
                it -> it.dispatch(Dispatch.on(one)).add(new Row()).add(new OrcaService(load)));
        ServerStreamingCall<OrcaLoadReport> reports = client(started).streamCoreMetrics(every(1))) {
      reports.next();

      assertThat(
              ShelvesClient.of(started.channel())
                  .withDeadline(java.time.Duration.ofSeconds(10))
                  .put(Book.getDefaultInstance())
                  .getRow())
          .isEqualTo(7);
    }
  }

  @Test
  void aServerThatCouldNotListenEndsNoReports() throws IOException {
    OrcaService service = new OrcaService(load, SHORT);
    Started.failing(it -> it.add(service));
    try (Started started = Started.with(it -> it.add(service));
        ServerStreamingCall<OrcaLoadReport> reports = client(started).streamCoreMetrics(every(1))) {
      reports.next();
      assertThat(reports.next()).isEqualTo(OrcaLoadReport.getDefaultInstance());
    }
  }

  @Test
  void anIntervalThatIsNotPositiveIsRefused() {
    assertThatThrownBy(() -> new OrcaService(load, java.time.Duration.ZERO))
        .hasMessageContaining("minInterval must be positive");
  }

  /** A policy of a user's: {@code pick_first} that has its servers report. */
  private record Reported(BlockingQueue<LoadReport> reports) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "reported";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancerProvider.pickFirst().create(new Watching(context, reports));
    }
  }

  private record Watching(LoadBalancer.Context context, BlockingQueue<LoadReport> reports)
      implements ForwardingContext {
    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      Subchannel made = context.createSubchannel(endpoint, listener, options);
      LoadReports.watch(made, SHORT, reports::add);
      return made;
    }
  }

  @Test
  void policiesGetReportsAsTheyArrive() throws IOException, InterruptedException {
    load.recordCpuUtilization(0.5).recordUtilization("disk", 0.75);
    BlockingQueue<LoadReport> reports = new LinkedBlockingQueue<>();
    try (Started started = Started.with(it -> it.add(new OrcaService(load, SHORT)));
        ManagedChannel channel =
            ManagedChannel.builder("127.0.0.1", started.server().port())
                .plaintext()
                .loadBalancer(new Reported(reports))
                .build()) {
      channel.state(true);
      LoadReport report = reports.poll(20, TimeUnit.SECONDS);
      assertThat(report).isNotNull();
      assertThat(report.cpuUtilization()).isEqualTo(0.5);
      assertThat(report.utilization()).isEqualTo(Map.of("disk", 0.75));
      load.recordCpuUtilization(0.75);
      do {
        report = reports.poll(20, TimeUnit.SECONDS);
        assertThat(report).isNotNull();
      } while (report.cpuUtilization() != 0.75);
    }
  }
}
