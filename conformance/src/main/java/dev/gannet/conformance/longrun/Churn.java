package dev.gannet.conformance.longrun;

import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.ManagedChannelBuilder;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command that replaces servers during calls with {@code round_robin}. Exits with 1 if a rule
 * did not hold.
 */
@Command(
    name = "churn",
    mixinStandardHelpOptions = true,
    description =
        "Replaces servers one after another, while a client calls them with round_robin. If"
            + " servers are drained, no call may fail. If they are killed, only calls that were"
            + " sent to the killed server may fail; with a retry policy, none.")
public final class Churn implements Callable<Integer> {
  private static final int EXAMPLES = 3;
  private static final int LINES_OF_PROGRESS = 10;
  private static final long LOOK_MILLIS = 10;
  private static final Duration SPREAD = Duration.ofSeconds(3);

  /** How long after a reset a client may not have read it; the calls that it starts fail, too. */
  private static final long UNREAD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private static final RetryPolicy RETRIES =
      RetryPolicy.of(5, Status.Code.UNAVAILABLE)
          .withInitialBackoff(Duration.ofMillis(10))
          .withMaxBackoff(Duration.ofMillis(100))
          .withBackoffMultiplier(2);

  private enum End {
    DRAINED("drained"),
    KILLED("killed");

    private final String text;

    End(String text) {
      this.text = text;
    }
  }

  private enum Retries {
    NONE(""),
    BY_POLICY(", with a retry policy");

    private final String text;

    Retries(String text) {
      this.text = text;
    }
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--servers",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many servers there are at a time (default: ${DEFAULT-VALUE}).")
  private int servers;

  @Option(
      names = "--replacements",
      paramLabel = "N",
      defaultValue = "100",
      description = "How many are replaced in each of the four parts (default: ${DEFAULT-VALUE}).")
  private int replacements;

  @Option(
      names = "--every",
      paramLabel = "MILLIS",
      defaultValue = "100",
      description = "The time from one to the next (default: ${DEFAULT-VALUE}).")
  private int everyMillis;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Determines which servers are replaced. Default: random.")
  private Optional<Long> seed = Optional.empty();

  /** A command whose options are still to be read. */
  public Churn() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (servers < 2 || replacements < 1 || everyMillis < 0) {
      throw new ParameterException(
          spec.commandLine(),
          "--servers must be 2 or more, --replacements 1 or more, --every 0 or more");
    }
    Findings findings = new Findings(spec.commandLine().getOut());
    long chosenSeed = seed.orElseGet(() -> new SplittableRandom().nextLong());
    findings.say("--seed " + chosenSeed);
    try (ChurnFleet fleet = new ChurnFleet(servers, new SplittableRandom(chosenSeed))) {
      for (Retries retries : Retries.values()) {
        for (End end : End.values()) {
          run(fleet, end, retries, findings);
        }
      }
    }
    return findings.conclude();
  }

  private void run(ChurnFleet fleet, End end, Retries retries, Findings findings)
      throws IOException, InterruptedException {
    String part = end.text + retries.text;
    List<ChurnLoad.Failure> failures;
    long calls;
    try (ManagedChannel channel = channel(fleet, retries)) {
      ChurnLoad load = new ChurnLoad(channel);
      try (load) {
        awaitSpread(part, "at first", fleet, findings);
        for (int i = 1; i <= replacements; i++) {
          fleet.replaceOne(end == End.KILLED);
          TimeUnit.MILLISECONDS.sleep(everyMillis);
          if (i % Math.max(1, replacements / LINES_OF_PROGRESS) == 0) {
            findings.say(
                "%s: %d replaced, %,d calls, %d failed"
                    .formatted(part, i, load.calls(), load.failures().size()));
          }
        }
        awaitSpread(part, "in the end", fleet, findings);
      }
      failures = List.copyOf(load.failures());
      calls = load.calls();
    }
    findings.say("%s: %,d calls, %d failed".formatted(part, calls, failures.size()));
    judge(part, end == End.KILLED && retries == Retries.NONE, fleet, failures, findings);
  }

  private static void judge(
      String part,
      boolean mayFail,
      ChurnFleet fleet,
      List<ChurnLoad.Failure> failures,
      Findings findings) {
    if (!mayFail) {
      findings.rule(part + ": no call fails", failures.isEmpty(), describe(failures));
      return;
    }
    List<ChurnLoad.Failure> others =
        failures.stream().filter(it -> !wasUnderWay(it, fleet)).toList();
    findings.rule(
        part + ": only the running calls of a killed server fail",
        others.isEmpty() && !failures.isEmpty(),
        "%d of these failed, and others: %s"
            .formatted(failures.size() - others.size(), describe(others)));
  }

  private static boolean wasUnderWay(ChurnLoad.Failure failure, ChurnFleet fleet) {
    OptionalLong killedNanos =
        failure
            .peer()
            .flatMap(fleet::at)
            .map(ChurnServer::killedNanos)
            .orElse(OptionalLong.empty());
    return failure.status().code() == Status.Code.UNAVAILABLE
        && killedNanos.isPresent()
        && failure.beganNanos() - killedNanos.getAsLong() < UNREAD_NANOS;
  }

  private static String describe(List<ChurnLoad.Failure> failures) {
    return failures.size()
        + (failures.isEmpty()
            ? ""
            : " " + failures.stream().limit(EXAMPLES).map(ChurnLoad.Failure::status).toList());
  }

  /** Checks that all servers get calls. */
  private static void awaitSpread(String part, String when, ChurnFleet fleet, Findings findings)
      throws InterruptedException {
    List<ChurnServer> members = List.copyOf(fleet.members());
    List<Long> before = members.stream().map(ChurnServer::calls).toList();
    long giveUpNanos = System.nanoTime() + SPREAD.toNanos();
    int called = 0;
    while (called < members.size() && System.nanoTime() - giveUpNanos < 0) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      called = 0;
      for (int i = 0; i < members.size(); i++) {
        called += members.get(i).calls() > before.get(i) ? 1 : 0;
      }
    }
    findings.rule(
        "%s: every server gets calls %s".formatted(part, when),
        called == members.size(),
        called + " of " + members.size());
  }

  private static ManagedChannel channel(ChurnFleet fleet, Retries retries) {
    ManagedChannelBuilder builder =
        ManagedChannel.builder(ChurnFleet.TARGET)
            .addNameResolver(fleet)
            .roundRobin()
            .plaintext()
            .directExecutor();
    if (retries == Retries.BY_POLICY) {
      builder.defaultServiceConfig(
          ServiceConfig.builder()
              .forAllMethods(MethodConfig.builder().retryPolicy(RETRIES).build())
              .build());
    }
    return builder.build();
  }
}
