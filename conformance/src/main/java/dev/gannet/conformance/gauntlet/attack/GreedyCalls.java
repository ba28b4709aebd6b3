package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/** Calls that are correct but too many. */
enum GreedyCalls implements Attack {
  /** Complete calls in batches, as many as streams are allowed. */
  BATCHES("unequal-work", ""),
  /**
   * By a client that announces that it accepts no header list: the server works for responses that
   * it cannot send.
   */
  TINY_HEADER_LIST("tiny-header-list", "2026-50560");

  private static final int MAX_OPEN = 200;
  private static final int ANSWER_BYTES =
      16; // what a response takes of the window, and a little more

  private final String name;
  private final String cves;

  GreedyCalls(String name, String cves) {
    this.name = name;
    this.cves = cves;
  }

  @Override
  public AttackDescription description() {
    return switch (this) {
      case BATCHES ->
          new AttackDescription(
              name,
              "RFC 9113 §10.5",
              Fate.BOUNDED,
              "serves a bounded part of a connection's calls before it turns to the others");
      case TINY_HEADER_LIST ->
          new AttackDescription(
                  name,
                  "RFC 9113 §6.5.2",
                  Fate.BOUNDED,
                  "answers all the same: the setting is advice, and a reset would be free work")
              .published(cves);
    };
  }

  /** The server must work for each call. */
  @Override
  public long bytesPerSecond() {
    return BYTES_PER_SECOND / 8;
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection =
        this == TINY_HEADER_LIST ? front.connect(Frames.MAX_HEADER_LIST_SIZE, 1) : front.connect();
    Requests requests = Requests.to(Requests.UNARY);
    for (int sent = 0; front.goesOn(connection); sent++) {
      int id = 2 * sent + 1;
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(id, Frames.END_STREAM, Messages.empty()));
      while (front.goesOn(connection) && sent - connection.endedStreams() >= MAX_OPEN) {
        connection.flush();
        front.pauseMillis(1);
      }
      connection.send(Frames.windowUpdate(0, ANSWER_BYTES));
    }
  }
}
