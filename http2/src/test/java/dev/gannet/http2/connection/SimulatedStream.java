package dev.gannet.http2.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.hpack.HeaderList;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** One stream as one end of a simulation knows it: what it said, and what it heard so far. */
final class SimulatedStream {
  final Http2Stream stream;
  final Deque<HeaderList> saidLists = new ArrayDeque<>();
  int bytesToSay;
  int bytesSaid;
  int bytesWritten;
  int bytesHeard;
  int bytesUnread;
  boolean headersSaid;
  boolean endSaid;
  boolean endWritten;
  boolean endHeard;
  boolean resetByThisEnd;
  boolean resetHeard;
  boolean released;

  private final int salt;

  SimulatedStream(Http2Stream stream, int salt) {
    this.stream = stream;
    this.salt = salt;
  }

  /** The next bytes that this end says. */
  ByteBuffer say(int bytes) {
    ByteBuffer content = ByteBuffer.allocate(bytes);
    for (int i = 0; i < bytes; i++) {
      content.put(content(bytesSaid++));
    }
    return content.flip();
  }

  /** Bytes arrived; they are the very next ones that the peer said. */
  void hear(ByteBuffer bytes, SimulatedStream peer) {
    assertThat(isOver()).as("data after the end of " + stream).isFalse();
    bytesUnread += bytes.remaining();
    while (bytes.hasRemaining()) {
      byte heard = bytes.get();
      if (heard != peer.content(bytesHeard)) {
        throw new AssertionError("byte " + bytesHeard + " of " + stream + " is another one");
      }
      bytesHeard++;
    }
  }

  void hear(HeaderList list, SimulatedStream peer) {
    assertThat(isOver()).as("headers after the end of " + stream).isFalse();
    assertThat(list).as("headers of " + stream).isEqualTo(peer.saidLists.poll());
  }

  void hearEnd(SimulatedStream peer) {
    assertThat(isOver()).as("a second end of " + stream).isFalse();
    assertThat(bytesHeard).as("bytes of " + stream).isEqualTo(peer.bytesSaid);
    assertThat(peer.saidLists).as("lists of " + stream).isEmpty();
    endHeard = true;
  }

  /** Whether nothing more may be heard. */
  private boolean isOver() {
    return endHeard || resetHeard || resetByThisEnd;
  }

  boolean hasMoreToSay() {
    return !endSaid && !stream.isClosed();
  }

  private byte content(int index) {
    return (byte) (31 * stream.id() + 17 * salt + 7 * index + (index >>> 8));
  }
}
