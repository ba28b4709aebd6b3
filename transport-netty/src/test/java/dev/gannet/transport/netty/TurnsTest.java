package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.transport.pipe.PipeListener;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connection with much work does it in parts, so that others of its loop proceed. */
@Timeout(30)
final class TurnsTest {
  /** As many parts are done in an instant, where nobody is let in between. */
  private static final int MAX_PARTS = 100_000;

  private final NettyEventLoops oneLoop = NettyEventLoops.of(1, ByteBufAllocator.DEFAULT);

  @AfterEach
  void endLoop() {
    oneLoop.shutDown(1);
  }

  /** Does nothing in parts until another connection has heard from its peer. */
  private static final class Work implements PipeListener {
    private final SocketPair busy;
    private final SocketPair other;
    private final CompletableFuture<Integer> partsUntilHeard = new CompletableFuture<>();
    private boolean heard;
    private int parts;

    Work(SocketPair busy, SocketPair other) {
      this.busy = busy;
      this.other = other;
    }

    Void begin() {
      PipeHandler handler = new PipeHandler(other.pipe());
      other.channel().pipeline().addLast(handler);
      handler.drivenBy(this);
      try {
        other.peer().getOutputStream().write(1);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      doPart();
      return null;
    }

    private void doPart() {
      parts++;
      if (heard || parts == MAX_PARTS) {
        partsUntilHeard.complete(parts);
      } else {
        busy.pipe().executeInTurn(this::doPart);
      }
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      heard = true;
    }

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }

  @Test
  void workInPartsLetsOthersReadBetween() throws Exception {
    try (SocketPair busy = new SocketPair(oneLoop);
        SocketPair other = new SocketPair(oneLoop)) {
      Work work = new Work(busy, other);
      busy.onLoop(work::begin);
      assertThat(work.partsUntilHeard.get()).isLessThan(MAX_PARTS);
    }
  }
}
