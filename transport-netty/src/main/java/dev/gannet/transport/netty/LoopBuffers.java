package dev.gannet.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the connections of one event loop use in turn: one buffer to read into, a few to
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

  /**
   * How many buffers to write from are kept: a connection that sends long messages has about two on
   * their way to the socket while it fills the next one.
   */
  static final int WRITE_BUFFERS = 4;

  private static final OfThread OF_THREAD = new OfThread();

  private @Nullable ByteBuf read;
  private final @Nullable WriteBuffer[] write = new WriteBuffer[WRITE_BUFFERS];

  /** Which one is replaced next if none is free. */
  private int oldest;

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

  /** An empty buffer to write into; its bytes must be released like any other. */
  WriteBuffer toWrite(ByteBufAllocator allocator) {
    for (WriteBuffer buffer : write) {
      if (buffer != null && buffer.isFree()) {
        return buffer.reuse();
      }
    }
    WriteBuffer next = WriteBuffer.of(allocator.directBuffer(WRITE_BYTES, WRITE_BYTES));
    WriteBuffer before = write[oldest];
    write[oldest] = next;
    oldest = (oldest + 1) % WRITE_BUFFERS;
    if (before != null) {
      before.bytes.release();
    }
    return next.reuse();
  }

  private void release() {
    if (read != null) {
      read.release();
      read = null;
    }
    for (int i = 0; i < WRITE_BUFFERS; i++) {
      WriteBuffer buffer = write[i];
      if (buffer != null) {
        write[i] = null;
        buffer.bytes.release();
      }
    }
  }

  /** A buffer to write from, and the view through which it is filled. */
  static final class WriteBuffer {
    private final ByteBuf bytes;
    private final ByteBuffer view;

    private WriteBuffer(ByteBuf bytes) {
      this.bytes = bytes;
      this.view = bytes.nioBuffer(0, bytes.capacity());
    }

    /** Takes over the reference to the bytes, even if there is no memory for a view. */
    static WriteBuffer of(ByteBuf bytes) {
      boolean made = false;
      try {
        WriteBuffer buffer = new WriteBuffer(bytes);
        made = true;
        return buffer;
      } finally {
        if (!made) {
          bytes.release();
        }
      }
    }

    private boolean isFree() {
      return bytes.refCnt() == 1;
    }

    private WriteBuffer reuse() {
      bytes.clear().retain();
      view.clear();
      return this;
    }

    /** To be filled from position 0. */
    ByteBuffer view() {
      return view;
    }

    /** What was filled through the view, to be sent or released. */
    ByteBuf filled() {
      return bytes.writerIndex(view.position());
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
