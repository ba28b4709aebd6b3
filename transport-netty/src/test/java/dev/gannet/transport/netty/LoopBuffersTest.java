package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Connections take turns with their loop's memory, and none gets what another still holds. */
final class LoopBuffersTest {
  private final ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
  private final LoopBuffers buffers = LoopBuffers.ofThisLoop();

  @AfterEach
  void endThread() {
    FastThreadLocal.removeAll();
  }

  @Test
  void aReleasedReadBufferIsReused() {
    ByteBuf first = buffers.toRead(allocator);
    first.writeByte(1).release();
    ByteBuf second = buffers.toRead(allocator);
    assertThat(second).isSameAs(first);
    assertThat(second.isReadable()).isFalse();
    second.release();
  }

  @Test
  void keptBytesAreNotOverwritten() {
    ByteBuf kept = buffers.toRead(allocator).writeByte(7);
    ByteBuf next = buffers.toRead(allocator).writeByte(8);
    assertThat(next).isNotSameAs(kept);
    assertThat(kept.readByte()).isEqualTo((byte) 7);
    kept.release();
    assertThat(kept.refCnt()).isZero();
    next.release();
  }

  @Test
  void aWrittenBufferIsReused() {
    ByteBuf first = buffers.toWrite(allocator).writeByte(1);
    buffers.giveBack(first);
    ByteBuf second = buffers.toWrite(allocator);
    assertThat(second).isSameAs(first);
    assertThat(second.isReadable()).isFalse();
    second.release();
  }

  @Test
  void aBufferInUseIsNotReusedAndIsReleasedLater() {
    ByteBuf onItsWay = buffers.toWrite(allocator).writeByte(7);
    onItsWay.retain();
    buffers.giveBack(onItsWay);
    ByteBuf next = buffers.toWrite(allocator).writeByte(8);
    assertThat(next).isNotSameAs(onItsWay);
    assertThat(onItsWay.readByte()).isEqualTo((byte) 7);
    onItsWay.release();
    assertThat(onItsWay.refCnt()).isZero();
    next.release();
  }

  @Test
  void onlyOneBufferIsKept() {
    ByteBuf first = buffers.toWrite(allocator);
    ByteBuf second = buffers.toWrite(allocator);
    buffers.giveBack(first);
    buffers.giveBack(second);
    assertThat(first.refCnt()).isOne();
    assertThat(second.refCnt()).isZero();
  }

  @Test
  void buffersOfAnotherSizeAreNotKept() {
    ByteBuf larger = allocator.directBuffer(LoopBuffers.WRITE_BYTES + 1);
    buffers.giveBack(larger);
    assertThat(larger.refCnt()).isZero();
  }

  @Test
  void allIsReleasedWithTheThread() {
    ByteBuf read = buffers.toRead(allocator);
    read.release();
    ByteBuf written = buffers.toWrite(allocator);
    buffers.giveBack(written);
    FastThreadLocal.removeAll();
    assertThat(read.refCnt()).isZero();
    assertThat(written.refCnt()).isZero();
  }
}
