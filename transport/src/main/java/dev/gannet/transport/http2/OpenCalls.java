package dev.gannet.transport.http2;

import dev.gannet.http2.connection.Http2Connection;
import java.util.function.Consumer;

/**
 * The calls of one connection that have a stream. The actions may end some of them. Confined to the
 * connection's loop.
 */
final class OpenCalls implements ReceiveAccounting.Holders {
  private final Http2Connection connection;

  OpenCalls(Http2Connection connection) {
    this.connection = connection;
  }

  /** Passes all calls of that kind to the action. */
  <C> void forEach(Class<C> kind, Consumer<? super C> action) {
    connection.forEachStream(stream -> {
      if (kind.isInstance(stream.attachment())) {
        action.accept(kind.cast(stream.attachment()));
      }
    });
  }

  @Override
  public void forEach(Consumer<? super HeldMessages> action) {
    connection.forEachStream(stream -> {
      if (stream.attachment() instanceof CallStream<?, ?> call) {
        action.accept(call.incoming);
      }
    });
  }
}
