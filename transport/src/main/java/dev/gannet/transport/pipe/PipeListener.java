package dev.gannet.transport.pipe;

import dev.gannet.http2.ErrorCode;
import java.nio.ByteBuffer;

/** What a pipe tells whoever drives it; on the pipe's loop. */
public interface PipeListener {
  /**
   * Bytes arrived; good during this call only. A pass shows little enough, a megabyte or so, that
   * others need not wait long.
   */
  void onBytes(ByteBuffer bytes);

  /** All that arrived in this pass was shown; now is the time to answer. */
  void onBatchEnd();

  /** The sink wants more again after it had enough. */
  void onWritable();

  /** A time that was asked for has come. */
  void onWake();

  /**
   * The peer has broken a rule of what lies below, such as TLS; nothing of what it sends is shown
   * any more. Whoever drives the pipe says goodbye and closes it.
   *
   * @param code for the GOAWAY
   * @param rule which one, in words for a log
   */
  default void onWireFault(ErrorCode code, String rule) {}

  /**
   * The pipe is closed, from whichever side. Told once and last; told again, after a while, where
   * it has thrown a {@link VirtualMachineError}: for want of memory, most likely.
   *
   * @param why words for a status, such as {@code connection reset by peer}
   */
  void onClosed(String why);
}
