package dev.gannet.suites.storm;

import dev.gannet.suites.Side;

/**
 * A message of a storm. All its bytes can be computed from its four parts, so a reader can check
 * them.
 *
 * @param call the number of the call
 * @param from its sender
 * @param index its position among the messages of that end
 * @param bytes how many bytes follow the four parts; {@link #EMPTY} for a message without any byte
 */
record Load(int call, Side from, int index, int bytes) {
  /** The size of a message without content: only its length, 0, is on the wire. */
  static final int EMPTY = -1;

  /** Every empty message is the same. */
  static Load of(int call, Side from, int index, int bytes) {
    return bytes == EMPTY
        ? new Load(EMPTY, Side.CLIENT, EMPTY, EMPTY)
        : new Load(call, from, index, bytes);
  }
}
