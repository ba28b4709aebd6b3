package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/**
 * A thousand connections with a hundred calls each, none of which sends a message: their headers
 * are short, but each has a handler that waits.
 */
final class OpenCalls implements Attack {
  private static final int CONNECTIONS = 1_000;
  private static final int CALLS = 100;

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
    Holders.keep(front, front.partOf(CONNECTIONS), new Holding(front));
  }

  private record Holding(Front front) implements Holders.Kind {
    @Override
    public RawConnection connect(int number) throws IOException {
      return front.connect();
    }

    @Override
    public void hold(Holders.Holder holder) throws IOException {
      Requests requests = Requests.to(Requests.UPLOAD);
      for (int i = 0; i < CALLS; i++) {
        byte[] request = requests.next();
        holder.connection().send(Frames.headers(holder.openStream(), Frames.END_HEADERS, request));
      }
    }
  }
}
