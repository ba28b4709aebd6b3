package dev.gannet.client.journal;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/** The last events of a channel or a subchannel; older ones are removed. All threads. */
public final class EventLog {
  private static final int MAX_EVENTS = 32;
  private static final int MAX_TOLD_CHARACTERS = 200;

  private final Instant created = Instant.now();
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Event> events = new ArrayDeque<>();
  private long logged;

  /** The importance of an event. */
  public enum Severity {
    INFO,
    WARNING,
    ERROR
  }

  /**
   * An event.
   *
   * @param time by the system clock
   * @param subchannelId the subchannel concerned, if the event belongs to a channel
   */
  public record Event(
      Instant time, Severity severity, String description, OptionalLong subchannelId) {}

  /**
   * What is kept at one moment.
   *
   * @param created when the log was created
   * @param logged the total number of events
   * @param events the last ones, oldest first
   */
  public record Kept(Instant created, long logged, List<Event> events) {
    public Kept {
      events = List.copyOf(events);
    }
  }

  public void add(Severity severity, String description) {
    add(severity, description, OptionalLong.empty());
  }

  /** Adds an event of a subchannel. */
  public void add(Severity severity, String description, OptionalLong subchannelId) {
    Event event = new Event(Instant.now(), severity, description, subchannelId);
    lock.lock();
    try {
      if (events.size() == MAX_EVENTS) {
        events.removeFirst();
      }
      events.addLast(event);
      logged++;
    } finally {
      lock.unlock();
    }
  }

  /** Adds what a policy or a resolver tells; a longer text than 200 characters is cut. */
  public void addTold(String source, String what) {
    add(Severity.INFO, source, what);
  }

  /** Adds an event with its details, which are cut if they have more than 200 characters. */
  public void add(Severity severity, String description, String details) {
    String text = details;
    if (details.length() > MAX_TOLD_CHARACTERS) {
      int last = MAX_TOLD_CHARACTERS - 1;
      boolean splits = Character.isHighSurrogate(details.charAt(last));
      text = details.substring(0, splits ? last : last + 1);
    }
    add(severity, description + ": " + text);
  }

  public Kept kept() {
    lock.lock();
    try {
      return new Kept(created, logged, List.copyOf(events));
    } finally {
      lock.unlock();
    }
  }
}
