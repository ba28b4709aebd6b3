package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.ServerCredentials;
import dev.gannet.simulation.SimulatedLoop;
import dev.gannet.suites.SimulatedNetwork.Reachability;
import dev.gannet.transport.Listening;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import dev.gannet.transport.pipe.PipeProvider.Connecting;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that are sent arrive, in order, later, in whatever pieces; ports and ends are as real. */
final class SimulatedNetworkTest {
  private static final InetSocketAddress PORT = new InetSocketAddress(80);

  private final SimulatedLoop loop = new SimulatedLoop();

  /** Writes down what a pipe tells, and offers to write. */
  private static final class End implements PipeListener {
    private final Pipe pipe;
    private final StringBuilder bytes = new StringBuilder();
    private final List<String> events = new ArrayList<>();

    End(Pipe pipe) {
      this.pipe = pipe;
    }

    void write(String text) {
      byte[] octets = text.getBytes(StandardCharsets.US_ASCII);
      pipe.reserve(octets.length).put(octets);
    }

    @Override
    public void onBytes(ByteBuffer in) {
      bytes.append(StandardCharsets.US_ASCII.decode(in));
      events.add("bytes");
    }

    @Override
    public void onBatchEnd() {
      events.add("end of batch");
    }

    @Override
    public void onWritable() {
      events.add("writable");
    }

    @Override
    public void onWake() {
      events.add("wake at " + pipe.nanoTime());
    }

    @Override
    public void onClosed(String why) {
      events.add("closed: " + why);
    }
  }

  /** Connects and keeps what came of it. */
  private static final class Attempt implements Connecting {
    private Optional<End> end = Optional.empty();
    private String failure = "";

    @Override
    public PipeListener onOpen(Pipe pipe) {
      end = Optional.of(new End(pipe));
      return end.get();
    }

    @Override
    public void onFailed(String why) {
      failure = why;
    }
  }

  private final List<End> accepted = new ArrayList<>();

  private Listening listen(SimulatedNetwork network, int port) throws IOException {
    return network.listen(
        new InetSocketAddress(port),
        ServerCredentials.insecure(),
        pipe -> {
          accepted.add(new End(pipe));
          return accepted.getLast();
        });
  }

  private static Attempt connect(SimulatedNetwork network) {
    Attempt attempt = new Attempt();
    network.connect(PORT, "name", ChannelCredentials.insecure(), attempt);
    return attempt;
  }

  private End open(SimulatedNetwork network) throws IOException {
    listen(network, 80);
    Attempt attempt = connect(network);
    loop.advance(Duration.ofSeconds(1));
    return attempt.end.orElseThrow();
  }

  @Test
  void aPortIsListenedOnOnce() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    Listening first = listen(network, 80);
    assertThatThrownBy(() -> listen(network, 80))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("in use");
    first.close(() -> {});
    assertThat(listen(network, 80).address()).extracting("port").isEqualTo(80);
  }

  @Test
  void portZeroIsTheNextFreeOne() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    assertThat(listen(network, 0).address()).extracting("port").isEqualTo(49_152);
    assertThat(listen(network, 0).address()).extracting("port").isEqualTo(49_153);
  }

  @Test
  void connectionsToAnUnusedPortAreRefused() {
    Attempt attempt = connect(new SimulatedNetwork(loop));
    loop.runUntilIdle();
    assertThat(attempt.failure).startsWith("connection refused").contains(":80");
  }

  @Test
  void connectionAttemptsFollowTheSetReachability() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    listen(network, 80);
    network.setReachability(Reachability.REFUSED);
    Attempt refused = connect(network);
    loop.runUntilIdle();
    network.setReachability(Reachability.SILENT);
    Attempt silent = connect(network);
    loop.runUntilIdle();
    network.setReachability(Reachability.REACHABLE);
    Attempt open = connect(network);
    loop.advance(Duration.ofHours(1));
    assertThat(refused.failure).startsWith("connection refused");
    assertThat(silent.failure).isEmpty();
    assertThat(silent.end).isEmpty();
    assertThat(open.end).isPresent();
    assertThat(network.connectAttempts()).isEqualTo(3);
  }

  @Test
  void theEndsKnowEachOthersAddresses() throws IOException {
    End client = open(new SimulatedNetwork(loop));
    assertThat(client.pipe.info().remoteAddress()).isEqualTo(PORT);
    assertThat(accepted.getFirst().pipe.info().remoteAddress())
        .isEqualTo(client.pipe.info().localAddress());
    assertThat(client.pipe.info().tls()).isEmpty();
  }

  @Test
  void encryptionIsRefused() {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    assertThatThrownBy(() -> network.connect(PORT, "", ChannelCredentials.tls(), new Attempt()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plaintext");
  }

  @Test
  void onlyFlushedBytesArrive() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    End client = open(network);
    client.write("one ");
    client.write("two");
    loop.runUntilIdle();
    assertThat(accepted.getFirst().events).isEmpty();
    client.pipe.flush();
    assertThat(network.bytesUnderWay()).isEqualTo(7);
    loop.runUntilIdle();
    assertThat(accepted.getFirst().bytes).hasToString("one two");
    assertThat(accepted.getFirst().events).containsExactly("bytes", "end of batch");
    assertThat(network.bytesUnderWay()).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void piecesArriveInTheirOrderAndInTime(long seed) throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop, seed, SimulatedWire.ROUGH);
    End client = open(network);
    StringBuilder sent = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      String text = i + "|".repeat(i * 10);
      sent.append(text);
      client.write(text);
      client.pipe.flush();
      loop.advance(Duration.ofNanos(i * 10_000L));
    }
    loop.advance(Duration.ofMillis(2));
    End server = accepted.getFirst();
    assertThat(server.bytes).hasToString(sent.toString());
    assertThat(server.events).filteredOn("bytes"::equals).hasSizeGreaterThan(150);
  }

  @Test
  void aFullWireReportsWhenItIsWritableAgain() throws IOException {
    SimulatedNetwork network =
        new SimulatedNetwork(loop, 0, SimulatedWire.INSTANT.withCapacityBytes(10));
    End client = open(network);
    client.write("123456789");
    assertThat(client.pipe.wantsMore()).isTrue();
    client.write("0");
    assertThat(client.pipe.wantsMore()).isFalse();
    client.pipe.flush();
    assertThat(client.events).isEmpty();
    loop.runUntilIdle();
    assertThat(client.events).containsExactly("writable");
    assertThat(client.pipe.wantsMore()).isTrue();
  }

  @Test
  void closingDeliversWhatWasFlushedAndEndsBothEndsOnce() throws IOException {
    End client = open(new SimulatedNetwork(loop, 3, SimulatedWire.ROUGH));
    End server = accepted.getFirst();
    client.write("last words");
    client.pipe.close();
    client.write("never sent");
    client.pipe.flush();
    loop.advance(Duration.ofSeconds(1));
    server.pipe.close();
    loop.advance(Duration.ofSeconds(1));
    assertThat(server.bytes).hasToString("last words");
    assertThat(server.events)
        .filteredOn(event -> event.startsWith("closed"))
        .containsExactly("closed: connection closed by peer");
    assertThat(client.events).containsExactly("closed: closed");
  }

  @Test
  void aCutLosesBytesOnTheirWay() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    End client = open(network);
    client.write("lost");
    client.pipe.flush();
    network.cutAll("scissors");
    loop.runUntilIdle();
    assertThat(client.events).containsExactly("closed: scissors");
    assertThat(accepted.getFirst().events).containsExactly("closed: scissors");
    assertThat(network.openConnections()).isZero();
    assertThat(network.bytesUnderWay()).isZero();
  }

  @Test
  void bytesHeldByAStallArriveLater() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    End client = open(network);
    network.stall();
    client.write("held");
    client.pipe.close();
    Attempt attempt = connect(network);
    loop.advance(Duration.ofHours(1));
    assertThat(accepted.getFirst().events).isEmpty();
    assertThat(client.events).as("lingers for a second").containsExactly("closed: closed");
    assertThat(attempt.end).isEmpty();
    network.resume();
    loop.runUntilIdle();
    assertThat(accepted.getFirst().bytes).hasToString("held");
    assertThat(accepted.getFirst().events).endsWith("closed: connection closed by peer");
    assertThat(attempt.end).isPresent();
  }

  @Test
  void theEarliestWakeUpTimeCounts() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    End client = open(network);
    long now = loop.nanoTime();
    client.pipe.wakeAt(now + 500);
    client.pipe.wakeAt(now + 900);
    client.pipe.wakeAt(now + 200);
    loop.advance(Duration.ofSeconds(1));
    assertThat(client.events).containsExactly("wake at " + (now + 200));
  }

  @Test
  void aClosedPipeSendsNoWakeUp() throws IOException {
    SimulatedNetwork network = new SimulatedNetwork(loop);
    End client = open(network);
    client.pipe.wakeAt(loop.nanoTime() + 500);
    network.cutAll("scissors");
    loop.advance(Duration.ofSeconds(1));
    assertThat(client.events).containsExactly("closed: scissors");
  }
}
