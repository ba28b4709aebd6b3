package dev.gannet.conformance.gauntlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.conformance.gauntlet.attack.Attacks;
import dev.gannet.conformance.gauntlet.attack.RunningAttack;
import dev.gannet.conformance.gauntlet.attack.Victim;
import dev.gannet.server.Server;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import io.grpc.testing.integration.TestServiceMethods;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where connections from thousands of addresses hold all the memory that there may be, it is they
 * that are closed: an honest client that holds more than each of them keeps its connection.
 */
final class SmallHoldersTest {
  private static final int BUDGET_BYTES = 4 << 20;
  private static final int STREAMS = 30;
  private static final int MANY = 300;
  private static final int OPEN_CALLS = 100;

  /** More than its objects: most of it is the thread of the handler that waits. */
  private static final long LEAST_BYTES_OF_A_CALL = 5 << 10;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Queue<Status> ends = new ConcurrentLinkedQueue<>();

  @ParameterizedTest
  @ValueSource(strings = {"many-small-holders", "served-small-holders"})
  void manySmallHoldersAreClosedAndServedClientsAreNot(String attack) throws IOException {
    try (Server server =
            Server.builder(0)
                .plaintext()
                .add(new GauntletService())
                .memoryBudget(MemoryBudget.ofBytes(BUDGET_BYTES))
                .start();
        ManagedChannel honest =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      for (int i = 0; i < STREAMS; i++) {
        openStream(honest);
      }
      serve(honest);
      Victim victim = Victim.onLoopback(server.port(), server.port());
      try (RunningAttack assault =
          RunningAttack.start(Attacks.named(attack).orElseThrow(), victim, 1)) {
        long beginNanos = System.nanoTime();
        while (assault.tally().goAways() < MANY) {
          serve(honest);
          assertThat(System.nanoTime() - beginNanos)
              .as("time for %s", assault.tally().endings())
              .isLessThan(PATIENCE.toNanos());
        }
        serve(honest);
        assertThat(ends).as("ends of honest streams").isEmpty();
      }
      assertThat(server.peerFaults()).containsKey(PeerFault.MEMORY_EXHAUSTED);
      server.shutdownNow();
    }
  }

  @Test
  void openCallsCountWithTheThreadsOfTheirHandlers() throws IOException {
    MemoryBudget budget = MemoryBudget.ofBytes(64L << 20);
    try (Server server =
            Server.builder(0).plaintext().add(new GauntletService()).memoryBudget(budget).start();
        ManagedChannel client =
            ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build()) {
      for (int i = 0; i < OPEN_CALLS; i++) {
        openStream(client);
      }
      long beginNanos = System.nanoTime();
      while (budget.heldBytes() < OPEN_CALLS * LEAST_BYTES_OF_A_CALL) {
        serve(client);
        assertThat(System.nanoTime() - beginNanos)
            .as("time until %d bytes count", budget.heldBytes())
            .isLessThan(PATIENCE.toNanos());
      }
      client.shutdownNow();
      server.shutdownNow();
    }
  }

  private static void serve(ManagedChannel honest) {
    TestServiceClient.of(honest)
        .withDeadline(PATIENCE)
        .unaryCall(SimpleRequest.getDefaultInstance());
  }

  /** A stream that waits: what its connection holds is more than a small holder does. */
  private void openStream(ManagedChannel honest) {
    honest
        .newCall(TestServiceMethods.STREAMING_INPUT_CALL, CallOptions.DEFAULT)
        .start(new End(ends));
  }

  private record End(Queue<Status> ends)
      implements ClientCall.Listener<StreamingInputCallResponse> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.add(status);
    }
  }
}
