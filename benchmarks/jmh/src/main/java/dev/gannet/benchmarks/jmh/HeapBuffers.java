package dev.gannet.benchmarks.jmh;

import io.grpc.internal.WritableBuffer;
import io.grpc.internal.WritableBufferAllocator;

/**
 * Where grpc-java's framer writes to: arrays of the size that it asks for. Large ones are used
 * again, as its transport's pool would and Gannet does. One thread's.
 */
final class HeapBuffers implements WritableBufferAllocator {
  /** From here on Gannet uses arrays again. */
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
