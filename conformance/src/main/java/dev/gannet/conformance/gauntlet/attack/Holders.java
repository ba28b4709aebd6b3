package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.RawConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Many connections that only hold something: each that the server has ended is replaced. */
final class Holders {
  private static final int PAUSE_MILLIS = 1_000;

  private Holders() {}

  /** One kind of connection. */
  interface Kind {
    /** Opens the connection of that number, and has it hold what it is to hold. */
    RawConnection begin(int number) throws IOException;

    /** Looks after it, about once a second; false if the server has ended it. */
    boolean goesOn(RawConnection holder) throws IOException;
  }

  /** Keeps this many connections until the attack is over. */
  static void keep(Front front, int connections, Kind kind) throws IOException {
    @Nullable RawConnection[] holders = new @Nullable RawConnection[connections];
    while (!front.isOver()) {
      long turnEndsNanos = System.nanoTime() + PAUSE_MILLIS * 1_000_000L;
      for (int i = 0; i < holders.length && !front.isOver(); i++) {
        RawConnection holder = holders[i];
        if (holder == null) {
          holders[i] = kind.begin(i);
        } else if (!kind.goesOn(holder)) {
          front.replace(holder);
          holders[i] = null;
        }
      }
      front.pauseMillis((turnEndsNanos - System.nanoTime()) / 1_000_000);
    }
  }
}
