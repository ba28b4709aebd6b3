package dev.gannet.transport.tracing;

import dev.gannet.transport.LogAllowance;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs tracers; what they throw is logged and not thrown further. Safe for all threads. */
public final class TracerFailures {
  private static final Logger LOG = System.getLogger(TracerFailures.class.getName());
  private static final LogAllowance LINES = new LogAllowance(System::nanoTime);

  private TracerFailures() {}

  /** Reports an event to a tracer. */
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
   * @param start what each factory gets
   * @param array makes the array of the tracers
   * @param none the tracer that stands for no tracer
   */
  public static <F, S, T> T[] makeAll(
      List<F> makers,
      S start,
      BiFunction<? super F, ? super S, T> make,
      IntFunction<T[]> array,
      T none) {
    T[] made = array.apply(makers.size());
    int count = 0;
    for (int i = 0; i < makers.size(); i++) {
      try {
        T tracer = make.apply(makers.get(i), start);
        if (!none.equals(tracer)) { // an enum's: no code of the tracer's runs
          made[count] = Objects.requireNonNull(tracer, "a tracer");
          count++;
        }
      } catch (Throwable e) {
        log(makers.get(i), e);
      }
    }
    return count == made.length ? made : Arrays.copyOf(made, count);
  }

  /** Logging runs users' code as well. */
  static void log(Object tracer, Throwable thrown) {
    try {
      String text = "a tracer threw an exception; its call continues: ";
      String name = tracer.getClass().getName();
      LINES.write("failures", rest -> LOG.log(Level.WARNING, text + name + rest, thrown));
    } catch (Throwable e) {
      // the log failed, so there is nothing left to report to
    }
  }
}
