package dev.gannet.server;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.server.call.ForwardingServerStream;
import dev.gannet.transport.CallAdmission;
import dev.gannet.transport.ServerStream;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The stream of a call that an {@link Admission} lets in or refuses; it detects when the call ends:
 * when its handler has answered, or has returned from a cancelled call.
 *
 * <pre>
 *   no place yet ──admitted──► a place ──answered, failed or returned──► left
 * </pre>
 */
final class AdmittedStream<R> extends ForwardingServerStream<R> {
  private static final AtomicReferenceFieldUpdater<AdmittedStream<?>, Admission.@Nullable Place>
      PLACE = updater();

  private final Admission admission;

  /** Null before the call was let in and after it has left; it is let in only once. */
  private volatile Admission.@Nullable Place place;

  /** The deadline or the client has ended the call; its handler may not know yet. */
  private volatile boolean cutOff;

  AdmittedStream(ServerStream<R> stream, Admission admission) {
    super(stream);
    this.admission = admission;
  }

  @Override
  public CallAdmission admit() {
    if (super.admit() instanceof CallAdmission.Refused refused) {
      return refused;
    }
    return switch (admission.enter(deadline())) {
      case Admission.Place granted -> {
        place = granted;
        yield CallAdmission.ADMITTED;
      }
      case Admission.Refused refused -> refused.how();
    };
  }

  @Override
  public void cutOff() {
    cutOff = true;
    super.cutOff();
  }

  /** The call has ended for its admission; only its first end counts. */
  private void leave(Admission.Ending how) {
    if (place != null) {
      Admission.Place left = PLACE.getAndSet(this, null);
      if (left != null) {
        left.leave(cutOff ? Admission.Ending.CUT_OFF : how);
      }
    }
  }

  /** A handler may notice before the loop that the deadline has passed. */
  private static Admission.Ending endingWith(Status status) {
    return switch (status.code()) {
      case DEADLINE_EXCEEDED, CANCELLED -> Admission.Ending.CUT_OFF;
      default -> Admission.Ending.ANSWERED;
    };
  }

  @Override
  public void close(Status status, Metadata trailers) {
    leave(endingWith(status));
    super.close(status, trailers);
  }

  @Override
  public void fail(Status status, Metadata trailers) {
    leave(endingWith(status));
    super.fail(status, trailers);
  }

  @Override
  public void handlerEnded() {
    leave(Admission.Ending.CUT_OFF);
    super.handlerEnded();
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // a class literal has no type arguments
  private static AtomicReferenceFieldUpdater<AdmittedStream<?>, Admission.@Nullable Place>
      updater() {
    return (AtomicReferenceFieldUpdater)
        AtomicReferenceFieldUpdater.newUpdater(
            AdmittedStream.class, Admission.Place.class, "place");
  }
}
