package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Connections that are opened and never used. */
final class ManyConnections implements Attack {
  /** The number of connections of one attacker. */
  private static final int CONNECTIONS = 20;

  private static final int PAUSE_MILLIS = 100;

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            "many-connections",
            "RFC 9113 §10.5",
            Fate.BOUNDED,
            "keeps little of a connection that does nothing, and can be told how many it takes")
        .published("2023-4785");
  }

  @Override
  public void attack(Front front) throws IOException {
    List<RawConnection> idle = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS && !front.isOver(); i++) {
      RawConnection connection = front.connect();
      connection.flush();
      idle.add(connection);
    }
    while (idle.stream().anyMatch(front::goesOn)) {
      for (RawConnection connection : idle) {
        if (front.goesOn(connection)) {
          connection.flush(); // acknowledges the server's settings
        }
      }
      front.pauseMillis(PAUSE_MILLIS);
    }
  }
}
