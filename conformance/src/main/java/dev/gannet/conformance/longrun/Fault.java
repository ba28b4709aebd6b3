package dev.gannet.conformance.longrun;

import dev.gannet.testing.FaultyNetwork;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The network faults that {@link Faults} injects. */
enum Fault {
  CUT("cut", Bar.BACK_SOON, 0),
  REFUSED_1S("refused-1s", Bar.BACK_SOON, 1),
  REFUSED_3S("refused-3s", Bar.BACK_SOON, 3),
  REFUSED_10S("refused-10s", Bar.BACK_WITHIN_A_BACKOFF, 10),
  STALL_1S("stall-1s", Bar.BACK_SOON, 1),
  STALL_3S("stall-3s", Bar.BACK_SOON, 3),
  STALL_20S("stall-20s", Bar.DEAD_PEER_FOUND, 20),
  HALF_OPEN("half-open", Bar.DEAD_PEER_FOUND, 0),
  LATENCY("latency", Bar.NO_CALL_FAILS, 0),
  LATE_CHUNKS("late-chunks", Bar.NO_CALL_FAILS, 0),
  SLICES("slices", Bar.NO_CALL_FAILS, 0);

  /** What must hold for the calls of a fault, in addition to their ends in time. */
  enum Bar {
    NO_CALL_FAILS,
    BACK_SOON,
    BACK_WITHIN_A_BACKOFF,
    /** Both ends detect that their peer is dead, and calls succeed again after a backoff. */
    DEAD_PEER_FOUND
  }

  private static final Duration LATE = Duration.ofMillis(200);
  private static final double LATE_PERCENT = 2;
  private static final long FIRST_CUT_BYTES = 20;
  private static final long LAST_CUT_BYTES = 20_000;

  private final String text;
  private final Bar bar;
  private final int seconds;

  Fault(String text, Bar bar, int seconds) {
    this.text = text;
    this.bar = bar;
    this.seconds = seconds;
  }

  /** Its name on the command line. */
  String text() {
    return text;
  }

  Bar bar() {
    return bar;
  }

  /** How long it lasts; the argument applies if its name has no time. */
  Duration lasts(Duration otherwise) {
    return seconds == 0 ? otherwise : Duration.ofSeconds(seconds);
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(Fault::text).toList();
  }

  void begin(FaultyNetwork network) {
    switch (this) {
      case CUT -> {
        network.cutAfter(FIRST_CUT_BYTES, LAST_CUT_BYTES);
        network.cut();
      }
      case REFUSED_1S, REFUSED_3S, REFUSED_10S -> network.disconnect();
      case STALL_1S, STALL_3S, STALL_20S -> network.stall();
      case HALF_OPEN -> network.halfOpen();
      case LATENCY -> network.delay(LATE);
      case LATE_CHUNKS -> network.lose(LATE_PERCENT, LATE);
      case SLICES -> network.slice(1);
    }
  }

  void end(FaultyNetwork network) {
    network.heal();
    if (this == CUT) {
      network.cut(); // those that are still to be cut
    }
  }
}
