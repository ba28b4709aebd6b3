package dev.gannet.server.call;

import dev.gannet.api.StatusException;
import dev.gannet.api.engine.FailedStage;
import java.util.Optional;

/** A call that users' code has made for the call that it handles. */
public final class InnerCall {
  private InnerCall() {}

  /**
   * For the end of a log line about an exception: names the call that has failed with it, and says
   * how to give that status to the client. Empty if the exception is not the failure of a call, or
   * of a future of one.
   */
  public static String named(Throwable thrown) {
    Optional<String> inner =
        FailedStage.cause(thrown) instanceof StatusException status
            ? status.failedCall()
            : Optional.empty();
    return inner
        .map(name ->
            ": its own call of "
                + name
                + " failed; throw StatusException.passOn() to give the client that status")
        .orElse("");
  }
}
