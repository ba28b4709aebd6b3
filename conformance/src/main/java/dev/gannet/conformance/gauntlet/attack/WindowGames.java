package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.List;

/** As many responses as allowed at the same time, whose windows are changed by tiny amounts. */
enum WindowGames implements Attack {
  /** All windows, wider and narrower in turn, by SETTINGS_INITIAL_WINDOW_SIZE. */
  FLIPS("settings-window-flips", "RFC 9113 §6.9.2", 0, Fate.CUT_OFF, "too many SETTINGS"),
  /** Windows of one byte, each of which is opened by one more byte. */
  ONE_BYTE("one-byte-windows", "RFC 9113 §10.5", 1, Fate.BOUNDED, "");

  private static final int STREAMS = 250;
  private static final int RESPONSES = 8;
  private static final int RESPONSE_BYTES = 32 << 10;
  private static final int FLIP_BYTES = 1000;

  private final String name;
  private final String section;
  private final int windowBytes;
  private final Fate fate;
  private final String reason;

  WindowGames(String name, String section, int windowBytes, Fate fate, String reason) {
    this.name = name;
    this.section = section;
    this.windowBytes = windowBytes;
    this.fate = fate;
    this.reason = reason;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        name,
        section,
        List.of(),
        "counts them, and bounds what one connection has done in a turn",
        fate,
        reason);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(Frames.INITIAL_WINDOW_SIZE, windowBytes);
    connection.send(Frames.windowUpdate(0, Frames.LARGEST_WINDOW - 65_535));
    Requests requests = Requests.to(Requests.DOWNLOAD);
    byte[] wish = Messages.wantingMany(RESPONSES, RESPONSE_BYTES);
    for (int i = 0; i < STREAMS; i++) {
      connection.send(Frames.headers(2 * i + 1, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(2 * i + 1, Frames.END_STREAM, wish));
    }
    for (int i = 0; front.goesOn(connection); i++) {
      connection.send(
          this == FLIPS
              ? Frames.settings(Frames.INITIAL_WINDOW_SIZE, i % 2 == 0 ? FLIP_BYTES : 0)
              : Frames.windowUpdate(2 * (i % STREAMS) + 1, 1));
      if (this == FLIPS) {
        connection.flush();
      }
    }
  }
}
