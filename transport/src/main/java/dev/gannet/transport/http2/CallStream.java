package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEventListener;
import org.jspecify.annotations.Nullable;

/**
 * One call on a connection: the part that is the same for client and server. It holds the call's
 * messages in both directions and its deadline's index in the heap, and passes events to the
 * engine.
 *
 * <p>Events are passed on as they come, and the engine is woken once at the end of the batch, if
 * the call was touched. Confined to the connection's loop.
 *
 * @param <O> the messages that are sent
 * @param <E> the listener of the call's events
 */
abstract class CallStream<O, E extends CallEventListener>
    implements Timed, TouchedCalls.Touched, ReceivingCall {
  final ConnectionParts parts;
  final OutgoingMessages<O> outgoing;
  final IncomingMessages incoming;
  private @Nullable E events;
  private boolean touched;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  CallStream(ConnectionParts parts, Marshaller<O> sent, Marshaller<?> received) {
    this.parts = parts;
    this.outgoing = new OutgoingMessages<>(sent, parts.sendQuota(), parts.http2());
    this.incoming = new IncomingMessages(received, this, parts.receiving());
  }

  /** Sets the listener of further events; before the first event comes, or later on the loop. */
  final void setListener(E events) {
    this.events = events;
  }

  /** The listener of events; null before {@link #setListener}. */
  final @Nullable E events() {
    return events;
  }

  @Override
  public final void add(CallEvent event) {
    if (events != null) {
      events.add(event);
      touch();
    }
  }

  @Override
  public final void touch() {
    if (!touched) {
      touched = true;
      parts.touched().add(this);
    }
  }

  @Override
  public final void flushEvents() {
    touched = false;
    if (events != null) {
      wake(events);
    }
  }

  /** Has the engine deliver the events. */
  void wake(E events) {
    events.flush();
  }

  @Override
  public final boolean isMessageRequested() {
    return events != null && events.isMessageRequested();
  }

  /** More may be sent again. */
  abstract void onReady();

  @Override
  public final int heapIndex() {
    return heapIndex;
  }

  @Override
  public final void setHeapIndex(int index) {
    heapIndex = index;
  }
}
