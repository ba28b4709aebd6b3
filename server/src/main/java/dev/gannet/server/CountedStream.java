package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.server.ConnectionCounter.StatusIs;
import dev.gannet.transport.ServerStream;

/** The stream of a call whose messages and status are counted; as safe for threads as that is. */
final class CountedStream<R> extends ForwardingServerStream<R> {
  private final ConnectionCounter counter;
  private volatile StatusIs statusIs = StatusIs.ANOTHER;

  CountedStream(ServerStream<R> stream, ConnectionCounter counter) {
    super(stream);
    this.counter = counter;
  }

  /** What the handler has ended the call with, as far as it has. */
  StatusIs statusIs() {
    return statusIs;
  }

  @Override
  public void send(R message, MessageEncoding encoding, boolean compressed) {
    super.send(message, encoding, compressed);
    counter.onSent();
  }

  @Override
  public void close(Status status, Metadata trailers) {
    if (status.isOk()) {
      statusIs = StatusIs.OK;
    }
    super.close(status, trailers);
  }
}
