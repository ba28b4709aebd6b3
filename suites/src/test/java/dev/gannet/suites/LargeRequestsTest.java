package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A large request is refused at its beginning where there is no memory for what becomes of it, and
 * nobody loses a connection for that.
 */
final class LargeRequestsTest {
  private static final int MIB = 1 << 20;
  private static final String LARGE = Texts.ofLength(MIB);
  private static final long NOTHING_BYTES = 64 << 10;

  private final HeldCalls unary = new HeldCalls();
  private final HeldCalls streams = new HeldCalls();
  private final Simulation simulation =
      new Simulation().with(Texts.UNARY, unary).with(Texts.BIDI, streams);

  private Server serve(MemoryBudget memory) {
    return Simulation.start(simulation.serverBuilder().memoryBudget(memory));
  }

  private ManagedChannel channel() {
    return simulation.channelBuilder().memoryBudget(MemoryBudget.ofBytes(1L << 30)).build();
  }

  private static void assertRefused(MadeCall call) {
    assertThat(call.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.status().description().orElse("")).contains("memoryBudget");
  }

  @Test
  void aRequestAndItsAnswerCountUntilTheHandlerHasAnswered() {
    MemoryBudget memory = MemoryBudget.ofBytes(64 * MIB);
    serve(memory);
    MadeCall call = MadeCall.whole(channel(), Texts.UNARY, LARGE);
    simulation.run();
    assertThat(unary.only().messages()).hasSize(1);
    assertThat(memory.heldBytes()).isBetween(2L * MIB, 2L * MIB + NOTHING_BYTES);
    unary.only().answers("done");
    unary.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(memory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void aCancelledCallCountsUntilItsHandlerReturns() {
    MemoryBudget memory = MemoryBudget.ofBytes(64 * MIB);
    serve(memory);
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream stream = client.asks(Texts.UNARY, LARGE);
    simulation.run();
    assertThat(memory.heldBytes()).isGreaterThan(2 * MIB);
    client.resets(stream);
    simulation.run();
    assertThat(unary.only().cancels()).isEqualTo(1);
    assertThat(memory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void theMemoryOfAStreamMessageIsReleasedWhenItIsTaken() {
    MemoryBudget memory = MemoryBudget.ofBytes(64 * MIB);
    serve(memory);
    MadeCall.start(channel(), Texts.BIDI).says(LARGE, LARGE);
    simulation.run();
    assertThat(streams.only().messages()).hasSize(2);
    assertThat(memory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void aRequestThatDoesNotFitIsRefusedWhenItBegins() {
    Server server = serve(MemoryBudget.ofBytes(4 * MIB));
    MadeCall.whole(channel(), Texts.UNARY, LARGE);
    simulation.run();
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream stream = client.opens(Texts.UNARY);
    client.begins(stream, MIB, 1);
    simulation.run();
    assertThat(client.ended()).containsExactly(stream.id());
    assertThat(client.isClosed()).isFalse();
    assertThat(server.peerFaults()).containsOnlyKeys(PeerFault.REQUEST_WITHOUT_MEMORY);
  }

  @Test
  void smallRequestsPassAndLargeOnesWhenMemoryIsFreeAgain() {
    serve(MemoryBudget.ofBytes(4 * MIB));
    ManagedChannel channel = channel();
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, LARGE);
    simulation.run();
    MadeCall second = MadeCall.whole(channel, Texts.UNARY, LARGE);
    MadeCall small = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(60_000));
    simulation.run();
    assertRefused(second);
    assertThat(unary.all().getLast().messages()).hasSize(1);
    for (HeldCall call : List.of(unary.all().getFirst(), unary.all().getLast())) {
      call.answers("done");
      call.ends();
    }
    simulation.run();
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(small.status()).isEqualTo(Status.OK);
    MadeCall third = MadeCall.whole(channel, Texts.UNARY, LARGE);
    simulation.run();
    assertThat(unary.all().getLast().messages()).hasSize(1);
    assertThat(third.isClosed()).isFalse();
  }

  @Test
  void someOfManyLargeRequestsAreServedAndNoConnectionIsClosed() {
    MemoryBudget memory = MemoryBudget.ofBytes(12 * MIB);
    Server server = serve(memory);
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      ManagedChannel channel = channel();
      for (int j = 0; j < 4; j++) {
        calls.add(MadeCall.whole(channel, Texts.UNARY, LARGE));
      }
    }
    simulation.run();
    List<MadeCall> refused = calls.stream().filter(MadeCall::isClosed).toList();
    assertThat(refused).allSatisfy(LargeRequestsTest::assertRefused);
    assertThat(calls.size() - refused.size()).isBetween(3, 6);
    assertThat(memory.heldBytes()).isLessThan(12 * MIB);
    assertThat(server.peerFaults()).doesNotContainKey(PeerFault.MEMORY_EXHAUSTED);
  }

  @Test
  void aMessageAsLongAsTheBudgetIsReceivedIfNothingElseIsHeld() {
    Server server = serve(MemoryBudget.ofBytes(4 * MIB + MIB / 4));
    MadeCall.whole(channel(), Texts.UNARY, Texts.ofLength(4 * MIB));
    simulation.run();
    assertThat(unary.only().messages()).hasSize(1);
    assertThat(server.peerFaults()).isEmpty();
  }

  @Test
  void idleConnectionsAreClosedToMakeRoom() {
    serve(MemoryBudget.ofBytes(4 * MIB));
    ObedientClient idle = ObedientClient.connect(simulation);
    for (int i = 0; i < 30; i++) {
      idle.begins(idle.opens(Texts.BIDI), 60_000, 59_000);
    }
    simulation.run();
    simulation.advance(Duration.ofSeconds(6));
    MadeCall.whole(channel(), Texts.UNARY, LARGE);
    simulation.run();
    assertThat(unary.only().messages()).hasSize(1);
  }

  private static boolean isScarce(MemoryBudget memory) {
    return ConnectionLimits.of(TransportSettings.OF_SERVERS.with(memory)).memory().isScarce();
  }

  @Test
  void whenMemoryIsScarceStalledRequestsEndHoweverSmall() {
    MemoryBudget memory = MemoryBudget.ofBytes(8 * MIB);
    serve(memory);
    ObedientClient little = ObedientClient.connect(simulation);
    little.begins(little.opens(Texts.BIDI), 10_000, 5_000);
    little.opens(Texts.UNARY);
    little.opens(Texts.BIDI); // which waits, and has begun no message
    MadeCall.whole(channel(), Texts.UNARY, Texts.ofLength(2 * MIB));
    simulation.run();
    assertThat(isScarce(memory)).isFalse();
    simulation.advance(Duration.ofMinutes(1));
    assertThat(little.ended()).isEmpty();
    MadeCall.whole(channel(), Texts.UNARY, Texts.ofLength(MIB / 2));
    simulation.run();
    assertThat(isScarce(memory)).isTrue();
    simulation.advance(Duration.ofSeconds(4));
    assertThat(little.ended()).isEmpty();
    simulation.advance(Duration.ofSeconds(12));
    assertThat(little.ended()).containsExactlyInAnyOrder(1, 3);
    assertThat(little.isClosed()).isFalse();
  }

  @Test
  void whenMemoryIsScarceRequestsThatMakeProgressContinue() {
    MemoryBudget memory = MemoryBudget.ofBytes(8 * MIB);
    serve(memory);
    ObedientClient slow = ObedientClient.connect(simulation);
    Http2Stream stream = slow.opens(Texts.BIDI);
    slow.begins(stream, MIB, 5_000);
    MadeCall.whole(channel(), Texts.UNARY, Texts.ofLength(2 * MIB));
    MadeCall.whole(channel(), Texts.UNARY, Texts.ofLength(3 * MIB / 4));
    simulation.run();
    assertThat(isScarce(memory)).isTrue();
    for (int second = 0; second < 60; second++) {
      slow.goesOn(stream, 512);
      simulation.advance(Duration.ofSeconds(1));
    }
    assertThat(slow.ended()).isEmpty();
  }
}
