package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the connections of one event loop use in turn: one buffer to read into, one to
 * write from. Almost always, a connection has finished with a buffer before the next connection's
 * turn; otherwise it keeps the buffer, and the loop gets another.
 *
 * <p>So the memory stays in the processor's cache, and serving a connection needs no allocation.
 * Confined to the loop's thread; released with it.
 */
final class LoopBuffers {
  /** The size up to which Netty's own reads grow. */
  static final int READ_BYTES = 64 << 10;

  /**
   * Large enough for the answers of one batch in most cases; for two of the longest frames, each 9
   * bytes longer than 16 KiB (RFC 9113 §4.1), and some short ones before them.
   */
  static final int WRITE_BYTES = 40 << 10;

  private static final OfThread OF_THREAD = new OfThread();

  private @Nullable ByteBuf read;
  private @Nullable ByteBuf write;

  private LoopBuffers() {}

  /** The instance of the calling event loop's thread. */
  static LoopBuffers ofThisLoop() {
    return OF_THREAD.get();
  }

  /** An empty buffer to read into; must be released like any other. */
  ByteBuf toRead(ByteBufAllocator allocator) {
    ByteBuf last = read;
    if (last != null && last.refCnt() == 1) {
      return last.clear().retain();
    }
    if (last != null) {
      read =
          null; // even if something fails below, the next caller must not get another one's buffer
      last.release();
    }
    ByteBuf next = allocator.directBuffer(READ_BYTES, READ_BYTES);
    read = next;
    return next.retain();
  }

  /** An empty buffer to write into; must be released like any other, or given back. */
  ByteBuf toWrite(ByteBufAllocator allocator) {
    ByteBuf spare = write;
    write = null;
    return spare == null ? allocator.directBuffer(WRITE_BYTES, WRITE_BYTES) : spare;
  }

  /** Takes a buffer back that may still be waiting to be sent; in that case it is only released. */
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
