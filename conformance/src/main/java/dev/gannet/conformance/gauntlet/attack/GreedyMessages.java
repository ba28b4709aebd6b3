package dev.gannet.conformance.gauntlet.attack;

import dev.gannet.conformance.gauntlet.attack.AttackDescription.Fate;
import dev.gannet.conformance.gauntlet.wire.BlockWriter;
import dev.gannet.conformance.gauntlet.wire.Frames;
import dev.gannet.conformance.gauntlet.wire.Messages;
import dev.gannet.conformance.gauntlet.wire.RawConnection;
import dev.gannet.conformance.gauntlet.wire.Requests;
import java.io.IOException;
import java.util.Arrays;

/**
 * Messages within every limit that are cheap to send and expensive to read: ten calls per second,
 * or as many as may be sent, whether or not the earlier ones were answered.
 */
enum GreedyMessages implements Attack {
  /** 4 KiB that decompress to 4 MiB. */
  GZIP("gzip-within-limits", "has who asks for much inflating wait for it"),
  /** The same in as many bytes as are needed so that the work is in proportion to them. */
  GZIP_PAID("gzip-just-paid", "leaves processors to those who ask for little"),
  /** 4 MiB after hundreds of empty gzip members. */
  MEMBERS("gzip-members", "has who asks for much inflating wait for it"),
  /** 4 KiB that decompress to two million fields. */
  FIELDS("gzip-parse-heavy", "has who asks for much parsing wait for it"),
  /** A million fields, uncompressed. */
  PLAIN("parse-heavy", "leaves processors to those who ask for little"),
  /** The same attack with the messages of a stream. */
  STREAMED("parse-heavy-stream", "leaves processors to those who ask for little");

  private static final int MAX_BYTES = (4 << 20) - 64;
  private static final int PAID_RANDOM_BYTES = 133 << 10; // the whole message is 31 times as long
  private static final int STREAMED_BYTES = 60 << 10;
  private static final int MEMBERS_BEFORE = 600;
  private static final int PAUSE_MILLIS = 100;
  private static final int MAX_CALLS = 200; // may be open at the same time

  private final String name;
  private final String correct;

  GreedyMessages(String name, String correct) {
    this.name = name;
    this.correct = correct;
  }

  @Override
  public AttackDescription description() {
    return new AttackDescription(
        name, "gRPC over HTTP/2, Length-Prefixed-Message", Fate.BOUNDED, correct);
  }

  @Override
  public void attack(Front front) throws IOException {
    RawConnection connection = front.connect();
    byte[] message = message();
    if (this == STREAMED) {
      stream(front, connection, message);
      return;
    }
    BlockWriter more = new BlockWriter();
    if (this != PLAIN) {
      more.unstored("grpc-encoding", "gzip");
    }
    byte[] block = Requests.untabled(Requests.UNARY, more);
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, block));
      send(connection, id, message, Frames.END_STREAM);
      connection.flush();
      do {
        front.pauseMillis(PAUSE_MILLIS);
      } while (front.goesOn(connection) && id / 2 - connection.endedStreams() >= most());
    }
  }

  /** Large messages are sent one at a time; otherwise the attacker would have to track windows. */
  private int most() {
    return this == PLAIN ? 0 : MAX_CALLS;
  }

  private byte[] message() {
    return switch (this) {
      case GZIP -> Messages.gzippedPayload(MAX_BYTES, 0);
      case GZIP_PAID -> Messages.gzippedPayload(MAX_BYTES, PAID_RANDOM_BYTES);
      case MEMBERS -> Messages.gzippedBehindMembers(MAX_BYTES, MEMBERS_BEFORE);
      case FIELDS -> Messages.gzippedFields(MAX_BYTES);
      case PLAIN -> Messages.strangeFields(1 << 20);
      case STREAMED -> Messages.strangeFields(STREAMED_BYTES);
    };
  }

  private static void stream(Front front, RawConnection connection, byte[] message)
      throws IOException {
    byte[] block = Requests.untabled(Requests.UPLOAD, new BlockWriter());
    for (int id = 1; front.goesOn(connection); id += 2) {
      connection.send(Frames.headers(id, Frames.END_HEADERS, block));
      for (int sent = 0; sent < (1 << 20) - message.length; sent += message.length) {
        send(connection, id, message, Frames.NONE);
      }
      connection.send(Frames.data(id, Frames.END_STREAM));
      while (front.goesOn(connection) && connection.endedStreams() < id / 2) {
        connection.flush();
        front.pauseMillis(1);
      }
    }
  }

  private static void send(RawConnection connection, int id, byte[] message, int lastFlags)
      throws IOException {
    for (int at = 0; at < message.length; at += Frames.MAX_PAYLOAD_BYTES) {
      int end = Math.min(message.length, at + Frames.MAX_PAYLOAD_BYTES);
      int flags = end == message.length ? lastFlags : Frames.NONE;
      connection.send(Frames.data(id, flags, Arrays.copyOfRange(message, at, end)));
    }
  }
}
