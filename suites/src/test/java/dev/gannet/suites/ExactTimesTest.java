package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When whole clients do things, to the millisecond, on wires that take no time. */
final class ExactTimesTest {
  private static final Metadata.Key<String> PUSHBACK = Metadata.Key.ascii("grpc-retry-pushback-ms");
  private static final Duration MILLI = Duration.ofMillis(1);

  private final Simulation simulation = new Simulation();
  private final List<Long> servedAtMillis = new ArrayList<>();
  private Status answer = Status.OK;
  private String pushback = "";

  ExactTimesTest() {
    simulation.with(Texts.UNARY, this::serve).serve();
  }

  /** Notes when; then fails the call, or keeps it waiting. */
  private ServerCall.Listener<String> serve(ServerCall<String, String> call, Metadata headers) {
    servedAtMillis.add(Duration.ofNanos(simulation.loop().nanoTime()).toMillis());
    if (!answer.isOk()) {
      Metadata trailers = new Metadata();
      if (!pushback.isEmpty()) {
        trailers.add(PUSHBACK, pushback);
      }
      call.close(answer, trailers);
    }
    return new Silent();
  }

  private record Silent() implements ServerCall.Listener<String> {}

  private MadeCall call(ManagedChannelBuilder builder) {
    MadeCall call = MadeCall.start(builder.build(), Texts.UNARY, CallOptions.DEFAULT).wants(1);
    call.says("question");
    simulation.advance(Duration.ZERO);
    return call;
  }

  private static ServiceConfig all(MethodConfig.Builder methods) {
    return ServiceConfig.builder().forAllMethods(methods.build()).build();
  }

  /** Of addresses that say nothing, each gets the next as company after 250 ms (gRFC A61). */
  @ParameterizedTest
  @CsvSource({"1, 250", "2, 500", "3, 750"})
  void theNextAddressIsTriedAfterAQuarterOfASecond(int silent, long connectedAtMillis) {
    List<SocketAddress> addresses =
        IntStream.rangeClosed(1, 4)
            .<SocketAddress>mapToObj(i -> new InetSocketAddress("192.0.2." + i, Simulation.PORT))
            .toList();
    simulation.network().setReachability(Reachability.SILENT);
    call(simulation.channelBuilder().addresses(addresses));
    simulation.advance(Duration.ofMillis(connectedAtMillis).minus(MILLI));
    assertThat(simulation.network().connectAttempts()).isEqualTo(silent);
    simulation.network().setReachability(Reachability.REACHABLE);
    simulation.advance(MILLI);
    assertThat(servedAtMillis).containsExactly(connectedAtMillis);
  }

  @Test
  void hedgesBeginAfterEachDelay() {
    HedgingPolicy policy = HedgingPolicy.of(4).withHedgingDelay(Duration.ofMillis(70));
    call(
        simulation
            .channelBuilder()
            .defaultServiceConfig(all(MethodConfig.builder().hedgingPolicy(policy))));
    simulation.advance(Duration.ofSeconds(1));
    assertThat(servedAtMillis).containsExactly(0L, 70L, 140L, 210L);
  }

  @Test
  void aRetryFollowsThePushbackOrTheBackoffPlusOrMinusAFifth() {
    answer = Status.UNAVAILABLE;
    pushback = "700";
    RetryPolicy policy =
        RetryPolicy.of(3, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofMillis(100))
            .withMaxBackoff(Duration.ofSeconds(1))
            .withBackoffMultiplier(3);
    MadeCall call =
        call(
            simulation
                .channelBuilder()
                .defaultServiceConfig(all(MethodConfig.builder().retryPolicy(policy))));
    pushback = "";
    simulation.advance(Duration.ofSeconds(3));
    assertThat(servedAtMillis).hasSize(3).startsWith(0L, 700L);
    assertThat(servedAtMillis.getLast()).isBetween(780L, 820L); // the backoffs begin anew
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void anIdleChannelDisconnectsWithinATenthAfterItsTimeout() {
    answer = Status.ABORTED;
    call(simulation.channelBuilder().idleTimeout(Duration.ofSeconds(10)));
    assertThat(simulation.network().openConnections()).isOne();
    simulation.advance(Duration.ofSeconds(10).minus(MILLI));
    assertThat(simulation.network().openConnections()).isOne();
    simulation.advance(Duration.ofSeconds(1).plus(MILLI));
    assertThat(simulation.network().openConnections()).isZero();
  }
}
