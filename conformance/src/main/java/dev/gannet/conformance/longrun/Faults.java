package dev.gannet.conformance.longrun;

import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.testing.FaultyNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that injects one network fault after the other between a client and a server, while
 * the client makes calls. Exits with 1 if a rule did not hold.
 */
@Command(
    name = "faults",
    mixinStandardHelpOptions = true,
    description =
        "Makes calls of four kinds, at a fixed rate, through a proxy that injects faults: it"
            + " cuts, refuses, stalls, delays or slices connections, or leaves them half-open."
            + " Every call must end at most a second after its deadline, a dead peer must be"
            + " detected within keepalive time and timeout, and calls must succeed again soon after"
            + " an outage.")
public final class Faults implements Callable<Integer> {
  private static final int MAX_CALLS_PER_SECOND = 10_000;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "How long faults last that have no time in their name (default: ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "Determines which packets are late and where connections are cut. Default: random.")
  private Optional<Long> seed = Optional.empty();

  @Option(
      names = "--only",
      paramLabel = "FAULT",
      split = ",",
      description = "Injects these faults only, separated by commas; --list prints the names.")
  private List<String> only = List.of();

  @Option(
      names = "--calls-per-second",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many calls start per second (default: ${DEFAULT-VALUE}).")
  private int callsPerSecond;

  @Option(names = "--list", description = "Prints the names of all faults.")
  private boolean list;

  /** A command whose options are still to be read. */
  public Faults() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (list) {
      Fault.texts().forEach(spec.commandLine().getOut()::println);
      return 0;
    }
    List<Fault> faults = chosen();
    if (seconds < 1 || callsPerSecond < 1 || callsPerSecond > MAX_CALLS_PER_SECOND) {
      throw new ParameterException(
          spec.commandLine(),
          "--seconds must be 1 or more, --calls-per-second 1 to " + MAX_CALLS_PER_SECOND);
    }
    Findings findings = new Findings(spec.commandLine().getOut());
    long chosenSeed = seed.orElseGet(() -> new SplittableRandom().nextLong());
    findings.say("--seed " + chosenSeed);
    FaultsService service = new FaultsService();
    try (Server server = serve(service);
        FaultyNetwork network =
            FaultyNetwork.to(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()),
                chosenSeed);
        ManagedChannel channel = channel(network.address());
        FaultsLoad load = new FaultsLoad(channel, callsPerSecond)) {
      FaultsCourse course = new FaultsCourse(network, channel, load, service, findings);
      for (Fault fault : faults) {
        course.run(fault, Duration.ofSeconds(seconds), callsPerSecond);
      }
    }
    return findings.conclude();
  }

  private List<Fault> chosen() {
    for (String text : only) {
      if (!Fault.texts().contains(text)) {
        throw new ParameterException(
            spec.commandLine(),
            "--only: there is no fault '%s'; there are %s"
                .formatted(text, String.join(", ", Fault.texts())));
      }
    }
    return Arrays.stream(Fault.values())
        .filter(it -> only.isEmpty() || only.contains(it.text()))
        .toList();
  }

  private static Server serve(FaultsService service) throws IOException {
    return Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .keepAliveTime(FaultsCourse.SERVERS_KEEP_ALIVE_TIME)
        .keepAliveTimeout(FaultsCourse.KEEP_ALIVE_TIMEOUT)
        .permitKeepAliveTime(FaultsCourse.CLIENTS_KEEP_ALIVE_TIME.dividedBy(2))
        .add(service)
        .start();
  }

  private static ManagedChannel channel(InetSocketAddress address) {
    return ManagedChannel.builder(address)
        .keepAliveTime(FaultsCourse.CLIENTS_KEEP_ALIVE_TIME)
        .keepAliveTimeout(FaultsCourse.KEEP_ALIVE_TIMEOUT)
        .plaintext()
        .directExecutor()
        .build();
  }
}
