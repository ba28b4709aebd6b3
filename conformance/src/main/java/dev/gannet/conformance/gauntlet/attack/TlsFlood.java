package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import java.io.IOException;

/** Work for TLS, which HTTP/2 above it hardly notices. */
enum TlsFlood implements Attack {
  /** Key updates without end, for both sides. */
  KEY_UPDATES("tls-key-updates", "RFC 8446 §4.6.3", "too many EMPTY_TLS_RECORD"),
  /** The same with a frame now and then: some libraries only count key updates in a row. */
  KEY_UPDATES_BETWEEN_FRAMES(
      "tls-key-updates-between-frames", "RFC 8446 §4.6.3", "too many EMPTY_TLS_RECORD"),
  /** Frames of which each octet is a TLS record. */
  OCTETS("tls-records-of-an-octet", "RFC 8446 §5.1", "too many TINY_TLS_RECORD");

  private static final int UNKNOWN_TYPE = 0xfa;
  private static final int FRAME_EVERY = 20;

  private final String name;
  private final String section;
  private final String reason;

  TlsFlood(String name, String section, String reason) {
    this.name = name;
    this.section = section;
    this.reason = reason;
  }

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
        reason, name, section, "counts records that bring no application data, or too little");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connectOverTls();
    byte[] frame = Frames.frame(UNKNOWN_TYPE, Frames.NONE, 0, new byte[Frames.MAX_PAYLOAD_BYTES]);
    for (int i = 1; front.goesOn(connection); i++) {
      switch (this) {
        case KEY_UPDATES -> connection.updateKeys();
        case KEY_UPDATES_BETWEEN_FRAMES -> {
          connection.updateKeys();
          if (i % FRAME_EVERY == 0) {
            connection.send(Frames.frame(UNKNOWN_TYPE, Frames.NONE, 0));
          }
        }
        case OCTETS -> connection.sendByOctets(frame);
      }
    }
  }
}
