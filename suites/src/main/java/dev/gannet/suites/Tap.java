package dev.gannet.suites;

import java.nio.ByteBuffer;

/**
 * Observes what is sent over the wires of a {@link SimulatedNetwork}, at both ends of each. Called
 * on the loop, before the pipe's listener.
 *
 * <p>Buffers are valid only during the call and must not be changed; reading from them is harmless.
 */
public interface Tap {
  /** Bytes were sent by that end. */
  void onSent(SimulatedConnection connection, Side from, ByteBuffer bytes);

  /** Bytes reach that end, and are about to be passed to its program. */
  void onArriving(SimulatedConnection connection, Side to, ByteBuffer bytes);

  /** One end was closed, for whatever reason. */
  void onClosed(SimulatedConnection connection, Side end);
}
