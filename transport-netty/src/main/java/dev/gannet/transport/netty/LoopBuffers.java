package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the connections of one event loop use in turns: one buffer to read into, one to
 * write from. Whoever has one is done with it before the next one's turn, nearly always; who is not
 * keeps it, and the loop gets another.
 *
 * <p>So the memory is in the processor's cache, and a pass over a connection asks the allocator for
 * nothing. Confined to the loop's thread; released with it.
 */
final class LoopBuffers {
  /** As much as Netty's own reads grow to. */
  static final int READ_BYTES = 64 << 10;

  /**
   * Room for the answers of one batch in one piece, most of the time; for two of the longest
   * frames, each 9 octets longer than 16 KiB (RFC 9113 §4.1), and some short ones before them.
   */
  static final int WRITE_BYTES = 40 << 10;

  private static final OfThread OF_THREAD = new OfThread();

  private @Nullable ByteBuf read;
  private @Nullable ByteBuf write;

  private LoopBuffers() {}

  /** Those of the event loop whose thread this is. */
  static LoopBuffers ofThisLoop() {
    return OF_THREAD.get();
  }

  /** An empty buffer to read into; to be released as any other. */
  ByteBuf toRead(ByteBufAllocator allocator) {
    ByteBuf last = read;
    if (last != null && last.refCnt() == 1) {
      return last.clear().retain();
    }
    if (last != null) {
      read = null; // whatever fails below, the next must not find what is another's
      last.release();
    }
    ByteBuf next = allocator.directBuffer(READ_BYTES, READ_BYTES);
    read = next;
    return next.retain();
  }

  /** An empty buffer to write into; to be released as any other, or given back. */
  ByteBuf toWrite(ByteBufAllocator allocator) {
    ByteBuf spare = write;
    write = null;
    return spare == null ? allocator.directBuffer(WRITE_BYTES, WRITE_BYTES) : spare;
  }

  /** Takes a buffer back that may be on its way still; then it is only let go. */
  void giveBack(ByteBuf buffer) {
    if (write == null && buffer.refCnt() == 1 && buffer.capacity() == WRITE_BYTES) {
      write = buffer.clear();
    } else {
      buffer.release();
    }
  }

  private void release() {
    if (read != null) {
      read.release();
      read = null;
    }
    if (write != null) {
      write.release();
      write = null;
    }
  }

  private static final class OfThread extends FastThreadLocal<LoopBuffers> {
    @Override
    protected LoopBuffers initialValue() {
      return new LoopBuffers();
    }

    @Override
    protected void onRemoval(LoopBuffers buffers) {
      buffers.release();
    }
  }
}
