package dev.gannet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.gannet.benchmarks.compare.process.Child;
import dev.gannet.benchmarks.compare.process.Program;
import dev.gannet.benchmarks.compare.program.GannetClient;
import dev.gannet.benchmarks.compare.program.GannetServer;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an empty unary call allocates on the heap once both sides are warm, protobuf messages and
 * all, each side in a process of its own. Unlike times, that is the same on every machine.
 *
 * <p>Bounds are a few per cent above what was measured, and 2,000 bytes for both sides together,
 * which is what Gannet is built to: a change that costs more has to say why.
 */
@Timeout(120)
final class UnaryAllocationTest {
  /** How often compiled code is looked for; the last rounds of a run come from nothing else. */
  private static final int MOST_ROUNDS = 12;

  private static final int MOST_OF_BOTH = 2_000;

  private static final int LEAST_WARM_CALLS = 300_000;

  private record Bytes(double client, double server) {
    double both() {
      return client + server;
    }
  }

  @ParameterizedTest
  @CsvSource({"inline, 970, 890", "virtual, 970, 1080"})
  void anEmptyUnaryCallAllocatesLittle(String dispatch, int mostOfClient, int mostOfServer)
      throws IOException, InterruptedException {
    try (Child server = start(GannetServer.class, List.of("--mode", dispatch, "--port", "0"))) {
      String port = server.awaitReady();
      List<String> options = List.of("--port", port, "--channels", "4", "--outstanding", "10");
      try (Child client = start(GannetClient.class, options)) {
        client.awaitReady();
        Bytes bytes = warm(server, client);
        assertThat(bytes.client()).as("%s", bytes).isLessThan(mostOfClient);
        assertThat(bytes.server()).as("%s", bytes).isLessThan(mostOfServer);
        assertThat(bytes.both()).as("%s", bytes).isLessThan(MOST_OF_BOTH);
      }
    }
  }

  private static Child start(Class<?> program, List<String> arguments) throws IOException {
    String classPath = System.getProperty("java.class.path");
    return Child.start(
        program.getSimpleName(), new Program(classPath, program.getName(), arguments));
  }

  /** The first round of a warm pair that allocates no less than the one before. */
  private static Bytes warm(Child server, Child client) throws InterruptedException {
    Bytes last = new Bytes(Double.MAX_VALUE, 0);
    long calls = 0;
    for (int i = 0; i < MOST_ROUNDS; i++) {
      long before = allocated(server);
      JsonNode round = client.ask("round 1000");
      long inRound = round.get("calls").asLong();
      Bytes now =
          new Bytes(
              round.get("allocatedBytes").asDouble() / inRound,
              (double) (allocated(server) - before) / inRound);
      calls += inRound;
      if (calls > LEAST_WARM_CALLS && now.both() > last.both() * 0.99) {
        return now;
      }
      last = now;
    }
    return last;
  }

  private static long allocated(Child server) throws InterruptedException {
    return server.ask("sample").get("allocatedBytes").asLong();
  }
}
