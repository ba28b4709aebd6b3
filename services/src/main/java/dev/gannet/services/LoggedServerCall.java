package dev.gannet.services;

import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.services.binarylog.v1.GrpcLogEntry.EventType;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A server's call that is written to a binary log. */
final class LoggedServerCall<Q, R> extends ForwardingServerCall<Q, R> {
  private final BinaryLogCall log;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean endedByServer;
  private boolean headersSent; // used by one thread at a time, like all sending methods

  LoggedServerCall(ServerCall<Q, R> call, BinaryLogCall log) {
    super(call);
    this.log = log;
  }

  /** The call begins: logs it, and starts its handler. */
  ServerCall.Listener<Q> start(Metadata headers, ServerCallHandler<Q, R> next) {
    log.clientHeader(
        method(),
        context().authority(),
        context().deadline(),
        headers,
        Optional.of(context().peer()));
    try {
      return new Hearing(next.startCall(this, headers));
    } catch (RuntimeException | Error e) {
      logFailure(e);
      throw e;
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    headersSent = true;
    log.serverHeader(headers, Optional.empty());
    super.sendHeaders(headers);
  }

  /** Headers that were not sent explicitly are sent before the first message, empty. */
  @Override
  public void sendMessage(R message) {
    if (!headersSent) {
      headersSent = true;
      log.serverHeader(new Metadata(), Optional.empty());
    }
    log.message(EventType.EVENT_TYPE_SERVER_MESSAGE, method().responseMarshaller(), message);
    super.sendMessage(message);
  }

  @Override
  public void close(Status status, Metadata trailers) {
    logEnd(status, trailers);
    super.close(status, trailers);
  }

  /** Logged as the trailer that the client gets, and not as a cancellation. */
  @Override
  public void end(Status status, Metadata trailers) {
    if (!status.isOk() && !isCancelled()) {
      endedByServer = true;
      logEnd(status, trailers);
    }
    super.end(status, trailers);
  }

  private void logEnd(Status status, Metadata trailers) {
    if (ended.compareAndSet(false, true)) {
      log.trailer(status, trailers, Optional.empty());
    }
  }

  /**
   * Logs the status that the server creates for an exception of a handler, unless {@link #close}
   * has said another.
   */
  private void logFailure(Throwable thrown) {
    StatusException end = StatusException.thrownByHandler(thrown);
    Metadata trailers = end.trailers().copy();
    trailers.mergeAbsent(context().responseTrailers());
    logEnd(end.status(), trailers);
  }

  private final class Hearing extends ForwardingServerCallListener<Q> {
    /** What an event has thrown: it may still pass close, with another status. */
    private @Nullable Throwable thrown;

    Hearing(ServerCall.Listener<Q> listener) {
      super(listener);
    }

    @Override
    public void onReady() {
      logged(super::onReady);
    }

    @Override
    public void onMessage(Q message) {
      log.message(EventType.EVENT_TYPE_CLIENT_MESSAGE, method().requestMarshaller(), message);
      logged(() -> super.onMessage(message));
    }

    @Override
    public void onHalfClose() {
      log.halfClose();
      logged(super::onHalfClose);
    }

    @Override
    public void onCancel() {
      logThrown();
      if (!endedByServer) {
        log.cancel();
      }
      super.onCancel();
    }

    @Override
    public void onComplete() {
      logThrown();
      super.onComplete();
    }

    private void logThrown() {
      if (thrown != null) {
        logFailure(thrown);
      }
    }

    private void logged(Runnable event) {
      try {
        event.run();
      } catch (RuntimeException | Error e) {
        thrown = e;
        throw e;
      }
    }
  }
}
