package dev.gannet.transport.http2;

import dev.gannet.transport.RetryTarget;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The write commands of a call, kept until its server has shown that it processes the call: if the
 * server never does, another connection sends them again (gRFC A6, transparent retries).
 *
 * <pre>
 *   KEPT ──too large, answered, over, moved──► GONE
 * </pre>
 *
 * <p>At most 1 MiB of a call and 16 MiB of a connection are kept, the defaults of grpc-java; what
 * waits for a stream is kept in any case. Confined to the connection's loop.
 */
final class ReplayBuffer {
  private static final int MAX_BYTES = 1 << 20;
  private static final long MAX_BYTES_OF_CONNECTION = 16L << 20;
  private static final int GONE = -1;

  private @Nullable ClientWriteCommand first;
  private @Nullable ArrayDeque<ClientWriteCommand> later;
  private int bytes; // or as many as the counter can hold

  /** Adds the next write command. */
  void add(ClientWriteCommand command, CallMemory memory) {
    if (!isKept()) {
      return;
    }
    if (first == null) {
      first = command;
    } else {
      addLater(command);
    }
    int sum = (int) Math.min(Integer.MAX_VALUE, bytes + command.messageBytes());
    memory.changeReplay(sum - bytes);
    bytes = sum;
  }

  private void addLater(ClientWriteCommand command) {
    if (later == null) {
      later = new ArrayDeque<>();
    }
    later.add(command);
  }

  /** Whether all commands are still kept. */
  boolean isKept() {
    return bytes != GONE;
  }

  boolean isTooLarge(CallMemory memory) {
    return bytes > MAX_BYTES || memory.replayBytes() > MAX_BYTES_OF_CONNECTION;
  }

  void forEach(Consumer<ClientWriteCommand> action) {
    if (first != null) {
      action.accept(first);
    }
    if (later != null) {
      later.forEach(action);
    }
  }

  /** The server processes the call, or the call has ended: nothing of it will be sent again. */
  void drop(CallMemory memory) {
    if (!isKept()) {
      return;
    }
    if (first != null) { // no lambda: each call passes here
      first.giveBackWritten();
    }
    if (later != null) {
      later.forEach(ClientWriteCommand::giveBackWritten);
    }
    forget(memory);
  }

  /** Sends all commands elsewhere, and keeps them no longer. */
  void moveTo(RetryTarget way, CallMemory memory) {
    forEach(command -> way.send(command::playTo));
    forget(memory);
  }

  private void forget(CallMemory memory) {
    memory.changeReplay(-bytes);
    bytes = GONE;
    first = null;
    later = null;
  }
}
