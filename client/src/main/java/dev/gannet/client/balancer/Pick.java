package dev.gannet.client.balancer;

import dev.gannet.api.Status;

/** The decision of a {@link Picker} about one attempt of a call. There will be no further case. */
public sealed interface Pick {
  /**
   * Use this subchannel. If it has no connection any more, the call waits as with {@link #queue}.
   * The object may be used for any number of picks.
   */
  static Use use(Subchannel subchannel) {
    return new Use(subchannel);
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

  /** Use this subchannel. */
  final class Use implements Pick {
    private final Subchannel subchannel;

    private Use(Subchannel subchannel) {
      this.subchannel = subchannel;
    }

    /** The subchannel whose connection the call gets. */
    public Subchannel subchannel() {
      return subchannel;
    }

    @Override
    public String toString() {
      return "Use[" + subchannel + "]";
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
