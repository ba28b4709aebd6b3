package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Windows open as far as a long way needs it. */
final class WindowGrowthTest {
  private static final int MESSAGE_BYTES = 50_000;
  private static final int MESSAGES = 1_000;

  /** There and back. */
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);

  private static final SimulatedWire LONG_WAY =
      SimulatedWire.INSTANT
          .withLatency(ROUND_TRIP.dividedBy(2))
          .withCapacityBytes(Integer.MAX_VALUE / 2);

  /** With windows of 1 MiB, each of them would take a round trip. */
  private static final long WINDOWS = ((long) MESSAGES * MESSAGE_BYTES) >> 20;

  /** So many can carry all messages only in windows that have grown. */
  private static final long ROUND_TRIPS = WINDOWS / 3;

  private static final String ARRIVED =
      "messages that arrived within %d round trips; windows that do not grow need %d";

  private final Simulation simulation = new Simulation(1, LONG_WAY);
  private final HeldCalls held = new HeldCalls();

  private MadeCall call() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(MESSAGES);
    simulation.advance(ROUND_TRIP.multipliedBy(3));
    return call;
  }

  @Test
  void aLongDownloadUsesTheWholeBandwidth() {
    MadeCall call = call();
    for (int i = 0; i < MESSAGES; i++) {
      held.only().answers(Texts.ofLength(MESSAGE_BYTES));
    }
    simulation.advance(ROUND_TRIP.multipliedBy(ROUND_TRIPS));
    assertThat(call.messages().size()).as(ARRIVED, ROUND_TRIPS, WINDOWS).isEqualTo(MESSAGES);
  }

  @Test
  void aLongUploadUsesTheWholeBandwidth() {
    MadeCall call = call();
    for (int i = 0; i < MESSAGES; i++) {
      call.says(Texts.ofLength(MESSAGE_BYTES));
    }
    simulation.advance(ROUND_TRIP.multipliedBy(ROUND_TRIPS));
    assertThat(held.only().messages().size()).as(ARRIVED, ROUND_TRIPS, WINDOWS).isEqualTo(MESSAGES);
  }
}
