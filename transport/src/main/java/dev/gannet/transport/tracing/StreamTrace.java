package dev.gannet.transport.tracing;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StreamTracer;
import dev.gannet.transport.CallEvent;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Passes events to the tracers of one stream: each event once and in order, and nothing after the
 * end. Only streams that are traced have one. Used by one thread at a time.
 *
 * @param <T> the tracers of that side
 */
public class StreamTrace<T extends StreamTracer> {
  private final T[] tracers;
  private int sent;
  private int received;
  private boolean ended;

  /** Creates the trace for those tracers; the array must not change. */
  public StreamTrace(T[] tracers) {
    this.tracers = tracers;
  }

  /**
   * Reports the event to each tracer, unless the stream has ended. An exception of a tracer is
   * logged.
   */
  public final void report(Consumer<? super T> event) {
    for (int i = 0; i < count(); i++) {
      TracerFailures.guard(tracers[i], event);
    }
  }

  /** As {@link #report(Consumer)}, with a value for each tracer. */
  public final <V> void report(BiConsumer<? super T, ? super V> event, V value) {
    for (int i = 0; i < count(); i++) {
      try {
        event.accept(tracers[i], value);
      } catch (Throwable e) {
        TracerFailures.log(tracers[i], e);
      }
    }
  }

  /**
   * The number of tracers that are notified of events. The loops here make no object for an event.
   */
  private int count() {
    return ended ? 0 : tracers.length;
  }

  /** Headers of this side go to the network. */
  public final void onHeadersSent(Metadata headers) {
    for (int i = 0; i < count(); i++) {
      try {
        tracers[i].onHeadersSent(headers);
      } catch (Throwable e) {
        TracerFailures.log(tracers[i], e);
      }
    }
  }

  /** A message is sent to the network; both sizes are those of {@link StreamTracer}. */
  public final void onMessageSent(int wireBytes, int messageBytes) {
    int sequence = sent++;
    for (int i = 0; i < count(); i++) {
      try {
        tracers[i].onMessageSent(sequence, wireBytes, messageBytes);
      } catch (Throwable e) {
        TracerFailures.log(tracers[i], e);
      }
    }
  }

  /** A message has arrived. */
  public final void onMessageReceived(CallEvent.Message message) {
    int sequence = received++;
    int wireBytes = message.wireBytes();
    int messageBytes = message.messageBytes();
    for (int i = 0; i < count(); i++) {
      try {
        tracers[i].onMessageReceived(sequence, wireBytes, messageBytes);
      } catch (Throwable e) {
        TracerFailures.log(tracers[i], e);
      }
    }
  }

  /** The stream has ended; only the first end is passed on. */
  public final void onEnd(Status status, Metadata trailers) {
    for (int i = 0; i < count(); i++) {
      try {
        tracers[i].onEnd(status, trailers);
      } catch (Throwable e) {
        TracerFailures.log(tracers[i], e);
      }
    }
    ended = true;
  }
}
