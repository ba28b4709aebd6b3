package dev.gannet.validation;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Logs rules that cannot be checked: loudly at first, and quietly at each further call. */
final class BrokenRules {
  private static final Logger LOG = System.getLogger(BrokenRules.class.getName());
  private static final int MOST_TYPES = 1_000;

  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  void log(String type, Throwable why) {
    boolean first = logged.size() < MOST_TYPES && logged.add(type);
    LOG.log(
        first ? Level.WARNING : Level.DEBUG,
        "a validation rule of "
            + type
            + " cannot be checked; calls with such requests end with INTERNAL",
        why);
  }
}
