package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A server's connections end when they are idle for too long or too old, and calls do not mind. */
final class ConnectionAgeTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation().with(Texts.BIDI, held).with(Texts.UNARY, held);
  private final ManagedChannel channel = simulation.channel();

  private MadeCall opened() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    return call;
  }

  private void assertServed() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    held.all().getLast().answers("served");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.messages()).containsExactly("served");
  }

  private void serveIdle(Duration time) {
    Simulation.start(simulation.serverBuilder().maxConnectionIdle(time));
  }

  @Test
  void anIdleConnectionIsClosedAndTheNextCallMakesAnother() {
    serveIdle(MINUTE);
    assertServed();
    simulation.advance(MINUTE.minus(MOMENT));
    assertThat(simulation.network().openConnections()).isOne();
    simulation.advance(MOMENT);
    assertThat(simulation.network().openConnections()).isZero();
    assertServed();
    assertThat(simulation.network().connectAttempts()).isEqualTo(2);
  }

  @Test
  void occasionalCallsPreventIdleness() {
    serveIdle(MINUTE);
    for (int i = 0; i < 100; i++) {
      assertServed();
      simulation.advance(MINUTE.minus(MOMENT));
    }
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void aConnectionWithACallIsNotIdle() {
    serveIdle(MINUTE);
    MadeCall call = opened();
    simulation.advance(Duration.ofDays(1));
    assertThat(call.isClosed()).isFalse();
    held.only().ends();
    simulation.advance(MINUTE.minus(MOMENT));
    assertThat(simulation.network().openConnections()).isOne();
    simulation.advance(MOMENT);
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void aConnectionWithoutAnyCallIsIdleAsWell() {
    serveIdle(MINUTE);
    RawClient client = RawClient.introduced(simulation);
    simulation.advance(MINUTE.plusSeconds(10));
    List<RawClient.Frame> goodbyes = client.heard(RawClient.GOAWAY);
    assertThat(goodbyes).isNotEmpty().allMatch(frame -> frame.words().equals("max_idle"));
    assertThat(goodbyes.getFirst().lastStreamId()).isEqualTo(RawClient.LARGEST_STREAM_ID);
    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void anOldConnectionIsReplacedWithoutAFailure() {
    Simulation.start(simulation.serverBuilder().maxConnectionAge(Duration.ofMinutes(10)));
    for (int minutes = 0; minutes < 120; minutes++) {
      assertServed();
      simulation.advance(MINUTE);
    }
    assertThat(simulation.network().connectAttempts()).isBetween(11, 14);
    assertThat(simulation.network().openConnections()).isLessThanOrEqualTo(1);
  }

  @Test
  void callsOfAnOldConnectionContinue() {
    Simulation.start(simulation.serverBuilder().maxConnectionAge(MINUTE));
    MadeCall call = opened().wants(1);
    simulation.advance(Duration.ofHours(1));
    assertServed();
    assertThat(call.isClosed()).isFalse();
    assertThat(simulation.network().connectAttempts()).isEqualTo(2);
    held.all().getFirst().answers("late");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("late");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void callsOfAnOldConnectionEndWithItsGrace() {
    Simulation.start(
        simulation
            .serverBuilder()
            .maxConnectionAge(MINUTE)
            .maxConnectionAgeGrace(Duration.ofMinutes(5)));
    MadeCall call = opened();
    simulation.advance(Duration.ofSeconds(54 + 300).minus(MOMENT));
    assertThat(call.isClosed()).isFalse();
    simulation.advance(Duration.ofSeconds(12));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.words()).contains("max_age");
    assertThat(held.only().cancels()).isOne();
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void aCallOnItsWayToAnIdleConnectionGetsTheGraceOfItsAge() {
    Simulation.start(
        simulation
            .serverBuilder()
            .maxConnectionIdle(MINUTE)
            .maxConnectionAge(Duration.ofMinutes(10))
            .maxConnectionAgeGrace(MINUTE));
    RawClient client = RawClient.introduced(simulation);
    simulation.advance(MINUTE);
    assertThat(client.heard(RawClient.GOAWAY)).isNotEmpty();
    client.asks(1, "/" + Texts.BIDI.fullMethodName());
    simulation.advance(Duration.ofMinutes(7));
    assertThat(held.all()).hasSize(1);
    assertThat(held.only().cancels()).isZero();
    simulation.advance(Duration.ofMinutes(5));
    assertThat(held.only().cancels()).isOne();
    assertThat(client.isClosed()).isTrue();
  }

  @Test
  void aGraceOfZeroEndsCallsAtOnce() {
    Simulation.start(
        simulation.serverBuilder().maxConnectionAge(MINUTE).maxConnectionAgeGrace(Duration.ZERO));
    MadeCall call = opened();
    simulation.advance(Duration.ofSeconds(66));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void connectionsOpenedTogetherEndAtDifferentTimes() {
    List<Long> ages =
        LongStream.range(0, 50).mapToObj(ConnectionAgeTest::secondsToGoodbye).toList();
    assertThat(ages).allMatch(age -> age >= 900 && age <= 1100);
    assertThat(ages).anyMatch(age -> age < 930).anyMatch(age -> age > 1070);
  }

  private static long secondsToGoodbye(long seed) {
    Simulation one = new Simulation(seed, SimulatedWire.INSTANT);
    Simulation.start(one.serverBuilder().maxConnectionAge(Duration.ofSeconds(1000)));
    RawClient client = RawClient.introduced(one);
    long seconds = 0;
    while (client.heard(RawClient.GOAWAY).isEmpty()) {
      one.advance(Duration.ofSeconds(1));
      seconds++;
    }
    return seconds;
  }
}
