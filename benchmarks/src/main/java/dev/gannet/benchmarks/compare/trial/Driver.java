package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.statistics.Round;
import java.io.IOException;
import java.util.Optional;

/** Runs a workload against one contender. */
interface Driver {
  /** Starts what the contender's workload needs before its first round. */
  static Driver of(Stage stage, Contender contender, Roster roster)
      throws IOException, InterruptedException {
    Entrant server = roster.server(contender.server());
    Entrant client = roster.client(contender.client());
    return of(stage, server, client, roster.client(Roster.GANNET));
  }

  /**
   * Starts what the stage's workload needs before its first round.
   *
   * @param checker the client that makes a call before and after those of a tool
   */
  static Driver of(Stage stage, Entrant server, Entrant client, Entrant checker)
      throws IOException, InterruptedException {
    return switch (stage.workload().task()) {
      case Workload.Task.IdleConnections idle -> new IdleConnectionsDriver(stage, server);
      case Workload.Task.IdleStreams idle -> new IdleStreamsDriver(stage, server, client);
      case Workload.Task.FirstCall first -> FirstCallDriver.of(stage, server, client);
      case Workload.Task.Calls calls ->
          client.source() instanceof Entrant.Source.Tool(String path)
              ? H2loadDriver.of(stage, path, calls, server, checker)
              : CallsDriver.of(stage, calls, server, client);
    };
  }

  /** Warms up the contender, if that is part of its workload. */
  Warmth warmUp(Effort effort) throws IOException, InterruptedException;

  /** Sets the number of calls per second for the following rounds. */
  void offer(double callsPerSecond);

  /**
   * One round.
   *
   * @throws dev.gannet.benchmarks.harness.RunFailedException if anything at all was not as it
   *     should be
   */
  Round round(Effort effort) throws IOException, InterruptedException;

  /** An additional round in which only instructions are counted; empty if that is not possible. */
  default Optional<Round> count(Effort effort, Perf perf) throws IOException, InterruptedException {
    return Optional.empty();
  }

  /** Checks that the server still answers correctly after the last round. */
  void check() throws InterruptedException;
}
