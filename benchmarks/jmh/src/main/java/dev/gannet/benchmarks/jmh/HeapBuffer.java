package dev.gannet.benchmarks.jmh;

import io.grpc.internal.WritableBuffer;

/** Where grpc-java's framer writes to: an array of the size that it asks for. */
final class HeapBuffer implements WritableBuffer {
  private final byte[] bytes;
  private int written;

  HeapBuffer(int capacityHint) {
    this.bytes = new byte[capacityHint];
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
  public void release() {}
}
