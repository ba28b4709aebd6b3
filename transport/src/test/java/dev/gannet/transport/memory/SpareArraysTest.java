package dev.gannet.transport.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large arrays are used again, and never by two at once. */
final class SpareArraysTest {
  private static final int MIB = 1 << 20;

  private final SpareArrays spares = new SpareArrays(16 * MIB);

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 32_767, 32_768, 32_769, 40_961, 65_536, MIB - 1, MIB, MIB + 5, 8 << 20})
  void anArrayIsLongEnoughAndHardlyLonger(int bytes) {
    byte[] array = spares.take(bytes);
    assertThat(array.length).isBetween(bytes, bytes + bytes / 4 + 1);
    spares.give(array);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 32_767, 33_023, (8 << 20) + 257})
  void smallAndVeryLargeOnesAreExact(int bytes) {
    assertThat(spares.take(bytes)).hasSize(bytes);
  }

  @Test
  void arraysOfEverySizeAreAtMostAQuarterTooLong() {
    for (int bytes = SpareArrays.SMALLEST_BYTES; bytes <= 8 << 20; bytes += 1021) {
      byte[] array = spares.take(bytes);
      assertThat(array.length).isBetween(bytes, bytes + bytes / 4 + 1);
      spares.give(array);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {64 << 10, MIB, 4 * MIB})
  void aFrameWithAPowerOfTwoPayloadWastesLittle(int payloadBytes) {
    assertThat(spares.take(payloadBytes + 30).length).isLessThan(payloadBytes + 300);
  }

  @Test
  void aGivenArrayIsTakenOnce() {
    byte[] given = spares.take(100_000);
    spares.give(given);
    Set<byte[]> taken = Collections.newSetFromMap(new IdentityHashMap<>());
    for (int i = 0; i < 20; i++) {
      taken.add(spares.take(100_000));
    }
    assertThat(taken).hasSize(20).contains(given);
  }

  @Test
  void thePreferredSizeIsUsedIfThePoolHasSuchAnArray() {
    byte[] given = spares.take(MIB);
    spares.give(given);
    assertThat(spares.take(40_000, MIB)).isSameAs(given);
    assertThat(spares.take(40_000, MIB).length).isBetween(40_000, 50_001);
  }

  @ParameterizedTest
  @ValueSource(ints = {33_023, (8 << 20) + 257})
  void aPreferredSizeThatIsNotPooledIsIgnored(int wishedBytes) {
    assertThat(spares.take(20_000, wishedBytes)).hasSize(20_000);
  }

  @Test
  void thePoolKeepsAtMostAPartOfTheHeap() {
    List<byte[]> arrays = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      arrays.add(spares.take(4 * MIB));
    }
    arrays.forEach(spares::give);
    Set<byte[]> before = Collections.newSetFromMap(new IdentityHashMap<>());
    before.addAll(arrays);
    int again = 0;
    for (int i = 0; i < 40; i++) {
      again += before.contains(spares.take(4 * MIB)) ? 1 : 0;
    }
    assertThat(again).isBetween(1, 4);
  }

  @Test
  void arraysOfOtherLengthsAreNotPooled() {
    byte[] other = new byte[100_001];
    spares.give(other);
    for (int i = 0; i < 20; i++) {
      assertThat(spares.take(100_001)).isNotSameAs(other);
    }
  }

  @Test
  void manyThreadsNeverShareAnArray() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<String> faults = Collections.synchronizedList(new ArrayList<>());
    for (int t = 0; t < 4; t++) {
      byte mark = (byte) t;
      threads.add(Thread.ofPlatform().start(() -> borrow(mark, faults)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(faults).isEmpty();
  }

  private void borrow(byte mark, List<String> faults) {
    for (int i = 0; i < 20_000; i++) {
      byte[] array = spares.take(40_000);
      array[0] = mark;
      array[39_999] = mark;
      Thread.onSpinWait();
      if (array[0] != mark || array[39_999] != mark) {
        faults.add("round " + i + " of " + mark);
      }
      spares.give(array);
    }
  }
}
