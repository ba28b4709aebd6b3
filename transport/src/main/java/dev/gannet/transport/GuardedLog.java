package dev.gannet.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Logs what users' code has thrown, for places that must go on whatever happens: if the log cannot
 * be written, there is nothing else to report to, and nothing is thrown. For all threads.
 */
public final class GuardedLog {
  private GuardedLog() {}

  /** Writes a warning, if that is possible. */
  public static void warn(Logger log, String what) {
    try {
      log.log(Level.WARNING, what);
    } catch (Throwable e) {
      // there is nothing else to report to
    }
  }

  /** Writes a warning with what was thrown, if that is possible. */
  public static void warn(Logger log, String what, Throwable thrown) {
    try {
      log.log(Level.WARNING, what, thrown);
    } catch (Throwable e) {
      // there is nothing else to report to
    }
  }
}
