package dev.gannet.transport.http2;

import dev.gannet.transport.RetryTarget;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a call has ordered, kept until its server says that it sees the call: where the server never
 * will, another connection sends it again (gRFC A6, transparent retries).
 *
 * <pre>
 *   KEPT ──too large, answered, over, moved──► GONE
 * </pre>
 *
 * <p>Kept are 1 MiB of a call and 16 MiB of a connection, as grpc-java does by default; what waits
 * for a stream is kept in any case. Confined to the connection's loop.
 */
final class ReplayBuffer {
  private static final int MAX_BYTES = 1 << 20;
  private static final long MAX_BYTES_OF_CONNECTION = 16L << 20;
  private static final int GONE = -1;

  private @Nullable ClientWriteCommand first;
  private @Nullable ArrayDeque<ClientWriteCommand> later;
  private int bytes; // or as many as this can count

  /** Takes in what is ordered next. */
  void add(ClientWriteCommand command, ConnectionMemory memory) {
    if (!isKept()) {
      return;
    }
    if (first == null) {
      first = command;
    } else {
      addLater(command);
    }
    int sum = (int) Math.min(Integer.MAX_VALUE, bytes + command.messageBytes());
    memory.changeUnseen(sum - bytes);
    bytes = sum;
  }

  private void addLater(ClientWriteCommand command) {
    if (later == null) {
      later = new ArrayDeque<>();
    }
    later.add(command);
  }

  /** Whether all of it is here. */
  boolean isKept() {
    return bytes != GONE;
  }

  boolean isTooLarge(ConnectionMemory memory) {
    return bytes > MAX_BYTES || memory.unseenBytes() > MAX_BYTES_OF_CONNECTION;
  }

  void forEach(Consumer<ClientWriteCommand> action) {
    if (first != null) {
      action.accept(first);
    }
    if (later != null) {
      later.forEach(action);
    }
  }

  /** The server sees the call, or the call is over: nothing of it will be sent again. */
  void letGo(ConnectionMemory memory) {
    if (isKept()) {
      forEach(ClientWriteCommand::giveBackWritten);
      forget(memory);
    }
  }

  /** Has all of it sent elsewhere, and keeps it no longer. */
  void moveTo(RetryTarget way, ConnectionMemory memory) {
    forEach(command -> way.send(command::playTo));
    forget(memory);
  }

  private void forget(ConnectionMemory memory) {
    memory.changeUnseen(-bytes);
    bytes = GONE;
    first = null;
    later = null;
  }
}
