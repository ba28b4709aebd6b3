package dev.gannet.transport.settings;

import dev.gannet.api.Deadline;
import dev.gannet.api.Status;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Until when a server serves a call, and who has set that: the client by its deadline, or the
 * server by its {@link CallBounds}, whichever is earlier. All transports end late calls by it:
 *
 * <pre>
 *   set by        the status is sent
 *   the client    at once, in place of what is queued
 *   the server    behind what is queued; if that still waits 10 s later, in place of it
 * </pre>
 *
 * <p>A status that is content (as in gRPC-Web) and waits for a window is given up after the same 10
 * s.
 *
 * <p>A client that has not set the deadline does not know when it passes; so it has some time to
 * read what the server has sent before. Immutable; all calls without a deadline share {@link
 * #NONE}.
 */
public final class ServerDeadline {
  /** What has set the deadline, with the description of the status of a late call. */
  enum Setter {
    NOBODY(""),
    CLIENT("deadline exceeded (set by the client)"),
    MAX_CALL_DURATION("the server's maxCallDuration is exceeded"),
    DEFAULT_CALL_DURATION(
        "the server's defaultCallDuration is exceeded, and the client has set no deadline");

    private final String late;

    Setter(String late) {
      this.late = late;
    }
  }

  /** How long what is queued has after a deadline that the server has set. */
  private static final long GRACE_NANOS = Duration.ofSeconds(10).toNanos();

  /** The call may last forever. */
  public static final ServerDeadline NONE = new ServerDeadline(null, Setter.NOBODY, false);

  private final @Nullable Deadline deadline;
  private final Setter setter;
  private final boolean inGrace;

  private ServerDeadline(@Nullable Deadline deadline, Setter setter, boolean inGrace) {
    this.deadline = deadline;
    this.setter = setter;
    this.inGrace = inGrace;
  }

  static ServerDeadline of(Deadline deadline, Setter setter) {
    return new ServerDeadline(deadline, setter, false);
  }

  /** Whether there is a deadline. */
  public boolean isSet() {
    return deadline != null;
  }

  /** Whether the client has set the deadline, and so knows it. */
  public boolean isClients() {
    return setter == Setter.CLIENT;
  }

  /** The deadline as the handler sees it; it does not include the grace. */
  public Optional<Deadline> deadline() {
    return Optional.ofNullable(deadline);
  }

  /** The time until the deadline that the client has set; empty if another one, or none, holds. */
  public OptionalLong clientsRemainingNanos() {
    return isClients() ? OptionalLong.of(remainingNanos()) : OptionalLong.empty();
  }

  /** The status of the call if it is late. */
  public Status lateStatus() {
    return Status.DEADLINE_EXCEEDED.withDescription(setter.late);
  }

  /** Whether the status of the late call replaces what is queued, instead of following it. */
  public boolean endsAtOnce() {
    return inGrace || isClients();
  }

  /** What follows a deadline that does not end the call at once: the end of the grace. */
  public ServerDeadline withGrace() {
    return new ServerDeadline(deadline, setter, true);
  }

  /**
   * When the call is to be ended, by the deadline's clock.
   *
   * @throws IllegalStateException if there is no deadline
   */
  public long endNanos() {
    return set().atNanos() + graceNanos();
  }

  /**
   * The time until {@link #endNanos}; negative once it has passed.
   *
   * @throws IllegalStateException if there is no deadline
   */
  public long remainingNanos() {
    return set().remainingNanos() + graceNanos();
  }

  private long graceNanos() {
    return inGrace ? GRACE_NANOS : 0;
  }

  private Deadline set() {
    if (deadline == null) {
      throw new IllegalStateException("the call has no deadline");
    }
    return deadline;
  }
}
