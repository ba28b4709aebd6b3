package dev.gannet.transport.http2;

import dev.gannet.transport.CallEvent;
import dev.gannet.transport.CallEvents;
import org.jspecify.annotations.Nullable;

/**
 * The way of one call's events to its engine: they are handed on as they come, and the engine is
 * woken once at the end of the batch. Confined to the connection's loop.
 */
final class TouchedCall {
  private final ConnectionLoop loop;
  private @Nullable CallEvents events;
  private boolean touched;

  TouchedCall(ConnectionLoop loop) {
    this.loop = loop;
  }

  /** Says where events go; before the first one comes. */
  void leadTo(CallEvents events) {
    this.events = events;
  }

  void add(CallEvent event) {
    if (events != null) {
      events.add(event);
      touch();
    }
  }

  /** Has the engine woken at the end of the batch. */
  void touch() {
    if (!touched) {
      touched = true;
      loop.touch(this);
    }
  }

  /** Whether the application waits for a message. */
  boolean isMessageRequested() {
    return events != null && events.isMessageRequested();
  }

  void flush() {
    touched = false;
    if (events != null) {
      events.flush();
    }
  }
}
