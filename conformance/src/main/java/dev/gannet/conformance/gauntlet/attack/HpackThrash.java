package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/**
 * Calls whose header blocks empty the server's dynamic table and fill it with fields that are never
 * used again, as many as a careful server allows.
 */
final class HpackThrash implements Attack {
  private static final int EMPTY_TABLE = 0x20; // a size update (RFC 7541 §6.3) to 0
  private static final int[] USUAL_TABLE = {0x3f, 0xe1, 0x1f}; // to 4096
  private static final int FIELDS = 100;
  private static final int MAX_OPEN = 200;
  private static final int ANSWER_BYTES =
      16; // what a response takes of the window, and a little more

  HpackThrash() {}

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        "hpack-thrash",
        "RFC 7541 §4.3, §7.3",
        Fate.BOUNDED,
        "decodes a bounded part of a connection's fields before it turns to the others");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    for (int i = 0; front.goesOn(connection); i++) {
      int id = 2 * i + 1;
      connection.send(Frames.headers(id, Frames.END_HEADERS, block(i)));
      connection.send(Frames.data(id, Frames.END_STREAM, Messages.wantingOne(0)));
      connection.send(Frames.windowUpdate(0, ANSWER_BYTES));
      while (i - connection.endedStreams() >= MAX_OPEN && front.goesOn(connection)) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }

  private static byte[] block(int call) {
    BlockWriter fields = new BlockWriter();
    for (int i = 0; i < FIELDS; i++) {
      fields.stored("x-" + i, Integer.toString(call * FIELDS + i, Character.MAX_RADIX));
    }
    BlockWriter block = new BlockWriter().raw(EMPTY_TABLE).raw(USUAL_TABLE);
    for (byte octet : Requests.untabled(Requests.UNARY, fields)) {
      block.raw(octet);
    }
    return block.bytes();
  }
}
