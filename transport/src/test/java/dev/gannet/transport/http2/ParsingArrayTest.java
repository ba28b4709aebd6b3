package dev.gannet.transport.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParsingArrayTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 1 << 10, (1 << 10) + 1, IncomingMessages.PARSED_ON_LOOP_BYTES})
  void bytesOutsideTheHeapAreGivenFromAnArray(int count) {
    ByteBuffer outside = ByteBuffer.allocateDirect(count + 2);
    for (int i = 0; i < outside.capacity(); i++) {
      outside.put(i, (byte) i);
    }
    outside.position(1).limit(count + 1);

    ByteBuffer onHeap = ParsingArray.onHeap(outside);

    assertThat(onHeap.hasArray()).isTrue();
    assertThat(onHeap).isEqualTo(outside);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1 << 10})
  void theNextMessageUsesTheSameArray(int count) {
    byte[] first = ParsingArray.onHeap(ByteBuffer.allocateDirect(1 << 10)).array();
    byte[] next = ParsingArray.onHeap(ByteBuffer.allocateDirect(count)).array();

    assertThat(next).isSameAs(first);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1 << 10})
  void bytesOfAnArrayAreNotCopied(int count) {
    ByteBuffer onHeap = ByteBuffer.allocate(count);

    assertThat(ParsingArray.onHeap(onHeap)).isSameAs(onHeap);
  }
}
