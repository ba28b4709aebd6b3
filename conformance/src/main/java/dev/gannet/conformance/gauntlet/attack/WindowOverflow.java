package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import java.io.IOException;

/** The connection's window is widened beyond the limit of 31 bits. */
final class WindowOverflow implements Attack {
  @Override
  public AttackDescription description() {
    return AttackDescription.cutOff(
        "WINDOW_UPDATE widens a window past",
        "window-overflow",
        "RFC 9113 §6.9.1",
        "ends the connection with FLOW_CONTROL_ERROR");
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    while (front.goesOn(connection)) {
      connection.send(Frames.windowUpdate(0, Frames.LARGEST_WINDOW));
    }
  }
}
