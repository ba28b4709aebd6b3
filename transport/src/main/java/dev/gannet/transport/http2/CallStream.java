package dev.gannet.transport.http2;

import dev.gannet.api.Marshaller;
import dev.gannet.api.Status;
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
abstract class CallStream<O, E extends CallEventListener> implements Timed {
  final ConnectionLoop loop;
  final OutgoingMessages<O> outgoing;
  final IncomingMessages incoming;
  private @Nullable E events;
  private boolean touched;
  private int heapIndex = DeadlineHeap.OUTSIDE;

  CallStream(ConnectionLoop loop, Marshaller<O> sent, Marshaller<?> received) {
    this.loop = loop;
    this.outgoing = new OutgoingMessages<>(sent, loop);
    this.incoming = new IncomingMessages(received, this);
  }

  /** Sets the listener of events; before the first event comes. */
  final void setListener(E events) {
    this.events = events;
  }

  /** The listener of events; null before {@link #setListener}. */
  final @Nullable E events() {
    return events;
  }

  final void add(CallEvent event) {
    if (events != null) {
      events.add(event);
      touch();
    }
  }

  /** Has the engine woken at the end of the batch. */
  final void touch() {
    if (!touched) {
      touched = true;
      loop.touch(this);
    }
  }

  /** Wakes the engine at the end of the batch. */
  final void flushEvents() {
    touched = false;
    if (events != null) {
      wake(events);
    }
  }

  /** Has the engine deliver the events. */
  void wake(E events) {
    events.flush();
  }

  /** Whether the application waits for a message. */
  final boolean isMessageRequested() {
    return events != null && events.isMessageRequested();
  }

  /** More may be sent again. */
  abstract void onReady();

  /** Ends the call for what its peer leaves undone. */
  abstract void giveUp(Status why);

  @Override
  public final int heapIndex() {
    return heapIndex;
  }

  @Override
  public final void setHeapIndex(int index) {
    heapIndex = index;
  }
}
