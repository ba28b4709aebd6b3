package dev.gannet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** If memory is short, the connection that wastes most is closed, not the one that holds most. */
final class SheddingPriorityTest {
  private static final int KIB = 1 << 10;
  private static final long MIB = 1 << 20;
  private static final long LIMIT_BYTES = 4 * MIB;
  private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

  private final MemoryLimiter budget = MemoryLimiter.ofBytes(LIMIT_BYTES);
  private final List<Connection> shed = new ArrayList<>();
  private long nowNanos;

  private final class Connection implements MemoryLimiter.Member {
    final MemoryLimiter.Share share;
    String why = "";
    Runnable leaving = () -> {};

    Connection(String address) {
      share = budget.join(new InetSocketAddress(address, 1), nowNanos, this);
    }

    Connection served() {
      share.onServed(1, nowNanos);
      return this;
    }

    /** Holds so much, which its peer has to finish. */
    Connection owes(long bytes) {
      share.report(bytes, bytes, nowNanos);
      return this;
    }

    /** Holds so much, which is for this side to finish. */
    Connection waitsWith(long bytes) {
      share.report(bytes, 0, nowNanos);
      return this;
    }

    @Override
    public void onShed(String reason) {
      shed.add(this);
      why = reason;
      leaving.run();
    }

    @Override
    public void onScarce() {}
  }

  private void pass(int seconds) {
    nowNanos += seconds * SECOND_NANOS;
  }

  private Connection connection() {
    return new Connection("192.0.2.1");
  }

  /** One that is so wasteful 20 s from the beginning. */
  private Connection of(SheddingPriority waste) {
    nowNanos = 0;
    return switch (waste) {
      case NEVER_SERVED, LITTLE -> connection();
      case STANDING_STILL -> connection().served();
      case NOT_SERVED_YET -> {
        pass(18);
        yield connection();
      }
      case NEW -> {
        pass(16);
        yield connection().served();
      }
      case BUSY -> {
        Connection old = connection();
        pass(18);
        yield old.served();
      }
    };
  }

  @Test
  void memoryTakenDuringAClosingDoesNotCloseHonestConnections() {
    Connection busy = of(SheddingPriority.BUSY).owes(512 * KIB);
    Connection first = of(SheddingPriority.NEW);
    Connection late = of(SheddingPriority.NEW);
    nowNanos = 20 * SECOND_NANOS - 1;
    first.leaving = () -> late.owes(LIMIT_BYTES - KIB);
    first.owes(3 * MIB);
    of(SheddingPriority.NEW).owes(MIB);
    assertThat(shed).contains(first, late).doesNotContain(busy);
  }

  private static long bytesOf(SheddingPriority waste, long others) {
    return waste == SheddingPriority.LITTLE ? 256 * KIB : others;
  }

  static Stream<Arguments> pairs() {
    SheddingPriority[] all = SheddingPriority.values();
    return IntStream.range(0, all.length)
        .boxed()
        .flatMap(first ->
            IntStream.range(first + 1, all.length)
                .mapToObj(second -> Arguments.of(all[first], all[second])));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void eachKindIsClosedBeforeTheNextHoweverMuchTheNextHolds(
      SheddingPriority first, SheddingPriority second) {
    Connection sooner = of(first);
    Connection later = of(second);
    nowNanos = 20 * SECOND_NANOS - 1;
    long soonerBytes =
        bytesOf(first, second == SheddingPriority.LITTLE ? LIMIT_BYTES : 3 * MIB / 2);
    later.owes(
        bytesOf(second, first == SheddingPriority.LITTLE ? LIMIT_BYTES - 128 * KIB : 3 * MIB));
    sooner.owes(soonerBytes);
    assertThat(shed).containsExactly(sooner);
  }

  @Test
  void aServedConnectionSurvivesThousandsThatHoldLess() {
    Connection honest = connection().served();
    List<Connection> others = new ArrayList<>();
    for (int i = 0; i < 4000; i++) {
      others.add(new Connection("198.51." + i / 256 + "." + i % 256).owes(KIB));
    }
    pass(20);
    honest.served().owes(64 * KIB);
    others.forEach(other -> other.owes(4 * KIB));
    assertThat(shed).doesNotContain(honest).hasSizeGreaterThan(2000);
  }

  @Test
  void enoughIsFreedForManyFurtherConnections() {
    List<Connection> all = IntStream.range(0, 1025).mapToObj(i -> connection()).toList();
    all.forEach(one -> one.owes(4 * KIB));
    assertThat(shed).hasSize(129);
    for (int i = 0; i < 128; i++) {
      connection().owes(4 * KIB);
    }
    assertThat(shed).hasSize(129);
  }

  @Test
  void oneChoiceAmongNewConnectionsMakesRoomForSomeFurtherOnes() {
    List<Connection> all =
        IntStream.range(0, 1041).mapToObj(i -> of(SheddingPriority.NEW)).toList();
    all.subList(0, 1025).forEach(one -> one.owes(4 * KIB));
    assertThat(shed).hasSize(17);
    all.subList(1025, 1041).forEach(one -> one.owes(4 * KIB));
    assertThat(shed).hasSize(17);
  }

  @Test
  void noMoreBusyConnectionsAreClosedThanNecessary() {
    for (int i = 0; i < 5; i++) {
      of(SheddingPriority.BUSY).owes(MIB);
    }
    assertThat(shed).hasSize(1);
  }

  @Test
  void connectionsOfTheAddressThatHoldsMostAreClosedFirst() {
    Connection alone = new Connection("198.51.100.1").owes(MIB);
    for (int i = 0; i < 8; i++) {
      new Connection("198.51.100.2").owes(MIB / 2 - 1);
    }
    assertThat(shed).doesNotContain(alone).hasSizeBetween(2, 4);
  }

  @Test
  void addressesOfOneIpv6NetworkCountAsOne() {
    Connection alone = new Connection("2001:db8:0:1::1").owes(MIB);
    for (int i = 0; i < 8; i++) {
      new Connection("2001:db8:0:2::" + i).owes(MIB / 2 - 1);
    }
    assertThat(shed).doesNotContain(alone).hasSizeBetween(2, 4);
  }

  @Test
  void servedConnectionsOfOneAddressAreNotCountedTogether() {
    for (int i = 0; i < 10; i++) {
      of(SheddingPriority.BUSY).owes(200 * KIB);
    }
    Connection other = new Connection("198.51.100.1");
    of(SheddingPriority.BUSY);
    other.served().owes(MIB);
    of(SheddingPriority.BUSY).owes(6 * MIB / 5);
    assertThat(shed).hasSize(1);
    assertThat(shed.getFirst().share.owedBytes()).isGreaterThanOrEqualTo(MIB);
  }

  @Test
  void theConnectionThatIsServedMoreOftenSurvives() {
    Connection often = of(SheddingPriority.NEW);
    Connection once = of(SheddingPriority.NEW);
    often.share.onServed(100, nowNanos);
    once.owes(MIB);
    often.owes(LIMIT_BYTES);
    assertThat(shed).first().isSameAs(once);
  }

  @Test
  void callsServedLongAgoNoLongerCount() {
    Connection once = of(SheddingPriority.NEW);
    once.share.onServed(100, nowNanos);
    pass(60);
    once.served();
    Connection often = connection();
    often.share.onServed(10, nowNanos);
    pass(12);
    once.served().owes(2 * MIB);
    often.served().owes(3 * MIB);
    assertThat(shed).containsExactly(once);
  }

  @Test
  void bytesWaitingForThisSideCountLessThanThoseWaitingForThePeer() {
    Connection handled = of(SheddingPriority.BUSY).waitsWith(3 * MIB);
    Connection owing = of(SheddingPriority.BUSY).owes(MIB + 1);
    assertThat(shed).containsExactly(owing);
    of(SheddingPriority.BUSY).waitsWith(2 * MIB);
    assertThat(shed).containsExactly(owing, handled);
  }

  @Test
  void theReasonIsGivenAsText() {
    Connection idle = connection().owes(600 * KIB);
    pass(31);
    connection().served().owes(LIMIT_BYTES - 599 * KIB);
    assertThat(shed).containsExactly(idle);
    assertThat(idle.why)
        .isEqualTo(
            "4097 KiB of 4096 KiB (memoryBudget) are held, 600 KiB by this connection; no call was"
                + " ever served on it, and it made no progress for 31 s");
  }
}
