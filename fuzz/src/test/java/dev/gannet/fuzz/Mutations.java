package dev.gannet.fuzz;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Inputs that differ a little from those of a corpus; always the same ones for one seed. */
final class Mutations {
  private static final int MAX_CHANGES = 4;
  private static final byte[] TELLING = {0, 1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 0x3f, 0x20};

  private final SplittableRandom random;
  private final List<byte[]> corpus;
  private final int maxBytes;

  Mutations(long seed, List<byte[]> corpus, int maxBytes) {
    this.random = new SplittableRandom(seed);
    this.corpus = corpus;
    this.maxBytes = maxBytes;
  }

  byte[] next() {
    byte[] input = any();
    int changes = 1 + random.nextInt(MAX_CHANGES);
    for (int i = 0; i < changes; i++) {
      input = changed(input);
    }
    return Arrays.copyOf(input, Math.min(input.length, maxBytes));
  }

  private byte[] any() {
    return corpus.get(random.nextInt(corpus.size())).clone();
  }

  private byte[] changed(byte[] input) {
    if (input.length == 0) {
      return any();
    }
    int at = random.nextInt(input.length);
    int bytes = 1 + random.nextInt(1 + random.nextInt(Math.min(64, input.length)));
    int end = Math.min(input.length, at + bytes);
    switch (random.nextInt(6)) {
      case 0 -> input[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      case 1 -> input[at] = TELLING[random.nextInt(TELLING.length)];
      case 2 -> input[at] += (byte) (random.nextInt(9) - 4);
      case 3 -> {
        return join(input, at, new byte[0], input, end);
      }
      case 4 -> {
        return join(input, end, Arrays.copyOfRange(input, at, end), input, end);
      }
      default -> {
        byte[] other = any();
        int from = other.length == 0 ? 0 : random.nextInt(other.length);
        return join(input, at, new byte[0], other, from);
      }
    }
    return input;
  }

  /** The beginning of one, what comes between, and the end of another. */
  private static byte[] join(byte[] front, int frontEnd, byte[] middle, byte[] back, int backFrom) {
    byte[] joined = Arrays.copyOf(front, frontEnd + middle.length + back.length - backFrom);
    System.arraycopy(middle, 0, joined, frontEnd, middle.length);
    System.arraycopy(back, backFrom, joined, frontEnd + middle.length, back.length - backFrom);
    return joined;
  }
}
