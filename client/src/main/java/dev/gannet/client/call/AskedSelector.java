package dev.gannet.client.call;

import dev.gannet.api.Status;
import dev.gannet.api.engine.ThrowableText;
import dev.gannet.client.config.ConfigSelection;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.credentials.ControlPlaneStatus;
import dev.gannet.transport.GuardedLog;
import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;

/** Asks a {@link ConfigSelector} about a call; a failure of the selector fails the call. */
final class AskedSelector {
  private static final Logger LOG = System.getLogger(AskedSelector.class.getName());
  private static final LogAllowance FAILURES = new LogAllowance(System::nanoTime);

  private AskedSelector() {}

  /** What it says about the call; with a status that a client may use if that is a failure. */
  static ConfigSelection ask(ConfigSelector selector, OutgoingCall<?, ?> call) {
    ConfigSelection chosen;
    try {
      chosen = selector.select(call.firstAttempt());
    } catch (Throwable e) { // it is a user's
      Status why = broken(call, ThrowableText.of(e));
      FAILURES.write("failures of config selectors", rest -> GuardedLog.warn(LOG, why + rest, e));
      return ConfigSelection.fail(why.withCause(e));
    }
    if (chosen == null) {
      return ConfigSelection.fail(broken(call, "it returned null"));
    }
    return chosen instanceof ConfigSelection.Fail fail
        ? ConfigSelection.fail(ControlPlaneStatus.of(fail.why(), nameOf(call)))
        : chosen;
  }

  private static Status broken(OutgoingCall<?, ?> call, String why) {
    return Status.INTERNAL.withDescription(nameOf(call) + " failed: " + why);
  }

  private static String nameOf(OutgoingCall<?, ?> call) {
    return "the config selector of the resolver for '"
        + call.channel().settings().naming().target().scheme()
        + "'";
  }
}
