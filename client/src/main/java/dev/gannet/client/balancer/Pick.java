package dev.gannet.client.balancer;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.Objects;
import java.util.Optional;

/** The decision of a {@link Picker} about one attempt of a call. There will be no further case. */
public sealed interface Pick {
  /**
   * Use this subchannel. If it has no connection any more, the call waits as with {@link #queue}.
   * The object may be used for any number of picks: a picker that makes it when it is made itself
   * allocates nothing for a call.
   */
  static Use use(Subchannel subchannel) {
    return new Use(
        Objects.requireNonNull(subchannel, "subchannel"),
        Use.NO_HEADERS,
        CallTracker.NONE,
        Optional.empty());
  }

  /** Fails the call; a wait-for-ready call waits for the next picker instead. */
  static Fail fail(Status why) {
    return new Fail(checked(why));
  }

  /** Fails the call, even if it is wait-for-ready. */
  static Drop drop(Status why) {
    return new Drop(checked(why));
  }

  /** The call waits for the next picker. */
  static Queue queue() {
    return Queue.QUEUED;
  }

  private static Status checked(Status why) {
    if (why.isOk()) {
      throw new IllegalArgumentException("a pick that fails needs a status other than OK");
    }
    return why;
  }

  /**
   * Use this subchannel, and what the attempt gets besides. That holds for this attempt alone: a
   * retry, a hedge or a transparent retry has its own pick. Immutable: each {@code with} method
   * returns another object.
   */
  final class Use implements Pick {
    /** Not changed. */
    private static final Metadata NO_HEADERS = new Metadata();

    private final Subchannel subchannel;

    /** Not changed. */
    private final Metadata headers;

    private final CallTracker callTracker;
    private final Optional<String> authority;

    private Use(
        Subchannel subchannel,
        Metadata headers,
        CallTracker callTracker,
        Optional<String> authority) {
      this.subchannel = subchannel;
      this.headers = headers;
      this.callTracker = callTracker;
      this.authority = authority;
    }

    /**
     * The attempt sends this header, too, such as what a control plane has said about the server.
     * It replaces the call's own fields of this name, and earlier ones of this pick.
     */
    public <T> Use withHeader(Metadata.Key<T> key, T value) {
      Metadata one = new Metadata();
      one.add(key, value);
      return withHeaders(one);
    }

    /**
     * The attempt sends these headers, too. They replace the call's own fields of the same names,
     * and earlier ones of this pick. Tracers see them; call credentials add theirs afterwards.
     *
     * @param more copied
     */
    public Use withHeaders(Metadata more) {
      Metadata all = headers.copy();
      all.mergeReplacing(more);
      return new Use(subchannel, all, callTracker, authority);
    }

    /**
     * Observes the attempt, in place of the previous tracker of this pick, and in addition to that
     * of the {@linkplain SubchannelOptions#withCallTracker subchannel}. {@link CallTracker#both}
     * adds another one. If the attempt does not begin, because the subchannel has no connection, it
     * is not notified.
     */
    public Use withCallTracker(CallTracker tracker) {
      return new Use(subchannel, headers, Objects.requireNonNull(tracker, "tracker"), authority);
    }

    /**
     * The attempt sends this {@code :authority} in place of the endpoint's or the channel's (gRFC
     * A81), unless the call's own options have one. On a connection with TLS the server's
     * certificate has to name it; otherwise the attempt fails with {@code UNAVAILABLE}.
     *
     * @throws IllegalArgumentException as {@code CallOptions.withAuthority}
     */
    public Use withAuthority(String authority) {
      return new Use(
          subchannel,
          headers,
          callTracker,
          CallOptions.DEFAULT.withAuthority(authority).authority());
    }

    /** The subchannel whose connection the call gets. */
    public Subchannel subchannel() {
      return subchannel;
    }

    /** The headers that this pick adds; a copy, which belongs to the caller. */
    public Metadata headers() {
      return headers.copy();
    }

    /** Whether this pick adds headers; unlike {@link #headers}, it creates no object. */
    public boolean hasHeaders() {
      return !headers.isEmpty();
    }

    /** Observes the attempt; {@link CallTracker#NONE} if this pick adds no tracker. */
    public CallTracker callTracker() {
      return callTracker;
    }

    /** The {@code :authority} of a call without its own; empty if this pick does not set it. */
    public Optional<String> authority() {
      return authority;
    }

    @Override
    public String toString() {
      return "Use["
          + subchannel
          + authority.map(it -> " as " + it).orElse("")
          + (headers.isEmpty() ? "" : " with headers " + headers)
          + "]";
    }
  }

  /** Fail the call, unless it is wait-for-ready. */
  final class Fail implements Pick {
    private final Status why;

    private Fail(Status why) {
      this.why = why;
    }

    /** The status with which the call ends; never OK. */
    public Status why() {
      return why;
    }

    @Override
    public String toString() {
      return "Fail[" + why + "]";
    }
  }

  /** Fail the call in any case. */
  final class Drop implements Pick {
    private final Status why;

    private Drop(Status why) {
      this.why = why;
    }

    /** The status with which the call ends; never OK. */
    public Status why() {
      return why;
    }

    @Override
    public String toString() {
      return "Drop[" + why + "]";
    }
  }

  /** The call waits for the next picker. */
  final class Queue implements Pick {
    private static final Queue QUEUED = new Queue();

    private Queue() {}

    @Override
    public String toString() {
      return "Queue";
    }
  }
}
