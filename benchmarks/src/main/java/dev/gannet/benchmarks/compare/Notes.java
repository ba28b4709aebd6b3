package dev.gannet.benchmarks.compare;

import java.util.List;

/** What readers of a report must know about the measurement. */
final class Notes {
  static final List<String> ALL =
      List.of(
          "Figures are medians over a contender's rounds; max is the greatest of all. A ratio is"
              + " that of these figures, and in parentheses the least and the greatest of two"
              + " rounds that were neighbours; above 1 the one named first is better.",
          "All processes share the machine's cores: calls/s is what server and client reach"
              + " together.",
          "CPU is user and system time of the whole process, from the operating system, in ticks of"
              + " 10 ms; with it comes what the JVM does meanwhile. Bytes are what all threads"
              + " allocated on the heap, as the JVM counts it.",
          "There is no column of errors: a program with an error has no figures, and the run has"
              + " failed.",
          "Every status and every size of a reply is checked, but by h2load, which knows no"
              + " grpc-status: it sees HTTP 200 and as much DATA as the messages of all replies"
              + " make, and Gannet's client makes a call on each channel before and after. Each of"
              + " its rounds has connections of its own; its CPU and latencies are not taken.",
          "With fixed-rate, p50 has the coarseness of a sleep in it, which is the same for all.",
          "RSS of a JVM also shows how much garbage its heap has room for; the heap is 256 MiB to"
              + " 1 GiB for all.");

  private Notes() {}
}
