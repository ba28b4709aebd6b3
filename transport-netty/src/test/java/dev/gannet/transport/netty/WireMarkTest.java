package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.ByteSink;
import java.io.InputStream;
import org.junit.jupiter.api.Test;

/** A pipe tells whether anything leaves that waits in it. */
final class WireMarkTest {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int PIECES = 400; // more than the system's buffers of both ends hold

  @Test
  void wireMarkChangesOnlyWhenThePeerReads() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      NettyPipe pipe = pair.pipe();
      assertThat(pair.onLoop(pipe::wireMark)).isEqualTo(ByteSink.NOTHING_WAITS);
      pair.onLoop(() -> {
        for (int i = 0; i < PIECES; i++) {
          pipe.reserve(PIECE_BYTES).put(new byte[PIECE_BYTES]);
        }
        pipe.flush();
        return "written";
      });

      InputStream in = pair.peer().getInputStream();
      long mark = pair.onLoop(pipe::wireMark);
      assertThat(mark).isNotEqualTo(ByteSink.NOTHING_WAITS);
      long readBytes = 0;
      while (pair.onLoop(pipe::wireMark) == mark) {
        readBytes += in.readNBytes(PIECE_BYTES).length;
      }
      long leftBytes = (long) PIECES * PIECE_BYTES - readBytes;
      assertThat(leftBytes).isPositive();

      in.skipNBytes(leftBytes);
      assertThat(pair.onLoop(pipe::wireMark)).isEqualTo(ByteSink.NOTHING_WAITS);
    }
  }
}
