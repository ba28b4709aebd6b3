package dev.gannet.suites.storm;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Checks that the results of a storm's calls are among the allowed ones. */
final class CallChecks {
  /** How long after its deadline a call may end: its executor may be busy. */
  private static final long SLACK_NANOS = 2 * StormExecutor.MAX_WAIT_NANOS;

  private final BooleanSupplier calm;
  private final boolean handlersRefused;
  private final List<ManagedChannel> stopped = new ArrayList<>();

  /**
   * Checks for one storm.
   *
   * @param calm whether nothing ends a call but its own two ends
   * @param handlersRefused whether servers may get no thread for a handler
   */
  CallChecks(BooleanSupplier calm, boolean handlersRefused) {
    this.calm = calm;
    this.handlersRefused = handlersRefused;
  }

  /** A channel was shut down in the storm. */
  void expectsTermination(ManagedChannel channel) {
    stopped.add(channel);
  }

  void checkEnded(StormCall call) {
    Invariant.holds(call.status().isPresent(), () -> call + " does not end");
  }

  /** Checks a call of the storm, after its end. */
  void check(StormCall call) {
    call.checkEvents();
    checkEnded(call);
    call.handlers().forEach(handler -> checkHandler(call, handler));
    checkDeadline(call);
    Invariant.holds(
        !call.isServedTooEarly()
            || call.hasReceiveTimeout() // it may not have seen what its server said
            || handlersRefused
            || !calm.getAsBoolean(),
        () -> call + " was served again despite a pushback");
    Status status = call.status().orElseThrow();
    boolean allowed = isAllowed(call, status);
    Invariant.holds(allowed, () -> call + " must not end with " + status);
    if (status.isOk()) {
      checkSuccess(call);
    }
  }

  /** Checks a call that was made after the storm. */
  void checkPlain(StormCall call) {
    check(call);
    Status status = call.status().orElseThrow();
    Invariant.holds(
        status.isOk() || handlersRefused, () -> "after the storm, a call ends with " + status);
  }

  private void checkDeadline(StormCall call) {
    if (call.plan().deadlineNanos().isEmpty()) {
      return;
    }
    long late =
        call.endedAtNanos() - call.startedAtNanos() - call.plan().deadlineNanos().getAsLong();
    Invariant.holds(late <= SLACK_NANOS, () -> call + " ends " + late + " ns behind its deadline");
    Status status = call.status().orElseThrow();
    if (status.code() == Status.Code.DEADLINE_EXCEEDED && !isUnanswered(call, status)) {
      Invariant.holds(late >= 0, () -> call + " ends " + -late + " ns before its deadline by it");
    }
  }

  private boolean isAllowed(StormCall call, Status status) {
    CallPlan plan = call.plan();
    Status.Code code = status.code();
    boolean asPlanned = code == plan.endCode() || (code == Status.Code.OK && endsWellToo(plan));
    if (asPlanned) {
      return true;
    }
    return switch (code) {
      case CANCELLED -> call.isGivenUp() || call.mayBeRefusedByItsExecutor();
      case RESOURCE_EXHAUSTED -> handlersRefused || isOverRetryBuffer(plan, status);
      case DEADLINE_EXCEEDED -> plan.deadlineNanos().isPresent() || isUnanswered(call, status);
      case UNAVAILABLE -> !calm.getAsBoolean() || isOverLimit(status);
      default -> false;
    };
  }

  /** The response to an attempt has not begun in the time that it has. */
  private static boolean isUnanswered(StormCall call, Status status) {
    return call.hasReceiveTimeout()
        && status.description().orElse("").startsWith("no part of a response");
  }

  /** A handler that throws at the first message ends normally if no message comes. */
  private static boolean endsWellToo(CallPlan plan) {
    return plan.ending() == CallPlan.Ending.THROWN_AT_MESSAGE;
  }

  /**
   * A server over its limit of calls returns this status: handlers of cancelled calls count, too.
   */
  private static boolean isOverLimit(Status status) {
    return status.description().orElse("").contains("REFUSED_STREAM");
  }

  /** A client that sends without being asked may exceed what is kept while no attempt runs. */
  private static boolean isOverRetryBuffer(CallPlan plan, Status status) {
    return !plan.client().polite()
        && status.description().orElse("").contains("retryBufferBytesPerCall");
  }

  private void checkSuccess(StormCall call) {
    Invariant.holds(call.hasAllResponses(), () -> call + " ended well without all its responses");
    List<StormHandler> completed =
        call.handlers().stream().filter(StormHandler::isCompleted).toList();
    Invariant.holds(
        !completed.isEmpty() || handlersRefused,
        () -> call + " ended well, but its handler was cancelled");
    boolean readsAll =
        call.plan().answering() == CallPlan.Answering.BEHIND_REQUESTS
            || call.plan().answering() == CallPlan.Answering.LATE;
    Invariant.holds(
        !readsAll || call.handlers().stream().anyMatch(StormHandler::hasAllRequests),
        () -> call + " ended well, but its handler has not seen all requests");
  }

  private void checkHandler(StormCall call, StormHandler handler) {
    boolean ended = handler.isCompleted() || handler.isCancelled();
    boolean neverListened = call.plan().ending() == CallPlan.Ending.THROWN_AT_START;
    Invariant.holds(
        ended != neverListened || handlersRefused,
        () -> "the handler of " + call + (ended ? " listens though it threw" : " was not told"));
  }

  /** Everything was shut down. */
  void checkTerminated(List<ManagedChannel> channels, List<Server> servers) {
    stopped.addAll(channels);
    Invariant.holds(
        stopped.stream().allMatch(ManagedChannel::isTerminated), () -> "a channel lives on");
    Invariant.holds(servers.stream().allMatch(Server::isTerminated), () -> "a server lives on");
  }
}
