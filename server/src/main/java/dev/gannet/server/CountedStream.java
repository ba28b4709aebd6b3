package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.server.call.CallCounter;
import dev.gannet.server.call.ForwardingServerStream;
import dev.gannet.transport.ServerStream;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a call whose messages and status are counted; as thread-safe as the wrapped stream.
 */
final class CountedStream<R> extends ForwardingServerStream<R> {
  private static final AtomicIntegerFieldUpdater<CountedStream<?>> QUEUED = updater();

  private final ConnectionCounter counter;
  private final CallCounter ofMethod;
  private volatile Status.@Nullable Code answered;

  /** 1 until the handler starts or the call ends. */
  private volatile int queued = 1;

  CountedStream(ServerStream<R> stream, ConnectionCounter counter, CallCounter ofMethod) {
    super(stream);
    this.counter = counter;
    this.ofMethod = ofMethod;
  }

  ConnectionCounter counter() {
    return counter;
  }

  /** The status code of the response; {@code UNKNOWN} if there is none. */
  Status.Code answered() {
    Status.Code code = answered;
    return code == null ? Status.Code.UNKNOWN : code;
  }

  /** The transport sends the first response, and ignores others. */
  private void answer(Status.Code code) {
    if (answered == null) {
      answered = code;
    }
  }

  @Override
  public void handlerStarted() {
    leaveQueue();
    super.handlerStarted();
  }

  /** The handler starts, or the call ends: the first of both counts. */
  void leaveQueue() {
    if (queued == 1 && QUEUED.compareAndSet(this, 1, 0)) {
      counter.onLeftQueue(ofMethod);
    }
  }

  @Override
  public int send(R message, MessageEncoding encoding, boolean compressed, Flush flush) {
    int bytes = super.send(message, encoding, compressed, flush);
    counter.onSent(ofMethod, bytes);
    return bytes;
  }

  @Override
  public void close(Status status, Metadata trailers) {
    answer(status.code());
    super.close(status, trailers);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    answer(status.code());
    super.fail(status, trailers);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicIntegerFieldUpdater<CountedStream<?>> updater() {
    return (AtomicIntegerFieldUpdater)
        AtomicIntegerFieldUpdater.newUpdater(CountedStream.class, "queued");
  }
}
