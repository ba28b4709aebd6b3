package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.server.call.ForwardingServerStream;
import dev.gannet.transport.ServerStream;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The stream of an admitted call; it detects when the call ends: when its handler has answered, or
 * has returned from a cancelled call.
 *
 * <pre>
 *   OUTSIDE ──begin──► INSIDE ──answered, failed or returned──► LEFT
 * </pre>
 */
final class AdmittedStream<R> extends ForwardingServerStream<R> {
  private static final int OUTSIDE = 0;
  private static final int INSIDE = 1;
  private static final int LEFT = 2;

  private final SheddingMethod<?, R> method;
  private final AtomicInteger place = new AtomicInteger(OUTSIDE);
  private long beganNanos;

  AdmittedStream(ServerStream<R> stream, SheddingMethod<?, R> method) {
    super(stream);
    this.method = method;
  }

  /** The call was admitted; called before its handler starts. */
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
  public void close(Status status, Metadata trailers) {
    leave();
    super.close(status, trailers);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    leave();
    super.fail(status, trailers);
  }

  @Override
  public void handlerEnded() {
    leave();
    super.handlerEnded();
  }
}
