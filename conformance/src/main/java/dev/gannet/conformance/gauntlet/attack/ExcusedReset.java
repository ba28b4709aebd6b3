package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;

/**
 * Calls that are cancelled in ways that honest clients use, too, in waves: a server that does not
 * count such resets must still not be harmed by them.
 */
enum ExcusedReset implements Attack {
  /** Shortly before the call's deadline: client and server have different clocks. */
  LATE("reset-late"),
  /** After the response has begun, because the client does not want the rest. */
  ANSWERED("reset-answered");

  private static final int WAVE = 200;
  private static final String TIMEOUT = "400m";
  private static final int LATE_MILLIS = 352; // the last of a wave is late, and the first not over
  private static final int ANSWER_BYTES = 1 << 10;

  /** So that each response begins and none ends. */
  private static final int WINDOW_BYTES = 1;

  private final String name;

  ExcusedReset(String name) {
    this.name = name;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        name,
        "RFC 9113 §10.5",
        Fate.BOUNDED,
        "gives a stream's place free only when its handler is back, counted or not");
  }

  /** Every server must work for each call that it answers. */
  @Override
  public long bytesPerSecond() {
    return this == ANSWERED ? BYTES_PER_SECOND / 8 : BYTES_PER_SECOND;
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect(Frames.INITIAL_WINDOW_SIZE, WINDOW_BYTES);
    Requests requests = Requests.to(this == LATE ? Requests.UPLOAD : Requests.DOWNLOAD);
    for (int first = 1; front.goesOn(connection); first += 2 * WAVE) {
      for (int id = first; id < first + 2 * WAVE; id += 2) {
        begin(connection, id, requests);
      }
      connection.flush();
      await(front, connection, first / 2 + WAVE);
      for (int id = first; id < first + 2 * WAVE; id += 2) {
        connection.send(Frames.rstStream(id));
      }
    }
  }

  private void begin(RawConnection connection, int id, Requests requests) throws IOException {
    if (this == LATE) {
      byte[] block = requests.nextWith(new BlockWriter().unstored("grpc-timeout", TIMEOUT));
      connection.send(Frames.headers(id, Frames.END_HEADERS, block));
    } else {
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(id, Frames.END_STREAM, Messages.wantingMany(1, ANSWER_BYTES)));
    }
  }

  private void await(Front front, RawConnection connection, int calls) throws IOException {
    if (this == LATE) {
      front.pauseMillis(LATE_MILLIS);
      return;
    }
    while (front.goesOn(connection)
        && connection.dataFrames() + connection.endedStreams() < calls) {
      connection.flush();
      front.pauseMillis(1);
    }
  }
}
