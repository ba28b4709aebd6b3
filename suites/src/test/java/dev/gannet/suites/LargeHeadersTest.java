package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server announces how large header lists may be (RFC 9113 §6.5.2), and may close the connection
 * of a client that sends far more: so a call with larger headers fails before it is sent.
 */
final class LargeHeadersTest {
  private static final int MAX_BYTES = 1000;
  private static final int MAX_CALLS = 1;
  private static final int MANY = 5_000;
  private static final Metadata.Key<String> WORDS = Metadata.Key.ascii("words");

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(
        simulation
            .serverBuilder()
            .maxConcurrentCallsPerConnection(MAX_CALLS)
            .maxInboundMetadataBytes(MAX_BYTES));
    channel = simulation.channel();
  }

  @Test
  void headersOverTheServersLimitEndOnlyTheirCall() {
    MadeCall large = call(10 * MAX_BYTES);
    MadeCall other = MadeCall.start(channel, Texts.BIDI).wants(1).says("a");
    simulation.run();
    assertThat(large.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(large.status().description().orElse(""))
        .startsWith("the request's headers of 10")
        .endsWith(
            "exceed the server's limit of 1000 (SETTINGS_MAX_HEADER_LIST_SIZE;"
                + " maxInboundMetadataBytes of a ServerBuilder)");
    held.only().answers("b");
    simulation.run();
    assertThat(other.messages()).containsExactly("b");
  }

  /** Before the server has spoken, too. */
  @Test
  void theFirstCallOfAConnectionIsMeasuredAsWell() {
    MadeCall large = call(10 * MAX_BYTES);
    simulation.run();
    assertThat(large.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void waitingCallsWithOversizedHeadersEndWhenAStreamIsFree() {
    MadeCall first = MadeCall.start(channel, Texts.BIDI).wants(1).says("a").halfCloses();
    simulation.run();
    List<MadeCall> waiting = Stream.generate(() -> call(2 * MAX_BYTES)).limit(MANY).toList();
    simulation.run();
    assertThat(waiting).noneMatch(MadeCall::isClosed);
    held.only().ends();
    simulation.run();
    assertThat(first.code()).isEqualTo(Status.Code.OK);
    assertThat(waiting).allMatch(it -> it.code() == Status.Code.RESOURCE_EXHAUSTED);
  }

  @Test
  void headersWithinTheLimitAreSent() {
    MadeCall fitting = call(MAX_BYTES / 4);
    simulation.run();
    assertThat(held.all()).hasSize(1);
    assertThat(fitting.isClosed()).isFalse();
  }

  private MadeCall call(int bytes) {
    Metadata headers = new Metadata();
    headers.add(WORDS, "w".repeat(bytes));
    return MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT, headers).says("large");
  }
}
