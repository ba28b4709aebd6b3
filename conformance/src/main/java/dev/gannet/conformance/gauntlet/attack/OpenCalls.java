package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A thousand connections with a hundred calls each, none of which sends a message: their headers
 * are short, but each has a handler that waits.
 */
final class OpenCalls implements Attack {
  private static final int CONNECTIONS = 1_000;
  private static final int CALLS = 100;
  private static final int PAUSE_MILLIS = 1_000;

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        "many-open-calls",
        "RFC 9113 §10.5",
        Fate.BOUNDED,
        "counts what a call and its handler's thread take, and closes those that only hold calls");
  }

  /** Enough to open all calls within seconds. */
  @Override
  public long bytesPerSecond() {
    return 4 * BYTES_PER_SECOND;
  }

  @Override
  public void attack(Front front) throws IOException {
    @Nullable RawConnection[] holders = new @Nullable RawConnection[front.partOf(CONNECTIONS)];
    while (!front.isOver()) {
      long turnEndsNanos = System.nanoTime() + PAUSE_MILLIS * 1_000_000L;
      for (int i = 0; i < holders.length && !front.isOver(); i++) {
        RawConnection holder = holders[i];
        if (holder == null) {
          holders[i] = begin(front);
        } else if (!front.goesOn(holder)) {
          front.replace(holder);
          holders[i] = null;
        }
      }
      front.pauseMillis((turnEndsNanos - System.nanoTime()) / 1_000_000);
    }
  }

  private static RawConnection begin(Front front) throws IOException {
    RawConnection holder = front.connect();
    Requests requests = Requests.to(Requests.UPLOAD);
    for (int id = 1; id < 2 * CALLS; id += 2) {
      holder.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
    }
    holder.flush();
    return holder;
  }
}
