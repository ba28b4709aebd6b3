package dev.gannet.server;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.ConnectionInfo;
import dev.gannet.transport.ServerStream;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A call's stream that says when the call is over which was admitted: once its handler has
 * answered, or has come back from a call that was cancelled.
 *
 * <pre>
 *   OUTSIDE ──begin──► INSIDE ──answered, failed or come back──► LEFT
 * </pre>
 */
final class CountedStream<R> implements ServerStream<R> {
  private static final int OUTSIDE = 0;
  private static final int INSIDE = 1;
  private static final int LEFT = 2;

  private final ServerStream<R> stream;
  private final SheddingMethod<?, R> method;
  private final AtomicInteger place = new AtomicInteger(OUTSIDE);
  private long beganNanos;

  CountedStream(ServerStream<R> stream, SheddingMethod<?, R> method) {
    this.stream = stream;
    this.method = method;
  }

  /** The call was admitted; before its handler begins. */
  void begin(long nowNanos) {
    beganNanos = nowNanos;
    place.set(INSIDE);
  }

  private void leave() {
    if (place.compareAndSet(INSIDE, LEFT)) {
      method.leave(beganNanos);
    }
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
  public void send(R message, MessageEncoding encoding, boolean compressed) {
    stream.send(message, encoding, compressed);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    leave();
    stream.close(status, trailers);
  }

  @Override
  public void flush() {
    stream.flush();
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    leave();
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
    leave();
    stream.handlerEnded();
  }
}
