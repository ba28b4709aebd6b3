package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.api.transport.MemoryBudget;
import dev.gannet.client.ManagedChannel;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server has so many calls of a connection under way at once, and the others wait their turn. */
final class ConcurrencyLimitTest {
  private static final int LIMIT = 100;
  private static final int CALLS = 300;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().maxConcurrentCallsPerConnection(LIMIT));
    channel = simulation.channel();
  }

  private List<MadeCall> makeCalls() {
    List<MadeCall> calls = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      calls.add(MadeCall.whole(channel, Texts.UNARY, "" + i));
    }
    return calls;
  }

  @Test
  void callsOverTheLimitStartInTheirOrderAsOthersEnd() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT);
    for (int i = 0; i < CALLS; i++) {
      HeldCall served = held.all().get(i);
      served.answers("answer " + i);
      served.ends();
      simulation.run();
      assertThat(held.all()).hasSize(Math.min(CALLS, LIMIT + i + 1));
    }
    assertThat(held.all().stream().map(call -> call.messages().getFirst()))
        .containsExactlyElementsOf(IntStream.range(0, CALLS).mapToObj(String::valueOf).toList());
    assertThat(calls).allMatch(call -> call.status().isOk() && call.heard().closes() == 1);
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void callsThatStartOnAReadyConnectionWaitToo() {
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    List<MadeCall> calls = makeCalls();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT);
    for (int i = 0; i <= CALLS; i++) {
      held.all().get(i).answers("");
      held.all().get(i).ends();
      simulation.run();
    }
    assertThat(first.status()).isEqualTo(Status.OK);
    assertThat(calls).allMatch(call -> call.status().isOk());
  }

  @Test
  void aCallMayBeCancelledWhileItWaits() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    calls.get(LIMIT).call().cancel("bored");
    simulation.run();
    assertThat(calls.get(LIMIT).code()).isEqualTo(Status.Code.CANCELLED);
    held.all().getFirst().answers("");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT + 1);
    assertThat(held.all().getLast().messages()).containsExactly("" + (LIMIT + 1));
  }

  @Test
  void aCallsDeadlineCountsWhileItWaits() {
    makeCalls();
    MadeCall late =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "late");
    simulation.advance(Duration.ofSeconds(1));
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.all()).hasSize(LIMIT);
  }

  @Test
  void aLostConnectionEndsOnlyCallsThatHaveAStream() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    simulation.network().cutAll("gone");
    simulation.run();
    assertThat(calls.subList(0, LIMIT))
        .allMatch(call -> call.code() == Status.Code.UNAVAILABLE && call.heard().closes() == 1);
    assertThat(held.all().subList(0, LIMIT)).allMatch(call -> call.cancels() == 1);
    assertThat(calls.subList(LIMIT, CALLS)).noneMatch(MadeCall::isClosed);
    assertThat(held.all()).hasSize(2 * LIMIT);
  }

  @Test
  void aCancelledCallKeepsItsPlaceWhileItsHandlerRuns() {
    List<MadeCall> calls = makeCalls();
    simulation.run();
    calls.subList(0, 10).forEach(call -> call.call().cancel("bored"));
    simulation.run();
    assertThat(calls.subList(0, 10)).allMatch(call -> call.code() == Status.Code.CANCELLED);
    for (int i = 10; i < held.all().size(); i++) {
      held.all().get(i).answers("");
      held.all().get(i).ends();
      simulation.run();
    }
    assertThat(calls.subList(10, CALLS)).allMatch(call -> call.isClosed());
  }

  @Test
  void waitingCallsDoNotBlockCallsThatHaveAStream() {
    List<MadeCall> open = opensAllStreams();
    MadeCall large = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(300_000));
    simulation.run();
    for (int round = 0; round < 100; round++) {
      for (MadeCall call : open) {
        assertThat(call.call().isReady()).isTrue();
        call.says("to end by");
      }
      simulation.run();
    }
    open.getFirst().halfCloses();
    held.all().getFirst().ends();
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactly(Texts.ofLength(300_000));
    held.all().getLast().answers("");
    held.all().getLast().ends();
    simulation.run();
    assertThat(large.status()).isEqualTo(Status.OK);
  }

  @Test
  void allOfALongRequestThatWaitedForAStreamIsSent() {
    opensAllStreams();
    MadeCall waiting = MadeCall.start(channel, Texts.BIDI);
    List<String> messages = List.of("first", Texts.ofLength(2_000_000), "third", "fourth");
    messages.forEach(waiting::says);
    waiting.halfCloses();
    simulation.run();
    held.all().getFirst().ends();
    simulation.run();
    assertThat(held.all().getLast().messages()).containsExactlyElementsOf(messages);
    assertThat(held.all().getLast().halfCloses()).isOne();
  }

  @Test
  void callsThatWaitForAStreamShareOneQuota() {
    opensAllStreams();
    List<MadeCall> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      waiting.add(MadeCall.start(channel, Texts.BIDI));
    }
    simulation.run();
    int sent = 0;
    for (MadeCall call : waiting) {
      for (; call.call().isReady(); sent++) {
        call.says(Texts.ofLength(1000));
        simulation.run();
      }
    }
    assertThat(sent).isBetween(64, 76);
    List<Long> readies = waiting.stream().map(ConcurrencyLimitTest::readiesOf).toList();
    for (int i = 0; i < LIMIT; i++) {
      held.all().get(i).ends();
    }
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT + 10);
    for (int i = 0; i < waiting.size(); i++) {
      assertThat(readiesOf(waiting.get(i))).isGreaterThan(readies.get(i));
      assertThat(waiting.get(i).call().isReady()).isTrue();
    }
  }

  private static long readiesOf(MadeCall call) {
    return call.heard().events().stream()
        .filter(RecordingClientListener.Event.READY::equals)
        .count();
  }

  @Test
  void bytesQueuedByWaitingCallsCountForTheProcess() {
    MemoryBudget memory = MemoryBudget.ofBytes(1L << 30);
    channel = simulation.channelBuilder().memoryBudget(memory).build();
    opensAllStreams();
    MadeCall large =
        MadeCall.whole(
            channel,
            Texts.UNARY,
            simulation.within(Duration.ofSeconds(1)),
            Texts.ofLength(1_000_000));
    simulation.run();
    assertThat(memory.heldBytes()).isGreaterThan(1_000_000);
    simulation.advance(Duration.ofSeconds(1));
    assertThat(large.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(memory.heldBytes()).isZero();
  }

  private List<MadeCall> opensAllStreams() {
    List<MadeCall> open = new ArrayList<>();
    for (int i = 0; i < LIMIT; i++) {
      open.add(MadeCall.start(channel, Texts.BIDI));
    }
    simulation.run();
    assertThat(held.all()).hasSize(LIMIT);
    return open;
  }

  /** As it is seen where no stream ever comes free: nothing else would look whether it is over. */
  @Test
  void aCallThatEndsWhileItWaitsLeavesTheQueue() throws IOException {
    Simulation other = new Simulation();
    other
        .network()
        .listen(
            new InetSocketAddress("192.0.2.1", Simulation.PORT),
            ServerCredentials.insecure(),
            ServerWithoutStreams::new);
    ManagedChannel strict = other.channel();
    MadeCall call =
        MadeCall.whole(strict, Texts.UNARY, other.within(Duration.ofSeconds(1)), "waits");
    other.advance(Duration.ofSeconds(1));
    assertThat(call.words())
        .contains("waiting for a free stream to /192.0.2.1")
        .contains("SETTINGS_MAX_CONCURRENT_STREAMS");
    assertThat(call.status().failure().orElseThrow().inQueue()).isEqualTo(Duration.ofSeconds(1));
    strict.shutdown();
    other.run();
    assertThat(strict.isTerminated()).isTrue();
  }

  /** Says SETTINGS_MAX_CONCURRENT_STREAMS = 0, and nothing else. */
  private static final class ServerWithoutStreams implements PipeListener {
    private static final byte[] SETTINGS = {0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
    private static final byte[] ACK = {0, 0, 0, 4, 1, 0, 0, 0, 0};

    ServerWithoutStreams(Pipe pipe) {
      pipe.reserve(SETTINGS.length).put(SETTINGS);
      pipe.reserve(ACK.length).put(ACK);
      pipe.flush();
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }

    @Override
    public void onBatchEnd() {}

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }
}
