package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections of one loop write from the same memory, and what they say never mixes. */
final class SharedMemoryTest {
  private static final int PIECE_BYTES = 1000;
  private static final int QUICK = 1 << 30;
  private static final int MAX_PIECES = 64 << 10;

  private final List<SocketPair> opened = new ArrayList<>();

  @AfterEach
  void close() throws IOException {
    for (SocketPair pair : opened) {
      pair.close();
    }
  }

  private SocketPair open() throws IOException {
    SocketPair pair = new SocketPair();
    opened.add(pair);
    pair.peer().setSoTimeout(10_000);
    return pair;
  }

  private SocketPair neighbourOf(SocketPair other) throws IOException {
    SocketPair pair = open();
    while (!pair.channel().eventLoop().equals(other.channel().eventLoop())) {
      pair = open();
    }
    return pair;
  }

  @Test
  void unreadBytesOfASlowReaderAreNotOverwritten() throws Exception {
    SocketPair slow = open();
    SocketPair quick = neighbourOf(slow);
    int unread = slow.onLoop(() -> writeUntilFull(slow.pipe()));
    for (int i = 0; i < 100; i++) {
      int seed = QUICK + i;
      quick.onLoop(() -> write(quick.pipe(), seed));
      assertWritten(quick.peer().getInputStream(), seed);
    }
    for (int i = 0; i < unread; i++) {
      assertWritten(slow.peer().getInputStream(), i);
    }
  }

  private static int writeUntilFull(NettyPipe pipe) {
    int pieces = 0;
    while (pipe.wantsMore() && pieces < MAX_PIECES) {
      write(pipe, pieces++);
    }
    assertThat(pipe.wantsMore()).isFalse();
    return pieces;
  }

  /** Writes a piece that no other seed's is like. */
  private static int write(NettyPipe pipe, int seed) {
    ByteBuffer room = pipe.reserve(PIECE_BYTES);
    room.put(piece(seed));
    pipe.flush();
    return PIECE_BYTES;
  }

  private static void assertWritten(InputStream in, int seed) throws IOException {
    assertThat(in.readNBytes(PIECE_BYTES)).isEqualTo(piece(seed));
  }

  private static byte[] piece(int seed) {
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    while (piece.hasRemaining()) {
      piece.putInt(seed);
    }
    return piece.array();
  }
}
