package dev.gannet.server;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerStream;
import java.util.Optional;

/** The stream of a call whose messages and status are counted; as safe for threads as that is. */
final class CountedStream<R> implements ServerStream<R> {
  private final ServerStream<R> stream;
  private final ConnectionCounter counter;
  private volatile Status.Code answered = Status.Code.UNKNOWN;

  CountedStream(ServerStream<R> stream, ConnectionCounter counter) {
    this.stream = stream;
    this.counter = counter;
  }

  ConnectionCounter counter() {
    return counter;
  }

  /** What the call was answered with, as far as it was. */
  Status.Code answered() {
    return answered;
  }

  @Override
  public void send(R message, MessageEncoding encoding, boolean compressed) {
    stream.send(message, encoding, compressed);
    counter.onSent();
  }

  @Override
  public void close(Status status, Metadata trailers) {
    answered = status.code();
    stream.close(status, trailers);
  }

  @Override
  public String authority() {
    return stream.authority();
  }

  @Override
  public Metadata headers() {
    return stream.headers();
  }

  @Override
  public Optional<Deadline> deadline() {
    return stream.deadline();
  }

  @Override
  public ConnectionInfo connection() {
    return stream.connection();
  }

  @Override
  public boolean accepts(MessageEncoding encoding) {
    return stream.accepts(encoding);
  }

  @Override
  public void sendHeaders(Metadata headers, MessageEncoding encoding) {
    stream.sendHeaders(headers, encoding);
  }

  @Override
  public void flush() {
    stream.flush();
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    answered = status.code();
    stream.fail(status, trailers);
  }

  @Override
  public void cancel(Status status) {
    stream.cancel(status);
  }

  @Override
  public boolean isReady() {
    return stream.isReady();
  }

  @Override
  public boolean isOnLoop() {
    return stream.isOnLoop();
  }

  @Override
  public void consumed(int heldBytes) {
    stream.consumed(heldBytes);
  }

  @Override
  public void requested() {
    stream.requested();
  }

  @Override
  public void handlerEnded() {
    stream.handlerEnded();
  }
}
