package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Unary responses are queued whole, so a client that does not read them could make a server keep
 * any number of them. If memory becomes short because of this, such clients lose their responses.
 */
final class UnreadAnswersTest {
  private static final int MIB = 1 << 20;
  private static final int BUDGET_BYTES = 8 * MIB;
  private static final int FULL = BUDGET_BYTES / 2 / MIB + 1; // answers of a MiB
  private static final int INITIAL_WINDOW_BYTES = 65_535;
  private static final String WORDS =
      "the client does not read its responses, and its connection has used its part of the"
          + " server's memoryBudget";

  private final HeldCalls unary = new HeldCalls();
  private final HeldCalls streams = new HeldCalls();
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, unary).with(Texts.BIDI, streams);
  private final Server server =
      Simulation.start(simulation.serverBuilder().memoryBudget(MemoryBudget.ofBytes(BUDGET_BYTES)));

  /** A client that reads nothing beyond a stream's first window. */
  private RawPeer reader() {
    RawPeer client =
        simulation.rawClient(
            Limits.DEFAULT.withWindows(WindowLimits.fixed(INITIAL_WINDOW_BYTES, 16 * MIB)));
    simulation.run();
    return client;
  }

  private Http2Stream asks(RawPeer client, MethodDescriptor<?, ?> method) {
    Http2Stream call =
        client.asks(
            EndStream.NO,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + method.fullMethodName(),
            "content-type",
            "application/grpc");
    client.sendsContent(call, "\0\0\0\0\0", EndStream.YES);
    simulation.run();
    return call;
  }

  private HeldCall askedBy(RawPeer client) {
    asks(client, Texts.UNARY);
    return unary.all().getLast();
  }

  private static void answer(HeldCall call, int bytes) {
    call.answers(Texts.ofLength(bytes));
    call.ends();
  }

  @Test
  void aResponseAboveTheShareEndsItsCallInstead() {
    RawPeer client = reader();
    for (int i = 0; i < FULL; i++) {
      answer(askedBy(client), MIB);
    }
    Http2Stream refused = asks(client, Texts.UNARY);
    assertThatThrownBy(() -> answer(unary.all().getLast(), 1)).hasMessageContaining(WORDS);
    simulation.run();
    assertThat(client.heard(refused).field("grpc-status"))
        .isEqualTo(String.valueOf(Status.Code.RESOURCE_EXHAUSTED.value()));
    assertThat(client.heard(refused).field("grpc-message")).isEqualTo(WORDS);
    assertThat(server.peerFaults()).containsExactly(Map.entry(PeerFault.RESPONSES_NOT_READ, 1L));
  }

  @Test
  void aClientThatHasReadItsResponsesGetsMore() {
    RawPeer client = reader();
    Http2Stream first = asks(client, Texts.UNARY);
    answer(unary.all().getLast(), MIB);
    for (int i = 1; i < FULL; i++) {
      answer(askedBy(client), MIB);
    }
    while (!client.heard(first).ended) {
      client.reads(first, INITIAL_WINDOW_BYTES);
      simulation.run();
    }
    answer(askedBy(client), MIB);
  }

  @Test
  void otherConnectionsStillHaveTheirShare() {
    RawPeer client = reader();
    for (int i = 0; i < FULL; i++) {
      answer(askedBy(client), MIB);
    }
    ManagedChannel honest = simulation.channel();
    MadeCall first = MadeCall.whole(honest, Texts.UNARY, "");
    MadeCall second = MadeCall.whole(honest, Texts.UNARY, "");
    simulation.run();
    for (HeldCall call : unary.all().subList(FULL, FULL + 2)) {
      answer(call, MIB);
    }
    simulation.run();
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(second.status()).isEqualTo(Status.OK);
    assertThat(server.peerFaults()).isEmpty();
  }

  @Test
  void theShareIsSmallIfManyConnectionsDoNotRead() {
    for (int i = 0; i < FULL; i++) {
      answer(askedBy(reader()), MIB);
    }
    RawPeer late = reader();
    answer(askedBy(late), MIB);
    assertThatThrownBy(() -> answer(askedBy(late), MIB)).hasMessageContaining(WORDS);
  }

  @Test
  void streamsThatWaitForReadinessAreNotEnded() {
    RawPeer client = reader();
    asks(client, Texts.BIDI);
    HeldCall unread = streams.all().getLast();
    unread.answers(Texts.ofLength(MIB));
    for (int i = 1; i < FULL; i++) {
      answer(askedBy(reader()), MIB);
    }
    HeldCall single = askedBy(client);
    asks(client, Texts.BIDI);
    HeldCall read = streams.all().getLast();
    assertThat(read.call().isReady()).isTrue();
    read.answers("goes out");
    assertThat(unread.call().isReady()).isFalse();
    assertThatThrownBy(() -> unread.answers("unasked")).hasMessageContaining(WORDS);
    assertThatThrownBy(() -> single.answers("too much")).hasMessageContaining(WORDS);
  }
}
