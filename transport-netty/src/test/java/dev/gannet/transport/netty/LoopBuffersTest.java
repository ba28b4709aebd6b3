package dev.gannet.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.transport.netty.LoopBuffers.WriteBuffer;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;
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
    WriteBuffer first = buffers.toWrite(allocator);
    first.view().put((byte) 1);
    first.filled().release();
    WriteBuffer second = buffers.toWrite(allocator);
    assertThat(second).isSameAs(first);
    assertThat(second.filled().isReadable()).isFalse();
    second.filled().release();
  }

  @Test
  void aBufferInUseIsNotReused() {
    WriteBuffer onItsWay = buffers.toWrite(allocator);
    onItsWay.view().put((byte) 7);
    ByteBuf sent = onItsWay.filled();
    WriteBuffer next = buffers.toWrite(allocator);
    next.view().put((byte) 8);
    assertThat(next).isNotSameAs(onItsWay);
    assertThat(sent.readByte()).isEqualTo((byte) 7);
    sent.release();
    assertThat(buffers.toWrite(allocator)).isSameAs(onItsWay);
    release(List.of(onItsWay, next));
  }

  @Test
  void whatALongMessageHasOnItsWayIsReusedTogether() {
    List<WriteBuffer> all = write(LoopBuffers.WRITE_BUFFERS);
    release(all);
    assertThat(write(LoopBuffers.WRITE_BUFFERS)).containsExactlyInAnyOrderElementsOf(all);
    release(all);
  }

  @Test
  void ofBuffersThatAreNotFreedOnlyAFewAreKept() {
    List<ByteBuf> onTheirWay =
        write(LoopBuffers.WRITE_BUFFERS + 1).stream().map(WriteBuffer::filled).toList();
    onTheirWay.forEach(ByteBuf::release);
    assertThat(onTheirWay).extracting(ByteBuf::refCnt).containsExactly(0, 1, 1, 1, 1);
  }

  private static void release(List<WriteBuffer> written) {
    written.forEach(it -> it.filled().release());
  }

  private List<WriteBuffer> write(int count) {
    return Stream.generate(() -> buffers.toWrite(allocator)).limit(count).toList();
  }

  /** A buffer for whose views there is no memory. */
  private static final class Viewless extends UnpooledDirectByteBuf {
    Viewless() {
      super(UnpooledByteBufAllocator.DEFAULT, 1, 1);
    }

    @Override
    public ByteBuffer nioBuffer(int index, int length) {
      throw new OutOfMemoryError("no view");
    }
  }

  @Test
  void aBufferWithoutAViewIsReleased() {
    ByteBuf viewless = new Viewless();
    assertThatThrownBy(() -> WriteBuffer.of(viewless)).isInstanceOf(OutOfMemoryError.class);
    assertThat(viewless.refCnt()).isZero();
  }

  @Test
  void allIsReleasedWithTheThread() {
    ByteBuf read = buffers.toRead(allocator);
    read.release();
    ByteBuf written = buffers.toWrite(allocator).filled();
    written.release();
    FastThreadLocal.removeAll();
    assertThat(read.refCnt()).isZero();
    assertThat(written.refCnt()).isZero();
  }
}
