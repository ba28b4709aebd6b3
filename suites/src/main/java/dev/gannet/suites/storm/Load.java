package dev.gannet.suites.storm;

import dev.gannet.suites.Side;

/**
 * A message of a storm. All its bytes follow from its four parts, so whoever reads it knows whether
 * they are right.
 *
 * @param call the number of the call
 * @param from who sends it
 * @param index its place among the messages of that end
 * @param bytes how many bytes follow behind the four parts; {@link #EMPTY} for a message without
 *     any byte at all
 */
record Load(int call, Side from, int index, int bytes) {
  /** The size of a message of which nothing is on the wire but its length, 0. */
  static final int EMPTY = -1;

  /** Every empty message is the same. */
  static Load of(int call, Side from, int index, int bytes) {
    return bytes == EMPTY
        ? new Load(EMPTY, Side.CLIENT, EMPTY, EMPTY)
        : new Load(call, from, index, bytes);
  }
}
