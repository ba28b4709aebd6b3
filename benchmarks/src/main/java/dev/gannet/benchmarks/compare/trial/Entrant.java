package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Program;

/**
 * A server or a client that can take part.
 *
 * @param name by which it is chosen, and stands in reports
 * @param reach what it can do
 */
public record Entrant(String name, Source source, Reach reach) {
  /** Where it comes from. */
  public sealed interface Source {
    /** A program of the harness. */
    record Built(Program program) implements Source {}

    /** The tool h2load, at this path. */
    record Tool(String path) implements Source {}

    /** The raw connections that this process makes itself. */
    record Own() implements Source {}

    /** From nowhere: it is not on this machine. */
    record Missing(String why) implements Source {}
  }

  /** Which workloads it can do. */
  public enum Reach {
    ALL,
    /** All but those of several servers. */
    ONE_SERVER,
    /** Those of several servers alone. */
    SEVERAL_SERVERS,
    /** Empty unary calls in the clear. */
    PLAIN,
    /** Connections without calls. */
    CONNECTIONS
  }

  boolean can(Workload workload) {
    return switch (reach) {
      case ALL -> true;
      case ONE_SERVER -> workload.servers() == 1;
      case SEVERAL_SERVERS -> workload.servers() > 1;
      case PLAIN -> workload.isPlain();
      case CONNECTIONS -> workload.task() instanceof Workload.Task.IdleConnections;
    };
  }
}
