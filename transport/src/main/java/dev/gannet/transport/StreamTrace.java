package dev.gannet.transport;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StreamTracer;
import java.util.List;
import java.util.function.Consumer;

/**
 * Passes events to the tracers of one stream: each event once and in order, and nothing after the
 * end. Only streams that are traced have one. Used by one thread at a time.
 *
 * @param <T> the tracers of that side
 */
public final class StreamTrace<T extends StreamTracer> {
  private final List<T> tracers;
  private int sent;
  private int received;
  private boolean ended;

  /** Creates the trace for those tracers; the list must not change. */
  public StreamTrace(List<T> tracers) {
    this.tracers = tracers;
  }

  /**
   * Tells each tracer of the event, unless the stream has ended. An exception of a tracer is
   * logged.
   */
  public void tell(Consumer<? super T> event) {
    if (!ended) {
      for (T tracer : tracers) {
        TracerFailures.guard(tracer, event);
      }
    }
  }

  /** A message is sent to the network; both sizes are those of {@link StreamTracer}. */
  public void onMessageSent(int wireBytes, int messageBytes) {
    int sequence = sent++;
    tell(tracer -> tracer.onMessageSent(sequence, wireBytes, messageBytes));
  }

  /** A message has arrived. */
  public void onMessageReceived(CallEvent.Message message) {
    int sequence = received++;
    int wireBytes = message.wireBytes();
    int messageBytes = message.messageBytes();
    tell(tracer -> tracer.onMessageReceived(sequence, wireBytes, messageBytes));
  }

  /** The stream has ended; only the first end is passed on. */
  public void onEnd(Status status, Metadata trailers) {
    tell(tracer -> tracer.onEnd(status, trailers));
    ended = true;
  }
}
