package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.RawConnection;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Many connections that only hold something: each that the server has ended is replaced, and one
 * whose calls the server has ended begins others.
 */
final class Holders {
  private static final int PAUSE_MILLIS = 1_000;

  private Holders() {}

  /** One kind of connection. */
  interface Kind {
    /** Opens the connection of that number. */
    RawConnection connect(int number) throws IOException;

    /** Has it hold what it is to hold. */
    void hold(Holder holder) throws IOException;

    /** Looks after it, about once a second, while it holds something. */
    default void goOn(Holder holder) throws IOException {}
  }

  /** One connection, and its streams. */
  static final class Holder {
    private final RawConnection connection;
    private int streams;

    private Holder(RawConnection connection) {
      this.connection = connection;
    }

    RawConnection connection() {
      return connection;
    }

    /** The id of a new stream. */
    int openStream() {
      streams++;
      return lastStream();
    }

    /** The id of the newest stream. */
    int lastStream() {
      return 2 * streams - 1;
    }

    /** Whether the server has ended all its streams. */
    private boolean holdsNothing() {
      return connection.endedStreams() >= streams;
    }
  }

  /** Keeps this many connections until the attack is over. */
  static void keep(Front front, int connections, Kind kind) throws IOException {
    @Nullable Holder[] holders = new @Nullable Holder[connections];
    while (!front.isOver()) {
      long turnEndsNanos = System.nanoTime() + PAUSE_MILLIS * 1_000_000L;
      for (int i = 0; i < holders.length && !front.isOver(); i++) {
        Holder holder = holders[i];
        if (holder == null) {
          holders[i] = begin(kind, i);
        } else if (!goOn(front, kind, holder)) {
          front.replace(holder.connection);
          holders[i] = null;
        }
      }
      front.pauseMillis((turnEndsNanos - System.nanoTime()) / 1_000_000);
    }
  }

  private static Holder begin(Kind kind, int number) throws IOException {
    Holder holder = new Holder(kind.connect(number));
    kind.hold(holder);
    holder.connection.flush();
    return holder;
  }

  /** Returns false if the server has ended the connection. */
  private static boolean goOn(Front front, Kind kind, Holder holder) {
    if (!front.goesOn(holder.connection)) {
      return false;
    }
    try {
      if (holder.holdsNothing()) {
        kind.hold(holder);
      } else {
        kind.goOn(holder);
      }
      holder.connection.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
