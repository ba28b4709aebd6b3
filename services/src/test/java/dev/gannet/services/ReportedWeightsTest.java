package dev.gannet.services;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.serviceconfig.ServiceConfigs;
import dev.gannet.services.test.Book;
import dev.gannet.services.test.Shelf;
import dev.gannet.services.test.Shelves;
import dev.gannet.services.test.ShelvesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three servers report their load as gRFC A51 has it, and a channel with {@code
 * weighted_round_robin} of a service config gives each its share of the calls.
 */
@Timeout(120)
final class ReportedWeightsTest {
  private static final int CALLS = 330;
  private static final int MAX_ROUNDS = 2_000;
  private static final int TOLERANCE = 6;

  private final List<LoadedServer> servers = new ArrayList<>();

  /** A server, which records its load in each call that has a recorder, and in its own one. */
  private static final class LoadedServer implements Shelves {
    private final CallMetricRecorder load = new CallMetricRecorder();
    private final int index;
    private final Server server;
    private volatile double utilization;

    LoadedServer(int index, BiFunction<ServerBuilder, CallMetricRecorder, ServerBuilder> reporting)
        throws IOException {
      this.index = index;
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      server = reporting.apply(Server.builder(any).add(this), load).start();
    }

    @Override
    public Shelf put(Book book) {
      CallMetricRecorder.current().ifPresent(this::recordTo);
      return Shelf.newBuilder().setRow(index).build();
    }

    void setUtilization(double utilization) {
      this.utilization = utilization;
      recordTo(load);
    }

    private void recordTo(CallMetricRecorder recorder) {
      recorder.recordApplicationUtilization(utilization).recordQueriesPerSecond(100);
    }
  }

  @AfterEach
  void end() {
    servers.forEach(it -> it.server.shutdownNow());
  }

  private void startThree(BiFunction<ServerBuilder, CallMetricRecorder, ServerBuilder> reporting)
      throws IOException {
    for (int i = 0; i < 3; i++) {
      servers.add(new LoadedServer(i, reporting));
    }
  }

  private ManagedChannel channel(String more) {
    String json =
        """
        {"loadBalancingConfig": [{"weighted_round_robin":
          {"blackoutPeriod": "0s", "weightUpdatePeriod": "0.1s"%s}}]}
        """
            .formatted(more);
    String target =
        servers.stream()
            .map(it -> "127.0.0.1:" + it.server.port())
            .collect(Collectors.joining(",", "ipv4:", ""));
    return ManagedChannel.builder(target)
        .plaintext()
        .defaultServiceConfig(ServiceConfigs.parse(json))
        .build();
  }

  private void setUtilizations(double... utilizations) {
    for (int i = 0; i < utilizations.length; i++) {
      servers.get(i).setUtilization(utilizations[i]);
    }
  }

  /** How many of some calls each server had. */
  private static int[] shares(ShelvesClient client) {
    int[] shares = new int[3];
    for (int i = 0; i < CALLS; i++) {
      shares[client.put(Book.getDefaultInstance()).getRow()]++;
    }
    return shares;
  }

  private static boolean isNear(int[] shares, int... expected) {
    for (int i = 0; i < shares.length; i++) {
      if (Math.abs(shares[i] - expected[i]) > TOLERANCE) {
        return false;
      }
    }
    return true;
  }

  /** Calls until the shares are these, and checks that they stay so. */
  private static void assertSharesBecome(ManagedChannel channel, int... expected) {
    ShelvesClient client = ShelvesClient.of(channel).withDeadline(Duration.ofSeconds(30));
    int[] shares = shares(client);
    for (int round = 0; !isNear(shares, expected) && round < MAX_ROUNDS; round++) {
      shares = shares(client);
    }
    assertThat(isNear(shares, expected)).as("%s", Arrays.toString(shares)).isTrue();
    int[] next = shares(client);
    assertThat(isNear(next, expected)).as("then %s", Arrays.toString(next)).isTrue();
  }

  @Test
  void callsFollowTheLoadThatIsReportedWithEachOfThem() throws IOException {
    startThree((builder, load) -> builder.intercept(CallMetricRecorder.interceptor()));
    setUtilizations(0.25, 0.5, 0.75);
    try (ManagedChannel channel = channel("")) {
      assertSharesBecome(channel, 180, 90, 60);
      setUtilizations(0.75, 0.25, 0.5);
      assertSharesBecome(channel, 60, 180, 90);
    }
  }

  @Test
  void callsFollowTheLoadThatIsReportedApartFromThem() throws IOException {
    startThree((builder, load) -> builder.add(new OrcaService(load, Duration.ofMillis(10))));
    setUtilizations(0.75, 0.5, 0.25);
    try (ManagedChannel channel =
        channel(", \"enableOobLoadReport\": true, \"oobReportingPeriod\": \"0.01s\"")) {
      assertSharesBecome(channel, 60, 90, 180);
      setUtilizations(0.25, 0.75, 0.5);
      assertSharesBecome(channel, 180, 60, 90);
    }
  }
}
