package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.Limits;
import dev.gannet.http2.WindowLimits;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.http2.hpack.HeaderField;
import dev.gannet.http2.hpack.HeaderList;
import dev.gannet.server.Server;
import dev.gannet.transport.memory.SpareArrays;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What one connection can make the other end hold is bounded, whatever it is made of, and those who
 * behave go on beside it.
 */
final class HeldMemoryTest {
  private static final int MIB = 1 << 20;

  /** What a connection may hold, and one message. Its window stays open beyond that. */
  private static final long MAX_HELD_BYTES = (4 + 4) * MIB;

  /**
   * Parts of messages lie in arrays that are at most twice as long, or six times and a quarter if
   * such arrays lie ready; whether they do hangs on what ran before.
   */
  private static final long MAX_MEMORY_BYTES = (25 + 4) * MIB;

  /** What is not worth being reported, frames on their way among it, and a connection's objects. */
  private static final long NOTHING_BYTES = 64 << 10;

  /** What an open call counts, with headers like those of these tests. */
  private static final long CALL_BYTES = 2 << 10;

  private static final int STREAMS = 256;

  private static final Limits CLOSED_STREAMS =
      Limits.DEFAULT.withWindows(WindowLimits.fixed(1, Limits.INITIAL_WINDOW_BYTES));

  private final Simulation simulation = new Simulation();
  private final MemoryBudget serverMemory = MemoryBudget.ofBytes(1L << 30);
  private final MemoryBudget clientMemory = MemoryBudget.ofBytes(1L << 30);

  private Server serve(HeldCalls handler) {
    simulation.with(Texts.BIDI, handler);
    return Simulation.start(simulation.serverBuilder().memoryBudget(serverMemory));
  }

  private ManagedChannel channel() {
    return simulation.channelBuilder().memoryBudget(clientMemory).build();
  }

  private List<Http2Stream> beginsManyMessages(ObedientClient attacker, int partBytes) {
    List<Http2Stream> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      Http2Stream stream = attacker.opens(Texts.BIDI);
      streams.add(stream);
      attacker.begins(stream, 4 * MIB, partBytes);
      simulation.run();
    }
    return streams;
  }

  @Test
  void memoryOfIncompleteMessagesIsLimitedForAllStreamsTogether() {
    serve(new HeldCalls());
    ObedientClient attacker = ObedientClient.connect(simulation);
    beginsManyMessages(attacker, 4 * MIB - 1);
    assertThat(attacker.bytesSent()).isBetween(4L * MIB, MAX_HELD_BYTES);
    assertThat(serverMemory.heldBytes()).isLessThan(MAX_MEMORY_BYTES);
    assertThat(attacker.isClosed()).isFalse();
  }

  @Test
  void incompleteMessagesOccupyFewPooledArrays() {
    serve(new HeldCalls());
    ObedientClient attacker = ObedientClient.connect(simulation);
    for (int i = 0; i < STREAMS; i++) {
      SpareArrays.SHARED.give(SpareArrays.SHARED.take(4 * MIB)); // as honest messages would
      attacker.begins(attacker.opens(Texts.BIDI), 4 * MIB, 4 * MIB / 5 + 1);
      simulation.run();
    }
    assertThat(serverMemory.heldBytes()).isLessThan(MAX_MEMORY_BYTES);
    assertThat(attacker.isClosed()).isFalse();
  }

  @Test
  void incompleteMessagesWithoutProgressEndTheirCalls() {
    serve(new HeldCalls());
    ObedientClient attacker = ObedientClient.connect(simulation);
    for (int i = 0; i < 16; i++) {
      attacker.begins(attacker.opens(Texts.BIDI), 4 * MIB, 900_000);
      simulation.run();
    }
    simulation.advance(Duration.ofMinutes(10));
    assertThat(serverMemory.heldBytes()).isLessThan(MIB + NOTHING_BYTES);
    assertThat(attacker.ended()).isNotEmpty();
  }

  @Test
  void aMessageThatArrivesSlowlyIsTolerated() {
    HeldCalls held = new HeldCalls();
    serve(held);
    ObedientClient slow = ObedientClient.connect(simulation);
    Http2Stream stream = slow.opens(Texts.BIDI);
    slow.begins(stream, 3 * MIB, 2 * MIB);
    simulation.run();
    for (int i = 0; i < 1024; i++) {
      simulation.advance(Duration.ofSeconds(10));
      slow.goesOn(stream, 1024);
      simulation.run();
    }
    assertThat(slow.ended()).isEmpty();
    assertThat(held.only().messages()).hasSize(1);
    assertThat(serverMemory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void aSlowMessageDoesNotKeepTheOthersWaiting() {
    HeldCalls held = new HeldCalls();
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream slow = client.opens(Texts.BIDI);
    client.begins(slow, 4 * MIB, 100_000);
    simulation.run();
    for (int i = 0; i < 12; i++) {
      client.begins(client.opens(Texts.BIDI), 3 * MIB, 3 * MIB);
      simulation.run();
    }
    for (int i = 0; i < 60; i++) {
      simulation.advance(Duration.ofSeconds(10));
      client.goesOn(slow, 1024);
      simulation.run();
    }
    assertThat(client.ended()).isEmpty();
    assertThat(held.all().stream().filter(call -> call.messages().size() == 1)).hasSize(12);
  }

  private void serveWithSmallWindows(HeldCalls handler) {
    simulation.with(Texts.BIDI, handler);
    Simulation.start(
        simulation
            .serverBuilder()
            .transportLimits(it ->
                it.withFlowControlWindows(Limits.INITIAL_WINDOW_BYTES, Limits.INITIAL_WINDOW_BYTES))
            .memoryBudget(serverMemory));
  }

  @Test
  void withSmallWindowsSlowMessagesAllArrive() {
    HeldCalls held = new HeldCalls();
    serveWithSmallWindows(held);
    ObedientClient client = ObedientClient.connect(simulation);
    List<Http2Stream> streams = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      streams.add(client.opens(Texts.BIDI));
      client.begins(streams.get(i), MIB, 0);
    }
    for (int sent = 0; sent < MIB; sent += 4096) {
      simulation.advance(Duration.ofSeconds(10));
      streams.forEach(it -> client.goesOn(it, 4096));
      simulation.run();
    }
    simulation.advance(Duration.ofMinutes(10));
    assertThat(client.ended()).isEmpty();
    assertThat(held.all().stream().filter(call -> call.messages().size() == 1)).hasSize(3);
  }

  @Test
  void withSmallWindowsAStalledMessageDoesNotBlockOthers() {
    HeldCalls held = new HeldCalls();
    serveWithSmallWindows(held);
    ObedientClient client = ObedientClient.connect(simulation);
    client.begins(client.opens(Texts.BIDI), MIB, 100_000);
    simulation.run();
    for (int i = 0; i < 4; i++) {
      client.begins(client.opens(Texts.BIDI), 200_000, 200_000);
      simulation.run();
    }
    simulation.advance(Duration.ofMinutes(2));
    assertThat(held.all().stream().filter(call -> call.messages().size() == 1)).hasSize(4);
    assertThat(client.ended()).isEmpty();
  }

  @Test
  void withSmallWindowsAStalledMessageThatLeavesNoRoomEndsItsCall() {
    HeldCalls held = new HeldCalls();
    serveWithSmallWindows(held);
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream stalled = client.opens(Texts.BIDI);
    client.begins(stalled, MIB, 500_000);
    simulation.run();
    client.begins(client.opens(Texts.BIDI), 300_000, 300_000);
    simulation.run();
    simulation.advance(Duration.ofMinutes(2));
    assertThat(held.all().stream().filter(call -> call.messages().size() == 1)).hasSize(1);
    assertThat(client.ended()).containsExactly(stalled.id());
  }

  @Test
  void aSmallIncompleteMessageMayWaitForever() {
    serve(new HeldCalls());
    ObedientClient slow = ObedientClient.connect(simulation);
    Http2Stream stream = slow.opens(Texts.BIDI);
    slow.begins(stream, MIB, MIB / 2);
    simulation.advance(Duration.ofHours(10));
    assertThat(slow.ended()).isEmpty();
  }

  @Test
  void aMessageCompletesAfterStalledOnesWereDropped() {
    HeldCalls held = new HeldCalls();
    serve(held);
    ObedientClient attacker = ObedientClient.connect(simulation);
    for (int i = 0; i < 40; i++) {
      attacker.begins(attacker.opens(Texts.BIDI), 4 * MIB, 100_000);
    }
    attacker.begins(attacker.opens(Texts.BIDI), 3 * MIB, 3 * MIB);
    simulation.advance(Duration.ofMinutes(2));
    assertThat(held.all().getLast().messages()).hasSize(1);
  }

  @Test
  void manyLongMessagesAtOnceAllArrive() {
    HeldCalls held = new HeldCalls();
    serve(held);
    ManagedChannel channel = channel();
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(MadeCall.start(channel, Texts.BIDI).says(Texts.ofLength(2 * MIB)));
    }
    simulation.run();
    assertThat(held.all()).hasSize(20).allMatch(call -> call.messages().size() == 1);
    assertThat(calls).noneMatch(MadeCall::isClosed);
    assertThat(serverMemory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void aLongUnrequestedMessageStaysWithinItsWindow() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    client.begins(client.opens(Texts.BIDI), 3 * MIB, 3 * MIB);
    simulation.run();
    assertThat(client.bytesSent()).isLessThan(2 * MIB);
    held.only().call().request(1);
    simulation.run();
    assertThat(held.only().messages()).hasSize(1);
  }

  @Test
  void longUnrequestedMessagesDoNotBlockOthers() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    for (int i = 0; i < 20; i++) {
      client.begins(client.opens(Texts.BIDI), 4 * MIB, 4 * MIB);
      simulation.run();
    }
    client.begins(client.opens(Texts.BIDI), 3 * MIB, 3 * MIB);
    simulation.run();
    held.all().getLast().call().request(1);
    simulation.run();
    assertThat(held.all().getLast().messages()).hasSize(1);
    held.all().forEach(call -> call.call().request(1));
    simulation.run();
    assertThat(held.all()).allMatch(call -> call.messages().size() == 1);
  }

  @Test
  void unreadMessagesAreLimitedForAllStreamsTogether() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient attacker = ObedientClient.connect(simulation);
    for (int i = 0; i < STREAMS; i++) {
      Http2Stream stream = attacker.opens(Texts.BIDI);
      for (int j = 0; j < 20; j++) {
        attacker.begins(stream, 10_000, 10_000);
      }
      simulation.run();
    }
    assertThat(serverMemory.heldBytes()).isLessThan(MAX_HELD_BYTES);
    assertThat(attacker.bytesSent()).isLessThan(MAX_HELD_BYTES);
    held.all().forEach(call -> call.call().request(1000));
    simulation.run();
    assertThat(held.all()).allMatch(call -> call.messages().size() == 20);
    assertThat(serverMemory.heldBytes()).isLessThan(STREAMS * CALL_BYTES + NOTHING_BYTES);
  }

  @Test
  void headersOfCallsThatWaitForTheirRequestCount() {
    serve(new HeldCalls());
    ObedientClient client = ObedientClient.connect(simulation);
    Metadata metadata = new Metadata();
    metadata.add(Metadata.Key.ascii("note"), "n".repeat(6_000));
    for (int i = 0; i < 200; i++) {
      client.opens(Texts.BIDI, metadata);
    }
    simulation.run();
    assertThat(serverMemory.heldBytes()).isGreaterThan(200 * 6_000);
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(serverMemory.heldBytes()).isZero();
  }

  @Test
  void joinedHeaderValuesCountWithTheirSizeInMemory() {
    serve(new HeldCalls());
    ObedientClient client = ObedientClient.connect(simulation);
    HeaderList joined = HeaderList.of(HeaderField.of("x-bin", "AA,".repeat(250) + "AA"));
    for (int i = 0; i < 100; i++) {
      client.opens(Texts.BIDI, joined);
    }
    simulation.run();
    assertThat(serverMemory.heldBytes()).isGreaterThan(100 * 10_000);
    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void waitingMessagesStayCompressed() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ManagedChannel channel = channel();
    CallOptions gzip = CallOptions.DEFAULT.withCompression("gzip");
    for (int i = 0; i < 10; i++) {
      MadeCall call = MadeCall.start(channel, Texts.BIDI, gzip);
      for (int j = 0; j < 3; j++) {
        call.says(Texts.ofLength(MIB));
      }
    }
    simulation.run();
    assertThat(serverMemory.heldBytes()).isLessThan(MIB);
    held.all().forEach(call -> call.call().request(1000));
    simulation.run();
    assertThat(held.all()).allMatch(call -> call.messages().size() == 3);
    assertThat(serverMemory.heldBytes()).isLessThan(10 * CALL_BYTES + NOTHING_BYTES);
  }

  @Test
  void manySmallUnreadMessagesDoNotBlockOthers() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream unread = client.opens(Texts.BIDI);
    for (int i = 0; i < 200_000; i++) {
      client.begins(unread, 0, 0);
    }
    simulation.run();
    assertThat(serverMemory.heldBytes()).as("with their objects").isGreaterThan(20 * MIB);
    Http2Stream other = client.opens(Texts.BIDI);
    client.begins(other, 3 * MIB, 3 * MIB);
    simulation.run();
    held.all().getLast().call().request(1);
    simulation.run();
    assertThat(held.all().getLast().messages()).hasSize(1);
  }

  @Test
  void aClosedConnectionIsNotCountedWhateverItsHandlersDo() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient attacker = ObedientClient.connect(simulation, CLOSED_STREAMS);
    for (int i = 0; i < 20; i++) {
      attacker.opens(Texts.BIDI);
    }
    simulation.run();
    held.all().forEach(served -> served.answers(Texts.ofLength(100_000)));
    simulation.run();
    assertThat(serverMemory.heldBytes()).isPositive();
    attacker.breaksARule();
    simulation.run();
    assertThat(serverMemory.heldBytes()).isZero();
    held.all().forEach(HeldCall::ends);
    simulation.run();
    assertThat(serverMemory.heldBytes()).isZero();
  }

  @Test
  void unreadMessagesOfAnEndedCallCountUntilTheyAreRead() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    MadeCall call = MadeCall.start(channel(), Texts.BIDI);
    simulation.run();
    for (int i = 0; i < 50; i++) {
      held.only().answers(Texts.ofLength(10_000));
    }
    held.only().ends();
    simulation.run();
    assertThat(clientMemory.heldBytes()).isGreaterThan(400_000);
    call.wants(50);
    simulation.run();
    assertThat(call.messages()).hasSize(50);
    assertThat(clientMemory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void unreadMessagesOfEndedCallsDoNotBlockOthersForever() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ManagedChannel channel = channel();
    List<MadeCall> left = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      left.add(MadeCall.start(channel, Texts.BIDI));
      simulation.run();
      for (int j = 0; j < 6; j++) {
        held.all().getLast().answers(Texts.ofLength(10_000));
      }
      held.all().getLast().ends();
      simulation.run();
    }
    assertThat(clientMemory.heldBytes()).isGreaterThan(2 * MIB);
    simulation.advance(Duration.ofSeconds(41));
    assertThat(clientMemory.heldBytes()).isLessThan(MIB + NOTHING_BYTES);

    left.forEach(call -> call.wants(6)); // it is there all the same
    simulation.run();
    assertThat(left).allSatisfy(call -> assertThat(call.messages()).hasSize(6));
    assertThat(clientMemory.heldBytes()).isLessThan(NOTHING_BYTES);
  }

  @Test
  void anEndedCallThatIsReadSlowlyCountsUntilItIsRead() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ManagedChannel channel = channel();
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      calls.add(MadeCall.start(channel, Texts.BIDI));
      simulation.run();
      for (int j = 0; j < 9; j++) {
        held.all().getLast().answers(Texts.ofLength(10_000));
      }
      held.all().getLast().ends();
      simulation.run();
    }
    for (int i = 0; i < 4; i++) {
      calls.forEach(call -> call.wants(1));
      simulation.advance(Duration.ofSeconds(19));
    }
    assertThat(clientMemory.heldBytes()).isGreaterThan(30 * 5 * 10_000);
  }

  @Test
  void messagesThatWereTakenNoLongerCount() {
    HeldCalls held = new HeldCalls(10);
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    for (int i = 0; i < STREAMS; i++) {
      client.begins(client.opens(Texts.BIDI), 60_000, 60_000);
      simulation.run();
    }
    assertThat(held.all()).allMatch(call -> call.messages().size() == 1);
    assertThat(serverMemory.heldBytes()).isLessThan(2 * MIB + STREAMS * CALL_BYTES);
    assertThat(client.streamWindowBytes()).as("not cut").isEqualTo(MIB);
  }

  @Test
  void aMessageBegunBeforeItsWindowWasReducedCanBeCompleted() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient client = ObedientClient.connect(simulation);
    Http2Stream begun = client.opens(Texts.BIDI);
    client.begins(begun, 400_000, 100_000);
    simulation.run();
    HeldCall waiting = held.only();
    waiting.call().request(1);
    for (int i = 0; i < 60; i++) {
      client.begins(client.opens(Texts.BIDI), 50_000, 50_000);
      simulation.run();
    }
    client.goesOn(begun, 300_000);
    simulation.run();
    assertThat(waiting.messages()).hasSize(1);
  }

  @Test
  void unreadStreamsNeverBlockOthers() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ManagedChannel channel = channel();
    for (int i = 0; i < 100; i++) {
      MadeCall.start(channel, Texts.BIDI);
      simulation.run();
      HeldCall served = held.all().getLast();
      for (int j = 0; served.call().isReady() && j < 1000; j++) {
        served.answers(Texts.ofLength(10_000));
        simulation.run();
      }
    }
    assertThat(clientMemory.heldBytes()).isBetween(2L * MIB, MAX_HELD_BYTES);
    assertThat(serverMemory.heldBytes()).isLessThan(3 * MIB);

    MadeCall busy = MadeCall.start(channel, Texts.BIDI).wants(1_000_000);
    simulation.run();
    HeldCall busyServed = held.all().getLast();
    for (int i = 0; i < 500; i++) {
      assertThat(busyServed.call().isReady()).as("ready for message %d", i).isTrue();
      busyServed.answers(Texts.ofLength(10_000));
      simulation.run();
    }
    assertThat(busy.messages()).hasSize(500);
  }

  @Test
  void callsBecomeReadyAgainWhenMemoryIsFree() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ManagedChannel channel = channel();
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      calls.add(MadeCall.start(channel, Texts.BIDI));
      simulation.run();
      HeldCall served = held.all().getLast();
      for (int j = 0; served.call().isReady() && j < 1000; j++) {
        served.answers(Texts.ofLength(10_000));
        simulation.run();
      }
    }
    assertThat(held.all()).noneMatch(served -> served.call().isReady());
    calls.forEach(call -> call.wants(1000));
    simulation.run();
    assertThat(held.all()).allMatch(served -> served.call().isReady());
    assertThat(held.all()).allMatch(served -> served.readies() > 1);
    assertThat(clientMemory.heldBytes()).isLessThan(NOTHING_BYTES);
    assertThat(serverMemory.heldBytes()).isLessThan(40 * CALL_BYTES + NOTHING_BYTES);
  }

  @Test
  void bytesQueuedForAClosedWindowAreLimitedForAllCallsTogether() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient attacker = ObedientClient.connect(simulation, CLOSED_STREAMS);
    handlersAnswerAtOnce(attacker, held);
    assertThat(serverMemory.heldBytes()).isLessThan(MIB);
  }

  @Test
  void bytesQueuedForAPeerThatDoesNotReadAreLimitedForAllCallsTogether() {
    HeldCalls held = new HeldCalls(0);
    serve(held);
    ObedientClient attacker = ObedientClient.connect(simulation);
    attacker.stopsReading();
    handlersAnswerAtOnce(attacker, held);
    assertThat(serverMemory.heldBytes()).isLessThan(MIB);
  }

  /** As many threads would: none of them waits for what the loop says to the others. */
  private void handlersAnswerAtOnce(ObedientClient attacker, HeldCalls held) {
    for (int i = 0; i < STREAMS; i++) {
      attacker.opens(Texts.BIDI);
    }
    simulation.run();
    assertThat(held.all()).hasSize(STREAMS);
    for (int round = 0; round < 10; round++) {
      for (HeldCall served : held.all()) {
        for (int j = 0; served.call().isReady() && j < 100; j++) {
          served.answers(Texts.ofLength(32 << 10));
        }
      }
      simulation.run();
    }
  }

  @Test
  void theConnectionThatHoldsMostLosesItsCallsWhenMemoryIsShort() {
    MemoryBudget small = MemoryBudget.ofBytes(6 * MIB);
    HeldCalls held = new HeldCalls(0);
    simulation.with(Texts.BIDI, held);
    Server server = Simulation.start(simulation.serverBuilder().memoryBudget(small));
    List<ObedientClient> attackers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      attackers.add(ObedientClient.connect(simulation));
    }
    MadeCall honest = MadeCall.start(channel(), Texts.BIDI);
    simulation.run();
    HeldCall honestServed = held.only();
    for (ObedientClient attacker : attackers) {
      for (int i = 0; i < 20 && !attacker.isClosed(); i++) {
        attacker.begins(attacker.opens(Texts.BIDI), 60_000, 59_000);
        simulation.run();
      }
    }
    assertThat(small.heldBytes()).isLessThan(6 * MIB);
    assertThat(attackers).anyMatch(attacker -> !attacker.resets().isEmpty());
    assertThat(attackers)
        .flatExtracting(attacker -> attacker.resets().values())
        .containsOnly(ErrorCode.ENHANCE_YOUR_CALM);
    assertThat(server.peerFaults()).containsKey(PeerFault.MEMORY_EXHAUSTED);
    honest.says("still here");
    honestServed.call().request(1);
    simulation.run();
    assertThat(honestServed.messages()).containsExactly("still here");
  }

  @Test
  void aClosedConnectionHoldsNoMemory() {
    serve(new HeldCalls());
    ObedientClient attacker = ObedientClient.connect(simulation);
    beginsManyMessages(attacker, 4 * MIB - 1);
    assertThat(serverMemory.heldBytes()).isPositive();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(serverMemory.heldBytes()).isLessThan(NOTHING_BYTES);
  }
}
