package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.server.call.ForwardingServerStream;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerStream;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The stream of a call that load shedding admits or refuses; it detects when the call ends: when
 * its handler has answered, or has returned from a cancelled call.
 *
 * <pre>
 *   OUTSIDE ──admitted──► INSIDE ──answered, failed or returned──► LEFT
 * </pre>
 */
final class AdmittedStream<R> extends ForwardingServerStream<R> {
  private enum Place {
    OUTSIDE,
    INSIDE,
    LEFT
  }

  private final SheddingMethod<?, R> method;
  private final AtomicReference<Place> place = new AtomicReference<>(Place.OUTSIDE);
  private long beganNanos;
  private boolean probe;

  /** The deadline or the client has ended the call; its handler may not know yet. */
  private volatile boolean cutOff;

  AdmittedStream(ServerStream<R> stream, SheddingMethod<?, R> method) {
    super(stream);
    this.method = method;
  }

  @Override
  public CallAdmission admit() {
    if (super.admit() instanceof CallAdmission.Refused refused) {
      return refused;
    }
    return switch (method.enter(deadline())) {
      case LoadShedder.Admission.Granted granted -> {
        beganNanos = method.now();
        probe = granted.probe();
        place.set(Place.INSIDE);
        yield CallAdmission.ADMITTED;
      }
      case LoadShedder.Admission.Refused refused -> refused.how();
    };
  }

  @Override
  public void cutOff() {
    cutOff = true;
    super.cutOff();
  }

  /** The call has ended for load shedding; only its first end counts. */
  private void reportEnd(AdaptiveLimit.CallEnding how) {
    if (place.compareAndSet(Place.INSIDE, Place.LEFT)) {
      method.leave(beganNanos, cutOff ? AdaptiveLimit.CallEnding.CUT_OFF : how);
    }
  }

  /** A handler may notice before the loop that the deadline has passed. */
  private AdaptiveLimit.CallEnding endingWith(Status status) {
    return switch (status.code()) {
      case DEADLINE_EXCEEDED, CANCELLED -> AdaptiveLimit.CallEnding.CUT_OFF;
      default ->
          probe ? AdaptiveLimit.CallEnding.PROBE_ANSWERED : AdaptiveLimit.CallEnding.ANSWERED;
    };
  }

  @Override
  public void close(Status status, Metadata trailers) {
    reportEnd(endingWith(status));
    super.close(status, trailers);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    reportEnd(endingWith(status));
    super.fail(status, trailers);
  }

  @Override
  public void handlerEnded() {
    reportEnd(AdaptiveLimit.CallEnding.CUT_OFF);
    super.handlerEnded();
  }
}
