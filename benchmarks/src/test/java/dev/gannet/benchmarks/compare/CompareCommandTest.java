package dev.gannet.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.gannet.benchmarks.QuickStart;
import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.trial.Entrant;
import dev.gannet.benchmarks.compare.trial.QuickRoster;
import dev.gannet.benchmarks.compare.trial.Roster;
import dev.gannet.benchmarks.harness.WrongUsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole command, with real processes and tiny rounds. */
@Timeout(120)
final class CompareCommandTest {
  private static final int ROUNDS = 2;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Perf.Found instructions = new Perf.Found.Missing("this is a test");
  @TempDir private Path folder;
  private static QuickStart quickStart;

  @BeforeAll
  static void startQuickly() throws IOException {
    quickStart = QuickStart.shared();
  }

  @Test
  void twoServersAreComparedAndAMissingPeerIsNamed() throws IOException {
    instructions = new Perf.Found.Available(countingABillion());

    int code =
        compare(
            "--server=gannet-virtual",
            "--server=gannet-inline",
            "--server=vertx",
            "--workload=unary-4x10");

    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString()).contains("Not compared: vertx is missing: ");
    assertThat(out.toString())
        .contains("### unary-4x10", "| gannet-virtual/gannet |", "| gannet-inline/gannet |")
        .containsPattern(
            "gannet-inline/gannet better than gannet-virtual/gannet \\| \\d+\\.\\d\\dx \\(")
        .contains("server instructions/call", "client instructions/call")
        .contains(
            "vertx/gannet and gannet-inline/gannet are not compared: one is missing, or cannot");
    JsonNode results = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    assertThat(results.get("failures")).isEmpty();
    for (JsonNode contender : results.at("/workloads/0/contenders")) {
      assertThat(contender.get("rounds")).hasSize(ROUNDS + 1); // in one, instructions are counted
      for (JsonNode round : contender.get("rounds")) {
        assertThat(round.has("CALLS_PER_SECOND")).isNotEqualTo(round.has("CLIENT_INSTRUCTIONS"));
        assertThat(round).allSatisfy(figure -> assertThat(figure.asDouble()).isPositive());
      }
    }
    assertThat(folder.resolve("report.html"))
        .content()
        .contains("<svg ", "</html>", "gannet-inline/gannet", "vertx is missing: ")
        .doesNotContain("<script", "http://", "https://");
  }

  /** A {@code perf} that finds the same number in whatever it counts. */
  private Perf countingABillion() throws IOException {
    Path perf = folder.resolve("perf");
    Files.writeString(
        perf,
        """
        #!/bin/sh
        while [ "$1" != -- ]; do shift; done
        shift
        "$@"
        echo '1000000000,,instructions,1000,100.00,,' >&2
        """);
    assertThat(perf.toFile().setExecutable(true)).isTrue();
    return new Perf(perf.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "wrong-status, a call ended with DATA_LOSS: on purpose",
    "dying, UNAVAILABLE",
    "hanging, calls still hang 1 s after the time is over",
  })
  void aFailingServerMakesTheRunFailWithoutFigures(String server, String sentence)
      throws IOException {
    int code =
        compare("--pairs=" + server + "/gannet,gannet-inline/gannet", "--workload=unary-4x10");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .contains("FAILED: unary-4x10, " + server + "/gannet")
        .contains(sentence);
    assertThat(out.toString()).doesNotContain("| " + server);
    JsonNode results = new ObjectMapper().readTree(folder.resolve("results.json").toFile());
    assertThat(results.get("failures")).isNotEmpty();
    assertThat(results.at("/workloads/0/pairs")).isEmpty();
  }

  @Test
  void aClientThatDiesMakesTheRunFailWithoutFigures() {
    int code =
        compare(
            "--pairs=gannet-virtual/dying,gannet-inline/gannet",
            "--pairs=gannet-virtual/dying,gannet-pool/gannet",
            "--workload=unary-4x10");

    assertThat(code).isEqualTo(1);
    assertThat(err.toString())
        .contains("FAILED: unary-4x10, gannet-virtual/dying: the client dying has died");
    assertThat(out.toString())
        .doesNotContain("| gannet-virtual/dying")
        .contains("gannet-virtual/dying and gannet-pool/gannet are not compared: one has failed");
  }

  @Test
  void channelsWithPoliciesAreCompared() {
    assertThat(
            compare(
                "--pairs=gannet-inline/gannet-round-robin,gannet-inline/gannet-retries",
                "--workload=three-servers"))
        .as(err.toString())
        .isZero();
  }

  @Test
  void channelsThatAreUsedInTurnAreCompared() {
    assertThat(
            compare(
                "--pairs=gannet-inline/gannet-round-robin,gannet-inline/gannet-in-turn",
                "--workload=three-servers"))
        .as(err.toString())
        .isZero();
  }

  @Test
  void aRetryingClientWithoutRetriesFails() {
    assertThat(
            compare(
                "--pairs=gannet-inline/no-retries,gannet-inline/gannet",
                "--workload=three-servers"))
        .isEqualTo(1);

    assertThat(err.toString())
        .contains("the first call to", "ended with UNAVAILABLE: the first attempt");
  }

  @Test
  void policiesOfChannelsAreNotComparedWithABaseline() {
    assertThatThrownBy(() -> parse("--baseline=HEAD --workload=three-servers").call())
        .isInstanceOf(WrongUsageException.class)
        .hasMessage("three-servers compares clients, and not with a baseline");
  }

  @Test
  void aComparisonWithoutProgramsIsAFailure() {
    assertThat(compare("--pairs=vertx,helidon", "--workload=unary-4x10")).isEqualTo(1);

    assertThat(err.toString())
        .contains("Not compared: instructions are not counted: ", "FAILED: nothing was compared");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--baseline=HEAD --server=gannet-inline",
        "--baseline=HEAD --pairs=gannet-virtual,gannet-inline",
        "--baseline=HEAD --everyone",
        "--baseline=HEAD --fail-above=1.05 --rounds=1",
        "--fail-above=1.05",
        "--table=nowhere.md"
      })
  void optionsThatDoNotFitABaselineAreRefused(String options) {
    assertThatThrownBy(() -> parse(options).call())
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("--baseline");
  }

  @Test
  void aBaselineOfAFolderWithoutGitIsRefused() {
    assertThatThrownBy(() -> parse("--baseline=HEAD --repository=" + folder).call())
        .isInstanceOf(WrongUsageException.class)
        .hasMessageContaining("--baseline needs ");
  }

  private CompareCommand parse(String options) {
    CompareCommand command =
        new CompareCommand(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            Optional.of(roster()),
            () -> instructions);
    new CommandLine(command).parseArgs(options.split(" ", -1));
    return command;
  }

  private int compare(String... options) {
    List<String> args = new ArrayList<>(List.of(options));
    args.addAll(List.of("--warmup-calls=200", "--rounds=" + ROUNDS, "--round-millis=150"));
    args.add("--out=" + folder);
    return new CommandLine(
            new CompareCommand(
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                Optional.of(roster()),
                () -> instructions))
        .execute(args.toArray(String[]::new));
  }

  /** Those that are here without peers, quick to start, and some that are not well. */
  private static Roster roster() {
    Roster well = QuickRoster.of(quickStart);
    List<Entrant> servers = new ArrayList<>(well.servers());
    servers.add(wrong("wrong-status", ""));
    servers.add(wrong("dying", "dies"));
    servers.add(wrong("hanging", "hangs"));
    List<Entrant> clients = new ArrayList<>(well.clients());
    clients.add(wrong("dying", WrongClient.class, ""));
    clients.add(named("no-retries", clients.getFirst()));
    return new Roster(servers, clients);
  }

  private static Entrant named(String name, Entrant other) {
    return new Entrant(name, other.source(), other.reach());
  }

  private static Entrant wrong(String name, String mode) {
    return wrong(name, WrongServer.class, mode);
  }

  private static Entrant wrong(String name, Class<?> mainClass, String mode) {
    List<String> arguments = mode.isEmpty() ? List.of() : List.of("--mode", mode);
    Program program = quickStart.of(mainClass.getName(), arguments);
    return new Entrant(name, new Entrant.Source.Built(program), Entrant.Reach.ALL);
  }
}
