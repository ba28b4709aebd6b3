package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Program;

/**
 * A server or a client that can be compared.
 *
 * @param name its name on the command line and in reports
 * @param reach the workloads that it supports
 */
public record Entrant(String name, Source source, Reach reach) {
  /** The source of a program. */
  public sealed interface Source {
    /** A program of the harness. */
    record Built(Program program) implements Source {}

    /** The tool h2load, at this path. */
    record Tool(String path) implements Source {}

    /** Raw connections that this process opens itself. */
    record Own() implements Source {}

    /** Not available on this machine. */
    record Missing(String why) implements Source {}
  }

  /** The workloads that it supports. */
  public enum Reach {
    ALL,
    /** All except workloads with several servers. */
    ONE_SERVER,
    /** Only workloads with several servers. */
    SEVERAL_SERVERS,
    /** Empty unary calls in plaintext. */
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
