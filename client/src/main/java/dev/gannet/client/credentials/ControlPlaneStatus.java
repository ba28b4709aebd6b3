package dev.gannet.client.credentials;

import dev.gannet.api.Status;

/**
 * Statuses that do not come from a server but from what decides about calls in the client:
 * policies, resolvers, config selectors and call credentials. Some codes only make sense from a
 * server, and applications act on them; here they become {@code INTERNAL} (gRFC A54).
 */
public final class ControlPlaneStatus {
  private ControlPlaneStatus() {}

  /**
   * The status with which a call ends.
   *
   * @param who what has failed, for the description if the code is replaced
   */
  public static Status of(Status status, String who) {
    return onlyServersMayUse(status.code())
        ? Status.INTERNAL
            .withDescription(who + " failed: " + status)
            .withCause(status.cause().orElse(null))
        : withoutDetails(status);
  }

  /**
   * The same status for a call of which no attempt has ended with it. It may come from a call that
   * a policy or credentials made; the details of that would name a server that this call never had.
   */
  public static Status withoutDetails(Status status) {
    return status.failure().isPresent() ? status.withFailure(null) : status;
  }

  /** Whether only a server may end a call with this code. */
  static boolean onlyServersMayUse(Status.Code code) {
    return switch (code) {
      case OK,
          INVALID_ARGUMENT,
          NOT_FOUND,
          ALREADY_EXISTS,
          FAILED_PRECONDITION,
          ABORTED,
          OUT_OF_RANGE,
          DATA_LOSS ->
          true;
      case CANCELLED,
          UNKNOWN,
          DEADLINE_EXCEEDED,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          UNIMPLEMENTED,
          INTERNAL,
          UNAVAILABLE,
          UNAUTHENTICATED ->
          false;
    };
  }
}
