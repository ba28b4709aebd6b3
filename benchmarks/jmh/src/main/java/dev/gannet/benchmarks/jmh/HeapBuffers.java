package dev.gannet.benchmarks.jmh;

import io.grpc.internal.WritableBuffer;
import io.grpc.internal.WritableBufferAllocator;

/**
 * The memory for grpc-java's framer: arrays of the requested size. Large ones are reused, as its
 * transport's pool and Gannet do. Not thread-safe.
 */
final class HeapBuffers implements WritableBufferAllocator {
  /** From this size on Gannet reuses arrays. */
  private static final int LARGE_BYTES = 32 << 10;

  private byte[] spare = {};

  @Override
  public WritableBuffer allocate(int capacityHint) {
    if (capacityHint < LARGE_BYTES) {
      return new HeapBuffer(new byte[capacityHint]);
    }
    byte[] bytes = spare.length == capacityHint ? spare : new byte[capacityHint];
    spare = new byte[0];
    return new HeapBuffer(bytes);
  }

  private final class HeapBuffer implements WritableBuffer {
    private final byte[] bytes;
    private int written;

    HeapBuffer(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void write(byte[] source, int from, int length) {
      System.arraycopy(source, from, bytes, written, length);
      written += length;
    }

    @Override
    public void write(byte value) {
      bytes[written++] = value;
    }

    @Override
    public int writableBytes() {
      return bytes.length - written;
    }

    @Override
    public int readableBytes() {
      return written;
    }

    @Override
    public void release() {
      if (bytes.length >= LARGE_BYTES) {
        spare = bytes;
      }
    }
  }
}
