package dev.gannet.conformance.gauntlet;

import dev.gannet.conformance.gauntlet.attack.Attack;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that runs every attack against servers that honest clients call, and prints what it
 * costs them. Exits with 1 if Gannet misses a criterion and the server is to blame.
 */
@Command(
    name = "gauntlet",
    mixinStandardHelpOptions = true,
    description =
        "Attacks a server while honest clients call it; servers, clients and attackers are"
            + " separate processes. Prints a Markdown table. Exits with 1 if Gannet misses a"
            + " criterion. A high p99 does not count if it is as high while a second server on the"
            + " same machine is attacked instead.")
public final class Gauntlet implements Callable<Integer> {
  private static final int MANY = 50;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--quick",
      description = "Three seconds per attack, short pauses, no decoy: a check, not a measurement.")
  private boolean quick;

  @Option(
      names = "--attack",
      paramLabel = "NAME",
      description = "Only this attack; may be given several times. Default: all.")
  private List<String> names = List.of();

  @Option(
      names = "--server",
      paramLabel = "S",
      defaultValue = "gannet",
      description = "gannet (default), grpc-java or both.")
  private String server = "";

  @Option(
      names = "--attackers",
      paramLabel = "N",
      description = "The number of attackers; may be given several times. Default: 1 and 50.")
  private List<Integer> attackers = List.of(1, MANY);

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "How long honest clients are measured under each attack. Default: 20.")
  private int seconds;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "2000",
      description = "The rate of honest calls per second. Default: 2000.")
  private int callsPerSecond;

  @Option(
      names = "--decoy",
      description = "Also measures trials with several attackers beside a decoy.")
  private boolean decoy;

  @Option(
      names = "--server-jvm-option",
      paramLabel = "OPTION",
      description = "Another option of the servers' JVMs, such as a garbage collector; repeatable.")
  private List<String> addedJvmOptions = List.of();

  @Option(
      names = "--sleepless",
      description =
          "Keeps the processors from sleeping, with loops of the lowest priority. For a"
              + " virtual machine whose host is busy and wakes it up slowly; if the host is not"
              + " busy, the loops cost more than they help.")
  private boolean sleepless;

  @Option(
      names = "--table",
      paramLabel = "FILE",
      description = "Also writes the tables into this file.")
  private Path file = Path.of("");

  @Option(names = "--list", description = "Lists the attacks, and runs none.")
  private boolean list;

  /** A command whose options are still to be read. */
  public Gauntlet() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<Attack> attacks =
        names.isEmpty() ? Attacks.all() : names.stream().map(this::named).toList();
    if (list) {
      Catalogue.print(attacks, spec.commandLine().getOut());
      return 0;
    }
    boolean passed = true;
    try (Report report = new Report(spec.commandLine().getOut(), file);
        SleeplessProcessors processors =
            sleepless ? SleeplessProcessors.keep() : SleeplessProcessors.none()) {
      if (sleepless && !processors.areKept()) {
        throw wrong("--sleepless needs Linux, and its command chrt");
      }
      report.begin(callsPerSecond, jvmOptions(), schedule(), processors.areKept());
      for (ServerKind kind : servers()) {
        report.begin(kind);
        List<Row> rows = run(kind, attacks, report);
        report.end(kind, rows);
        passed &= kind != ServerKind.GANNET || rows.stream().allMatch(Row::isGoodEnough);
      }
    }
    return passed ? 0 : 1;
  }

  private List<Row> run(ServerKind kind, List<Attack> attacks, Report report)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (Range range = new Range(kind, jvmOptions(), callsPerSecond, schedule().warmUp())) {
      for (Attack attack : attacks) {
        for (int many : attackers) {
          Row row = range.run(new Trial(attack, many, schedule()));
          report.add(row);
          rows.add(row);
        }
      }
    }
    return rows;
  }

  private List<String> jvmOptions() {
    return ServerKind.jvmOptions(addedJvmOptions);
  }

  private Schedule schedule() {
    Schedule usual = quick ? Schedule.QUICK : Schedule.WHOLE;
    Schedule wanted = decoy ? usual.withDecoyForAll() : usual;
    return seconds > 0 ? wanted.withAttacked(Duration.ofSeconds(seconds)) : wanted;
  }

  private List<ServerKind> servers() {
    return switch (server.toLowerCase(Locale.ROOT)) {
      case "gannet" -> List.of(ServerKind.GANNET);
      case "grpc-java" -> List.of(ServerKind.GRPC_JAVA);
      case "both" -> List.of(ServerKind.GANNET, ServerKind.GRPC_JAVA);
      default -> throw wrong("--server is gannet, grpc-java or both: " + server);
    };
  }

  private Attack named(String name) {
    return Attacks.named(name)
        .orElseThrow(() -> wrong("no such attack: " + name + "; --list prints them"));
  }

  private ParameterException wrong(String why) {
    return new ParameterException(spec.commandLine(), why);
  }
}
