package dev.gannet.transport.http2;

import dev.gannet.api.Status;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;

/**
 * The calls whose engines are woken at the end of the batch. Calls that are touched meanwhile are
 * woken in the next round. Confined to the connection's loop.
 */
final class TouchedCalls {
  private static final Logger LOG = System.getLogger(TouchedCalls.class.getName());

  private static final Status INTERNAL_ERROR =
      Status.INTERNAL.withDescription(
          "internal error in Gannet, logged with its stack trace; please report it");

  /** A call that is woken. */
  interface Touched {
    /** Wakes the call's engine. */
    void flushEvents();

    /** Ends the call, which could not be woken. */
    void giveUp(Status why);
  }

  private ArrayList<Touched> touched = new ArrayList<>();
  private ArrayList<Touched> flushing = new ArrayList<>();

  /** Has the call woken at the end of the batch; once per batch, which the call ensures. */
  void add(Touched call) {
    touched.add(call);
  }

  boolean isEmpty() {
    return touched.isEmpty();
  }

  /** Wakes all calls that were touched until now. */
  void flush() {
    ArrayList<Touched> now = touched;
    touched = flushing;
    flushing = now;
    int begun = 0;
    try {
      while (begun < now.size()) {
        flushEvents(now.get(begun++));
      }
    } finally {
      if (begun
          < now.size()) { // what was thrown closes the connection, and all calls must learn of it
        touched.addAll(now.subList(begun, now.size()));
      }
      now.clear();
    }
  }

  /** What one call's engine throws must not close the connection for the other calls. */
  private static void flushEvents(Touched call) {
    try {
      call.flushEvents();
    } catch (Throwable e) {
      try {
        LOG.log(
            Level.ERROR,
            "ending a call because of an internal error in Gannet; please report it with this stack"
                + " trace",
            e);
      } finally {
        call.giveUp(INTERNAL_ERROR.withCause(e));
      }
    }
  }
}
