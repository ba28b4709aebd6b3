package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Has all connections of an event loop read into the loop's one buffer. Only for channels whose
 * handlers process what was read at once and keep nothing: with TLS, a peer that sends half a
 * record would keep the whole buffer.
 */
@SuppressWarnings("deprecation") // Netty's channels have no other interface for this yet
final class ReadsInTurns extends DefaultMaxMessagesRecvByteBufAllocator {
  /** After this many reads of one connection it is the next one's turn. */
  private static final int READS_IN_A_ROW = 16;

  ReadsInTurns() {
    super(READS_IN_A_ROW);
  }

  @Override
  public Handle newHandle() {
    return new OfChannel();
  }

  private final class OfChannel extends MaxMessageHandle {
    private @Nullable LoopBuffers buffers;

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      LoopBuffers known = buffers;
      if (known == null) {
        known = LoopBuffers.ofThisLoop();
        buffers = known;
      }
      return known.toRead(allocator);
    }

    @Override
    public int guess() {
      return LoopBuffers.READ_BYTES;
    }
  }
}
