package dev.gannet.conformance.longrun;

import dev.gannet.conformance.process.Child;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that restarts servers under load, one after another, and finds calls that failed
 * because of it or were served twice. Exits with 1 if a rule did not hold.
 */
@Command(
    name = "restarts",
    mixinStandardHelpOptions = true,
    description =
        "Restarts three servers in turn by SIGTERM, while eight clients call them with"
            + " round_robin: clients of Gannet, of grpc-go (needs Go) and of grpcio (needs Python"
            + " 3). A server is restarted when every client has had a response from the previously"
            + " restarted one. No unary call may fail or be processed twice. A stream may end only"
            + " after its server announced the shutdown.")
public final class Restarts implements Callable<Integer> {
  private static final int SERVERS = 3;
  private static final Duration MAX_END = Duration.ofSeconds(30);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--restarts",
      paramLabel = "N",
      defaultValue = "30",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int restarts;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many clients (default: ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--go",
      paramLabel = "PROGRAM",
      description = "The client of grpc-go, which runs twice. Default: none.")
  private Path go = Path.of("");

  @Option(
      names = "--python",
      paramLabel = "PROGRAM",
      description = "A Python with grpcio, which runs two of the clients. Default: none.")
  private Path python = Path.of("");

  @Option(
      names = "--python-client",
      paramLabel = "FILE",
      description = "The script that Python runs.")
  private Path pythonClient = Path.of("");

  private final RestartsTally tally = new RestartsTally();
  private final List<String> names = new ArrayList<>();

  /** A command whose options are still to be read. */
  public Restarts() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (restarts < 1 || clients < 1) {
      throw new ParameterException(
          spec.commandLine(), "--restarts and --clients must be 1 or more, or nothing is shown");
    }
    Findings findings = new Findings(spec.commandLine().getOut());
    List<RestartsSlot> slots = new ArrayList<>();
    try {
      for (int port : FreePorts.find(SERVERS)) {
        slots.add(new RestartsSlot(port, tally));
      }
      run(slots, findings);
    } finally {
      slots.forEach(RestartsSlot::close);
    }
    return findings.conclude();
  }

  private void run(List<RestartsSlot> slots, Findings findings)
      throws IOException, InterruptedException {
    List<InetSocketAddress> servers = slots.stream().map(RestartsSlot::address).toList();
    List<Child> foreign = new ArrayList<>();
    List<RestartsClient> own = new ArrayList<>();
    try {
      addForeign(servers, foreign);
      while (names.size() < clients) {
        String name = "gannet" + names.size();
        names.add(name);
        own.add(new RestartsClient(name, servers, line -> tally.onClient(name, line)));
      }
      findings.say("clients: " + names);
      for (RestartsSlot slot : slots) {
        slot.awaitClients(names.size());
      }
      roll(slots, findings);
      for (RestartsClient client : own) {
        client.end();
      }
      for (Child client : foreign) {
        client.endInput();
        client.awaitEnd(MAX_END);
      }
      for (RestartsSlot slot : slots) {
        slot.stop(); // and receive the ids of its last completed calls
      }
    } finally {
      foreign.forEach(Child::close);
    }
    tally.conclude(findings, names);
  }

  private void roll(List<RestartsSlot> slots, Findings findings)
      throws IOException, InterruptedException {
    Duration longestDrain = Duration.ZERO;
    Duration longestReturn = Duration.ZERO;
    for (int i = 0; i < restarts; i++) {
      RestartsSlot slot = slots.get(i % SERVERS);
      Duration drain = slot.stop();
      slot.start();
      Duration back = slot.awaitClients(names.size());
      longestDrain = longer(longestDrain, drain);
      longestReturn = longer(longestReturn, back);
      findings.say(
          "restart %d of %d: drained in %d ms, all clients back %d ms after it listened; %,d calls"
              .formatted(i + 1, restarts, drain.toMillis(), back.toMillis(), tally.completed()));
    }
    findings.rule(
        "every server drained, and all clients came back to every one",
        true, // otherwise stop() or awaitClients() would have thrown
        "%d restarts; drained in %d ms at most, back %d ms after it listened at most"
            .formatted(restarts, longestDrain.toMillis(), longestReturn.toMillis()));
  }

  private static Duration longer(Duration a, Duration b) {
    return a.compareTo(b) > 0 ? a : b;
  }

  /** Two clients each of grpc-go and of Python, if they are given. */
  private void addForeign(List<InetSocketAddress> servers, List<Child> foreign) throws IOException {
    String targets =
        servers.stream().map(it -> "127.0.0.1:" + it.getPort()).collect(Collectors.joining(","));
    for (int i = 0; i < 2; i++) {
      if (!go.toString().isEmpty()) {
        foreign.add(startForeign("go" + i, List.of(go.toString(), targets, "go" + i)));
      }
      if (!python.toString().isEmpty()) {
        String name = "python" + i;
        foreign.add(
            startForeign(name, List.of(python.toString(), pythonClient.toString(), targets, name)));
      }
    }
  }

  private Child startForeign(String name, List<String> command) throws IOException {
    names.add(name);
    return Child.start(command, line -> tally.onClient(name, line));
  }
}
