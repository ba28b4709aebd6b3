package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.http2.ByteSink;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.pipe.Pipe;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A pipe that was closed lets its peer read to the end, as long as he does. */
final class SlowReadersTest {
  private static final int PIECE_BYTES = 64 << 10;
  private static final int PIECES = 400; // more than the system's buffers of both ends hold
  private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("nowhere", 1);

  private final ByThePiece channel = new ByThePiece();

  /** A channel whose peer takes pieces when he is told to. */
  private static final class ByThePiece extends EmbeddedChannel {
    private int wanted;

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
      for (; wanted > 0 && !in.isEmpty(); wanted--) {
        in.remove();
      }
    }

    void takes(int pieces) {
      wanted = pieces;
      flush();
    }

    void after(int seconds) {
      for (int i = 0; i < seconds; i++) {
        advanceTimeBy(1, TimeUnit.SECONDS);
        runScheduledPendingTasks();
      }
    }
  }

  @AfterEach
  void close() {
    channel.close();
  }

  private void writeAndClose(int pieces) {
    written(pieces).close();
  }

  private NettyPipe written(int pieces) {
    channel.freezeTime();
    NettyPipe pipe =
        new NettyPipe(channel, NettyEventLoops.Kind.nio(), new ConnectionInfo(NOWHERE, NOWHERE), 0);
    write(pipe, pieces);
    return pipe;
  }

  private static String write(NettyPipe pipe, int pieces) {
    for (int i = 0; i < pieces; i++) {
      pipe.reserve(PIECE_BYTES).put(new byte[PIECE_BYTES]);
    }
    pipe.flush();
    return "written";
  }

  @Test
  void aPeerThatReadsNothingIsClosedAfterTenSeconds() {
    writeAndClose(3);
    channel.after(9);
    assertThat(channel.isOpen()).isTrue();
    channel.after(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aPeerThatReadsNowAndThenIsNotClosed() {
    writeAndClose(3);
    for (int i = 0; i < 3; i++) {
      channel.after(9);
      assertThat(channel.isOpen()).isTrue();
      channel.takes(1);
    }
    channel.takes(1); // the empty piece that tells that all are gone
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aPeerThatReadsForAMinuteIsClosed() {
    writeAndClose(100);
    for (int i = 0; i < 59; i++) {
      channel.after(1);
      channel.takes(1);
    }
    assertThat(channel.isOpen()).isTrue();
    channel.after(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aPeerThatBrokeARuleIsClosedAfterASecond() {
    written(3).closeSoon();
    assertThat(channel.isOpen()).isTrue();
    channel.takes(1);
    channel.after(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void theTimeLimitCanBeShortenedWhileThePipeCloses() {
    NettyPipe pipe = written(3);
    pipe.close();
    channel.after(5);
    pipe.closeSoon();
    assertThat(channel.isOpen()).isTrue();
    channel.after(1);
    assertThat(channel.isOpen()).isFalse();
  }

  @Test
  void aPeerThatReadsLateGetsEverything() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      NettyPipe pipe = pair.pipe();
      pair.onLoop(() -> write(pipe, PIECES));
      pair.onLoop(() -> closing(pipe::close));
      pair.channel().eventLoop().schedule(() -> "later", 2, TimeUnit.SECONDS).get();
      InputStream in = pair.peer().getInputStream();
      long readBytes = 0;
      byte[] some = new byte[PIECE_BYTES];
      for (int got = in.read(some); got >= 0; got = in.read(some)) {
        readBytes += got;
      }
      assertThat(readBytes).isEqualTo((long) PIECES * PIECE_BYTES);
    }
  }

  /** What has left the pipe is in the system's buffers, and an answer to bytes would discard it. */
  @Test
  void aPeerThatSendsWhileItReadsGetsEverything() throws Exception {
    try (SocketPair pair = new SocketPair()) {
      NettyPipe pipe = pair.pipe();
      pair.peer().setReceiveBufferSize(PIECE_BYTES);
      InputStream in = pair.peer().getInputStream();
      pair.onLoop(() -> write(pipe, PIECES / 10));
      long readBytes = 0;
      while (pair.onLoop(pipe::wireMark) != ByteSink.NOTHING_WAITS) {
        readBytes += in.readNBytes(PIECE_BYTES / 8).length;
      }
      pair.onLoop(() -> closing(pipe::close));
      pair.channel().eventLoop().schedule(() -> "later", 2, TimeUnit.SECONDS).get();
      for (byte[] some = in.readNBytes(PIECE_BYTES);
          some.length > 0;
          some = in.readNBytes(PIECE_BYTES)) {
        readBytes += some.length;
        pair.peer().getOutputStream().write(new byte[13]);
      }
      assertThat(readBytes).isEqualTo((long) PIECES / 10 * PIECE_BYTES);
    }
  }

  @Test
  void aPeerThatDoesNotCloseIsClosedOnceItCouldReadAll() throws Exception {
    assertLeft(Pipe::close, 5, 15);
  }

  @Test
  void aPeerThatBrokeARuleAndDoesNotCloseIsClosedSooner() throws Exception {
    assertLeft(Pipe::closeSoon, 0, 5);
  }

  private static void assertLeft(Consumer<Pipe> close, int leastSeconds, int mostSeconds)
      throws Exception {
    try (SocketPair pair = new SocketPair()) {
      NettyPipe pipe = pair.pipe();
      pair.onLoop(() -> write(pipe, 1));
      pair.onLoop(() -> closing(() -> close.accept(pipe)));
      pair.peer().getInputStream().skipNBytes(PIECE_BYTES);
      assertThat(pair.peer().getInputStream().read()).isNegative();
      ChannelFuture end = pair.channel().closeFuture();
      assertThat(leastSeconds > 0 && end.await(leastSeconds, TimeUnit.SECONDS)).isFalse();
      assertThat(end.await(mostSeconds - leastSeconds, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static String closing(Runnable close) {
    close.run();
    return "closing";
  }
}
