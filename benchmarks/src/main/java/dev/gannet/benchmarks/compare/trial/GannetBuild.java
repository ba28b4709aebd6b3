package dev.gannet.benchmarks.compare.trial;

import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.program.GannetClient;
import dev.gannet.benchmarks.compare.program.GannetServer;
import dev.gannet.benchmarks.compare.trial.Entrant.Reach;
import dev.gannet.benchmarks.compare.trial.Entrant.Source;
import dev.gannet.benchmarks.harness.CallShape;
import java.util.List;

/** One build of Gannet, from whose class path its server and its client are started. */
public record GannetBuild(String classPath) {
  /** The build that this process runs. */
  public static GannetBuild ofThisProcess() {
    return new GannetBuild(System.getProperty("java.class.path"));
  }

  /** The build's server, with handlers on this kind of threads: inline, virtual or pool. */
  Entrant server(String name, String mode) {
    return new Entrant(name, program(GannetServer.class, List.of("--mode", mode)), Reach.ALL);
  }

  /** The build's client. */
  Entrant client(String name) {
    return new Entrant(name, program(GannetClient.class, List.of()), Reach.ALL);
  }

  /** The build's client with a policy, for workloads of several servers. */
  Entrant client(String name, CallShape.Policy policy) {
    return new Entrant(
        name,
        program(GannetClient.class, List.of("--policy", policy.name())),
        Reach.SEVERAL_SERVERS);
  }

  /** Another of its programs. */
  Source program(Class<?> mainClass, List<String> arguments) {
    return new Source.Built(new Program(classPath, mainClass.getName(), arguments));
  }
}
