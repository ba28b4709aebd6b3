package dev.gannet.transport.pipe;

import dev.gannet.http2.Violation;
import java.nio.ByteBuffer;

/**
 * Receives the events of a pipe, on the pipe's loop. After {@link #onBytes}, once or several times,
 * {@link #onBatchEnd} follows in the same pass. If a method throws, the pipe closes, and only
 * {@link #onClosed} follows.
 */
public interface PipeListener {
  /**
   * Bytes arrived; the buffer is valid only during this call. One pass delivers about a megabyte at
   * most, so that other pipes do not wait long.
   */
  void onBytes(ByteBuffer bytes);

  /** All that arrived in this pass was delivered; now is the time to answer. */
  void onBatchEnd();

  /** The sink accepts data again after it was full. */
  void onWritable();

  /** A time that was requested with {@code wakeAt} has come. */
  void onWake();

  /**
   * The peer has broken a rule of the layer below, such as TLS; nothing that it sends is delivered
   * any more. The listener must send a GOAWAY and close the pipe.
   *
   * @param violation has the code and the text for the GOAWAY
   */
  default void onWireFault(Violation violation) {}

  /**
   * The pipe was closed by either side. This is the last event. It is delivered again after a while
   * if the listener threw a {@link VirtualMachineError}, most likely because memory ran out.
   *
   * @param why a text for a status, such as {@code connection reset by peer}
   */
  void onClosed(String why);
}
