package dev.gannet.transport;

import dev.gannet.api.Status;
import java.lang.System.Logger;

/**
 * What happens to calls for which {@link ServerCalls#findFallback} throws. Safe for all threads.
 */
public final class RegistryFailures {
  /** The status of such a call. */
  public static final Status STATUS =
      Status.INTERNAL.withDescription("the server's fallback registry threw an exception");

  private static final Logger LOG = System.getLogger(RegistryFailures.class.getName());
  private static final LogAllowance LINES = new LogAllowance(System::nanoTime);

  private RegistryFailures() {}

  /** Logs what was thrown; throws nothing itself, because the call has no answer yet. */
  public static void log(Throwable thrown) {
    LINES.write(
        "failures",
        rest -> GuardedLog.warn(LOG, "the fallback registry of the server failed" + rest, thrown));
  }
}
