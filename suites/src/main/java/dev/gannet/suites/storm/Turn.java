package dev.gannet.suites.storm;

import org.jspecify.annotations.Nullable;

/**
 * The events that one end of a call is told: one at a time, and none behind the last. What a
 * listener finds wrong is kept, because an engine may swallow what a listener throws.
 */
final class Turn {
  private final String name;
  private boolean inside;
  private int ends;
  private @Nullable AssertionError broken;

  Turn(String name) {
    this.name = name;
  }

  void take(Runnable event) {
    if (inside || ends > 0) {
      keep(new AssertionError(name + (inside ? " is told inside an event" : " is told too late")));
    }
    inside = true;
    try {
      event.run();
    } catch (AssertionError e) {
      keep(e);
    } finally {
      inside = false;
    }
  }

  /** The last event. */
  void takeLast(Runnable event) {
    take(event);
    ends++;
  }

  /** Keeps what is wrong, if it is the first. */
  void keep(AssertionError error) {
    if (broken == null) {
      broken = error;
    }
  }

  int ends() {
    return ends;
  }

  /** Throws the first thing that was wrong. */
  void check() {
    if (broken != null) {
      throw new AssertionError(name + ": " + broken.getMessage(), broken);
    }
  }
}
