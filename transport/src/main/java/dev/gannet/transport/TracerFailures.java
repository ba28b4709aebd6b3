package dev.gannet.transport;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs tracers; what they throw is logged and not thrown further. Safe for all threads. */
public final class TracerFailures {
  private static final Logger LOG = System.getLogger(TracerFailures.class.getName());
  private static final LogAllowance LINES = new LogAllowance(System::nanoTime);

  private TracerFailures() {}

  /** Tells a tracer of an event. */
  public static <T> void guard(T tracer, Consumer<? super T> event) {
    try {
      event.accept(tracer);
    } catch (Throwable e) {
      log(tracer, e);
    }
  }

  /**
   * The tracers that these factories make, in order, without those of factories that make none.
   *
   * @param none the tracer that stands for no tracer
   */
  public static <F, T> List<T> makeAll(List<F> makers, Function<? super F, T> make, T none) {
    List<T> made = new ArrayList<>(makers.size());
    for (int i = 0; i < makers.size(); i++) {
      try {
        T tracer = make.apply(makers.get(i));
        if (!none.equals(tracer)) { // an enum's: no code of the tracer's runs
          made.add(Objects.requireNonNull(tracer, "a tracer"));
        }
      } catch (Throwable e) {
        log(makers.get(i), e);
      }
    }
    return made;
  }

  /** Logging runs users' code as well. */
  static void log(Object tracer, Throwable thrown) {
    try {
      long before = LINES.ask();
      if (before != LogAllowance.LEFT_OUT) {
        String rest = before == 0 ? "" : " (" + before + " more failures were not logged)";
        String name = tracer.getClass().getName();
        LOG.log(
            Level.WARNING,
            "a tracer threw an exception; its call continues: " + name + rest,
            thrown);
      }
    } catch (Throwable e) {
      // the log failed, so there is nothing left to report to
    }
  }
}
