package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.List;

/** More streams than the server allows, none of which ends. */
enum ManyStreams implements Attack {
  /** By a client that knows the limit. */
  AFTER_SETTINGS("many-streams", Reading.EAGER, Fate.CUT_OFF, "too many RESET_STREAM", ""),
  /** By a client that never acknowledges the server's settings. */
  BEFORE_SETTINGS("early-streams", Reading.NEVER, Fate.BOUNDED, "", "2026-47244 2025-53506");

  private static final int SETTINGS_MILLIS = 100;

  private final String name;
  private final Reading reading;
  private final Fate fate;
  private final String reason;
  private final String cves;

  ManyStreams(String name, Reading reading, Fate fate, String reason, String cves) {
    this.name = name;
    this.reading = reading;
    this.fate = fate;
    this.reason = reason;
    this.cves = cves;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            name,
            "RFC 9113 §5.1.2",
            List.of(),
            "holds to its limit from the first octet on: refuses streams above it, and counts them",
            fate,
            reason)
        .published(cves);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(reading);
    if (this == AFTER_SETTINGS) {
      front.pauseMillis(SETTINGS_MILLIS);
    }
    Requests requests = Requests.to(Requests.UPLOAD);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
    }
  }
}
