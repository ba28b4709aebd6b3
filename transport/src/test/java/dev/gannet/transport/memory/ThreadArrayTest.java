package dev.gannet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ThreadArrayTest {
  private final ThreadArray arrays = new ThreadArray();

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        1 << 10,
        (1 << 10) + 1,
        ThreadArray.MAX_KEPT_BYTES,
        2 * ThreadArray.MAX_KEPT_BYTES
      })
  void anArrayIsLongEnough(int bytes) {
    assertThat(arrays.ofAtLeast(bytes)).hasSizeGreaterThanOrEqualTo(bytes);
  }

  @Test
  void theNextUseGetsTheSameArray() {
    byte[] first = arrays.ofAtLeast(1000);

    assertThat(arrays.ofAtLeast(1)).isSameAs(first);
    assertThat(arrays.ofAtLeast(first.length)).isSameAs(first);
  }

  @Test
  void anArrayIsReplacedByALongerOne() {
    byte[] first = arrays.ofAtLeast(1);
    byte[] longer = arrays.ofAtLeast(first.length + 1);

    assertThat(arrays.ofAtLeast(1)).isSameAs(longer);
  }

  @Test
  void aVeryLongArrayIsNotKept() {
    byte[] kept = arrays.ofAtLeast(ThreadArray.MAX_KEPT_BYTES);
    byte[] first = arrays.ofAtLeast(ThreadArray.MAX_KEPT_BYTES + 1);

    assertThat(arrays.ofAtLeast(ThreadArray.MAX_KEPT_BYTES + 1)).isNotSameAs(first);
    assertThat(arrays.ofAtLeast(1)).isSameAs(kept);
  }

  @Test
  void anotherThreadGetsAnotherArray() throws InterruptedException {
    byte[] own = arrays.ofAtLeast(1);
    byte[][] other = new byte[1][];
    Thread thread = Thread.ofPlatform().start(() -> other[0] = arrays.ofAtLeast(1));
    thread.join();

    assertThat(other[0]).isNotSameAs(own);
  }
}
