package dev.gannet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.Perf;
import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.program.GannetClient;
import dev.gannet.benchmarks.compare.program.GannetServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What an empty unary call allocates on the heap once both sides are warm, protobuf messages and
 * all, each side in a process of its own. Unlike times, that is the same on every machine.
 *
 * <p>The JVM's second compiler leaves out objects that it sees do not outlive their method; which
 * ones differs from run to run, by up to a tenth of all. It does not run here: what is counted is
 * what the code says, and a call never allocates more. Bounds are a few per cent above what was
 * measured, and 2,000 bytes for both sides together, which is what Gannet is built to: a change
 * that costs more has to say why.
 */
@Timeout(120)
final class UnaryAllocationTest {
  /**
   * Rounds of two seconds until both sides must be warm, on a busy machine too. A round allocates
   * some memory of its own, which shows if a slow machine makes few calls in it.
   */
  private static final int MAX_ROUNDS = 15;

  private static final int MAX_OF_BOTH = 2_000;

  private static final int MAX_OF_CLIENT = 960;

  private static final int PAYLOAD_BYTES = 1 << 10;

  private static final int MAX_OF_CLIENT_WITH_MESSAGES = 3_500;

  /** One round may be lucky. */
  private static final int ROUNDS_IN_A_ROW = 2;

  /**
   * What both sides may execute together; coarse, for that of our machines none can count them: at
   * 4 GHz and two a cycle it is twice the time that both sides take.
   */
  private static final double MAX_INSTRUCTIONS = 50_000;

  /** What each side may allocate, and both together. */
  private record Most(double client, double server, double both) {}

  private record Bytes(double client, double server) {
    boolean isWithin(Most most) {
      return isCounted()
          && client < most.client
          && server < most.server
          && client + server < most.both;
    }

    /** A JVM that does not count says the same number again and again. */
    private boolean isCounted() {
      return client > 0 && server > 0;
    }
  }

  /** Makes a program of a main class and its arguments. */
  private interface Starter {
    Program of(String mainClass, List<String> arguments);
  }

  /** What is done with a server and a client that has connected to it. */
  private interface Use {
    void of(Child server, Child client) throws IOException, InterruptedException;
  }

  private static void use(String dispatch, Starter starter, Use use)
      throws IOException, InterruptedException {
    use(dispatch, 0, starter, use);
  }

  private static void use(String dispatch, int payloadBytes, Starter starter, Use use)
      throws IOException, InterruptedException {
    String payload = String.valueOf(payloadBytes);
    List<String> served = List.of("--mode", dispatch, "--port", "0");
    try (Child server = start(GannetServer.class, served, starter)) {
      String port = server.awaitReady();
      List<String> calling = new ArrayList<>(List.of("--port", port));
      calling.addAll(List.of("--channels", "4", "--outstanding", "10"));
      calling.addAll(List.of("--client-bytes", payload, "--server-bytes", payload));
      try (Child client = start(GannetClient.class, calling, starter)) {
        client.awaitReady();
        use.of(server, client);
      }
    }
  }

  private static Child start(Class<?> program, List<String> arguments, Starter starter)
      throws IOException {
    return Child.start(program.getSimpleName(), starter.of(program.getName(), arguments));
  }

  /** A program that runs with both compilers. */
  private static Program usual(String mainClass, List<String> arguments) {
    return new Program(System.getProperty("java.class.path"), mainClass, arguments);
  }

  @ParameterizedTest
  @CsvSource({"inline, 850", "virtual, 1030"})
  void anEmptyUnaryCallAllocatesLittle(String dispatch, int mostOfServer)
      throws IOException, InterruptedException {
    Most most = new Most(MAX_OF_CLIENT, mostOfServer, MAX_OF_BOTH);
    use(
        dispatch,
        QuickStart.shared()::of,
        (server, client) -> assertThat(roundsUntil(most, server, client)).isEmpty());
  }

  /** With an access log, a tracer for metrics and an interceptor. */
  @ParameterizedTest
  @CsvSource({"inline, 1020", "virtual, 1210"})
  void aCallThatIsObservedAllocatesLittleMore(String dispatch, int mostOfServer)
      throws IOException, InterruptedException {
    Most most = new Most(MAX_OF_CLIENT, mostOfServer, MAX_OF_CLIENT + mostOfServer);
    use(
        dispatch + "-observed",
        QuickStart.shared()::of,
        (server, client) -> assertThat(roundsUntil(most, server, client)).isEmpty());
  }

  /** Each side needs an array for the message that it sends, and one for what it receives. */
  @ParameterizedTest
  @CsvSource({"inline, 3640", "virtual, 3820"})
  void aMessageNeedsNoOtherArrayWhileItIsParsed(String dispatch, int mostOfServer)
      throws IOException, InterruptedException {
    Most most =
        new Most(
            MAX_OF_CLIENT_WITH_MESSAGES, mostOfServer, MAX_OF_CLIENT_WITH_MESSAGES + mostOfServer);
    use(
        dispatch,
        PAYLOAD_BYTES,
        QuickStart.shared()::of,
        (server, client) -> assertThat(roundsUntil(most, server, client)).isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {"inline", "virtual"})
  void anEmptyUnaryCallNeedsFewInstructionsIfTheyCanBeCounted(String dispatch)
      throws IOException, InterruptedException {
    Perf.Found found = Perf.find();
    assumeThat(found).isInstanceOf(Perf.Found.Available.class);
    Perf perf = ((Perf.Found.Available) found).perf();
    use(
        dispatch,
        UnaryAllocationTest::usual,
        (server, client) -> {
          client.ask("round 10000"); // so that most is compiled
          Perf.Counting ofServer = perf.begin(server.handle());
          Perf.Counting ofClient = perf.begin(client.handle());
          double calls = client.ask("round 1000").get("calls").asDouble();
          assertThat((ofServer.end() + ofClient.end()) / calls)
              .isPositive()
              .isLessThan(MAX_INSTRUCTIONS);
        });
  }

  /** Calls until two rounds in a row are within those bounds; all rounds, if there are none. */
  private static List<Bytes> roundsUntil(Most most, Child server, Child client)
      throws InterruptedException {
    List<Bytes> rounds = new ArrayList<>();
    int within = 0;
    while (rounds.size() < MAX_ROUNDS) {
      long before = allocated(server);
      JsonNode round = client.ask("round 2000");
      long inRound = round.get("calls").asLong();
      Bytes bytes =
          new Bytes(
              round.get("allocatedBytes").asDouble() / inRound,
              (double) (allocated(server) - before) / inRound);
      within = bytes.isWithin(most) ? within + 1 : 0;
      if (within == ROUNDS_IN_A_ROW) {
        return List.of();
      }
      rounds.add(bytes);
    }
    return rounds;
  }

  private static long allocated(Child server) throws InterruptedException {
    return server.ask("sample").get("allocatedBytes").asLong();
  }
}
