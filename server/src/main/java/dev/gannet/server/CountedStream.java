package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.ServerStream;

/**
 * The stream of a call whose messages and status are counted; as thread-safe as the wrapped stream.
 */
final class CountedStream<R> extends ForwardingServerStream<R> {
  private final ConnectionCounter counter;
  private final MethodCounter ofMethod;
  private volatile Status.Code answered = Status.Code.UNKNOWN;

  CountedStream(ServerStream<R> stream, ConnectionCounter counter, MethodCounter ofMethod) {
    super(stream);
    this.counter = counter;
    this.ofMethod = ofMethod;
  }

  ConnectionCounter counter() {
    return counter;
  }

  /** The status code of the response, if there is one. */
  Status.Code answered() {
    return answered;
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed) {
    int bytes = super.send(message, encoding, compressed);
    counter.onSent(ofMethod, bytes);
    return bytes;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    answered = status.code();
    super.close(status, trailers);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    answered = status.code();
    super.fail(status, trailers);
  }
}
