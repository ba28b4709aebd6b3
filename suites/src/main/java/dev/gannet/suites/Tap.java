package dev.gannet.suites;

import java.nio.ByteBuffer;

/**
 * Somebody who looks on at what goes over the wires of a {@link SimulatedNetwork}, at both ends of
 * each. Told on the loop, before whoever drives the pipe is told.
 *
 * <p>Buffers are good during the call only and are not to be changed; reading on in them does no
 * harm.
 */
public interface Tap {
  /** Bytes left that end. */
  void onSent(SimulatedConnection connection, Side from, ByteBuffer bytes);

  /** Bytes reach that end, and its program is about to see them. */
  void onArriving(SimulatedConnection connection, Side to, ByteBuffer bytes);

  /** One end is closed, for whatever reason. */
  void onClosed(SimulatedConnection connection, Side end);
}
