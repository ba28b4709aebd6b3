package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.ErrorCode;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import dev.gannet.transport.memory.MemoryLimiter;
import dev.gannet.transport.settings.ConnectionLimits;
import dev.gannet.transport.settings.TransportSettings;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens to calls when memory is short: which new ones are refused, and whose end. Refused
 * calls may be sent again (REFUSED_STREAM).
 */
final class CallsWithoutMemoryTest {
  private static final int MIB = 1 << 20;
  private static final int PART_BYTES = 60_000; // connections report in steps of 64 KiB

  private final MemoryBudget budget = MemoryBudget.ofBytes(4 * MIB);
  private final Simulation simulation = new Simulation();
  private final TracedRequests seen = new TracedRequests();
  private final HeldCalls held = new HeldCalls();

  /** A connection that does not give back what it holds. */
  private MemoryLimiter.Share stubborn;

  private ObedientClient client;
  private Server server;

  private record Stubborn() implements MemoryLimiter.Member {
    @Override
    public void onShed(String why) {}

    @Override
    public void onScarce() {}
  }

  private MemoryLimiter.Share joinStubborn() {
    return ConnectionLimits.of(TransportSettings.OF_SERVERS.with(budget))
        .memory()
        .join(new InetSocketAddress("192.0.2.9", 1), 0, new Stubborn());
  }

  @BeforeEach
  void serve() {
    simulation.with(Texts.UNARY, CallsWithoutMemoryTest::answer).with(Texts.BIDI, held);
    server = Simulation.start(simulation.serverBuilder().memoryBudget(budget).addTracer(seen));
    client = ObedientClient.connect(simulation);
    stubborn = joinStubborn();
  }

  private static ServerCall.Listener<String> answer(
      ServerCall<String, String> call, Metadata headers) {
    call.sendMessage("hello");
    call.close(Status.OK, new Metadata());
    return new ServerCall.Listener<>() {};
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
    simulation.run();
  }

  private void exceedTheBudget() {
    stubborn.report(5 * MIB, 5 * MIB, 0);
  }

  /** One who is served so much that all others are told to give back what they hold before him. */
  private void takeAllMemory() {
    MemoryLimiter.Share busy = joinStubborn();
    busy.onServed(1_000_000, 0);
    busy.report(4 * MIB, 4 * MIB, 0);
    simulation.run();
    busy.leave();
  }

  private Http2Stream begin() {
    Http2Stream stream = client.opens(Texts.BIDI);
    client.begins(stream, MIB, PART_BYTES);
    simulation.run();
    return stream;
  }

  @Test
  void aConnectionOnWhichNoCallWasServedMayHaveOneCall() {
    exceedTheBudget();
    Http2Stream first = begin();
    Http2Stream second = begin();
    assertThat(client.resets()).containsExactly(Map.entry(second.id(), ErrorCode.REFUSED_STREAM));
    assertThat(held.only().cancels()).as("stream %s", first.id()).isZero();
  }

  @Test
  void aCallAfterAnotherIsServed() {
    exceedTheBudget();
    for (int i = 0; i < 3; i++) {
      client.asks(Texts.UNARY, "hello");
      simulation.run();
    }
    assertThat(client.ended()).hasSize(3);
    assertThat(client.resets()).isEmpty();
  }

  @Test
  void aConnectionOnWhichACallWasServedMayHaveMany() {
    client.asks(Texts.UNARY, "hello");
    simulation.run();
    exceedTheBudget();
    for (int i = 0; i < 5; i++) {
      begin();
    }
    assertThat(client.resets()).isEmpty();
  }

  @Test
  void callsAreAdmittedAgainWhenThereIsMemory() {
    exceedTheBudget();
    begin();
    stubborn.leave();
    begin();
    assertThat(client.resets()).isEmpty();
  }

  @Test
  void aRefusedCallIsTracedAndCounted() {
    exceedTheBudget();
    begin();
    begin();
    assertThat(server.peerFaults()).containsEntry(PeerFault.CALL_WITHOUT_MEMORY, 1L);
    assertThat(seen.all().getLast().end().description())
        .hasValueSatisfying(words -> assertThat(words).contains("memoryBudget is exceeded"));
  }

  @Test
  void aConnectionOnWhichNoCallWasServedLosesItsCallsOnceAndThenItself() {
    Http2Stream first = begin();
    takeAllMemory();
    assertThat(client.resets()).containsExactly(Map.entry(first.id(), ErrorCode.ENHANCE_YOUR_CALM));
    assertThat(held.only().cancels()).isEqualTo(1);
    assertThat(client.goAway()).isEmpty();
    begin();
    takeAllMemory();
    assertThat(client.goAway()).contains(ErrorCode.ENHANCE_YOUR_CALM);
    assertThat(server.peerFaults()).containsEntry(PeerFault.MEMORY_EXHAUSTED, 2L);
  }

  @Test
  void aConnectionOnWhichACallWasServedIsClosed() {
    client.asks(Texts.UNARY, "hello");
    begin();
    takeAllMemory();
    assertThat(client.goAway()).contains(ErrorCode.ENHANCE_YOUR_CALM);
  }

  @Test
  void aConnectionThatHasLostItsCallsIsServed() {
    begin();
    takeAllMemory();
    client.asks(Texts.UNARY, "hello");
    simulation.run();
    assertThat(client.ended()).hasSize(2);
    assertThat(client.resets()).hasSize(1);
  }

  @Test
  void aConnectionThatHasLostItsCallsCountsWithWhatItHoldsNow() {
    begin();
    assertThat(budget.heldBytes()).isGreaterThan(PART_BYTES);
    takeAllMemory();
    assertThat(budget.heldBytes()).isLessThan(PART_BYTES);
    begin();
    assertThat(budget.heldBytes()).isGreaterThan(PART_BYTES);
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void aRefusedCallFreesItsStream() {
    exceedTheBudget();
    begin();
    for (int i = 0; i < 2_000; i++) { // more than may be open at a time
      client.asks(Texts.BIDI, "hello");
      simulation.run();
    }
    assertThat(client.resets()).hasSize(2_000);
    assertThat(client.isClosed()).isFalse();
  }
}
