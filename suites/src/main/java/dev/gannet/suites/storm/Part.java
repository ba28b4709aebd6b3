package dev.gannet.suites.storm;

import dev.gannet.suites.Side;
import java.util.ArrayList;
import java.util.List;

/**
 * What one end of a call does by its plan.
 *
 * @param messages what it sends, unless the call ends before
 * @param reading how it requests the other end's messages
 * @param stopsAfter after how many messages it requests no more, if {@code reading} is {@code
 *     STOPPING}
 * @param polite whether it waits until it is ready to send
 */
record Part(List<Load> messages, Reading reading, int stopsAfter, boolean polite) {
  /** How messages are requested. */
  enum Reading {
    /** All at once, at the beginning. */
    EAGER,
    /** One at a time. */
    STEADY,
    /** One at a time, with pauses. */
    SLOW,
    /** One at a time, and not to the end. */
    STOPPING
  }

  private static final int MAX_MESSAGES = 6;
  private static final int MANY_MESSAGES = 40;
  private static final int SMALL_BYTES = 200;
  private static final int HEAVY_BYTES = 1 << 16;
  private static final int HUGE_BYTES = 1_200_000; // more than a stream's window

  static Part random(int call, Side side, boolean single, Odds odds) {
    boolean heavy = odds.oneIn(16);
    int count = single ? 1 : odds.below(odds.oneIn(20) ? MANY_MESSAGES : MAX_MESSAGES);
    List<Load> messages = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      messages.add(Load.of(call, side, i, bytes(heavy, odds)));
    }
    Reading reading =
        switch (odds.below(12)) {
          case 0, 1, 2 -> Reading.EAGER;
          case 3, 4 -> Reading.SLOW;
          case 5 -> Reading.STOPPING;
          default -> Reading.STEADY;
        };
    return new Part(messages, reading, odds.below(3), !odds.oneIn(3));
  }

  /**
   * The same, but it requests at least one message: a large only request that its handler never
   * requests stops all data of its connection (ADR 14, Price).
   */
  Part askingOnce() {
    return new Part(messages, reading, Math.max(1, stopsAfter), polite);
  }

  /** A short message in each direction, read at once. */
  static Part plain(int call, Side side) {
    return new Part(List.of(Load.of(call, side, 0, 1)), Reading.STEADY, 0, true);
  }

  private static int bytes(boolean heavy, Odds odds) {
    if (odds.oneIn(1500)) {
      return odds.below(HUGE_BYTES);
    }
    if (heavy) {
      return odds.below(HEAVY_BYTES);
    }
    return odds.oneIn(16) ? Load.EMPTY : odds.below(SMALL_BYTES);
  }

  /** Whether it has a message of 64 KiB or more, as the wire counts. */
  boolean isLong() {
    return messages.stream().anyMatch(it -> LoadMarshaller.sizeOf(it) >= HEAVY_BYTES);
  }

  boolean stopsReading() {
    return reading == Reading.STOPPING;
  }

  @Override
  public String toString() {
    int bytes = messages.stream().mapToInt(message -> Math.max(0, message.bytes())).sum();
    return "%d messages of %d bytes%s, reads %s"
        .formatted(messages.size(), bytes, polite ? "" : " carelessly", reading);
  }
}
