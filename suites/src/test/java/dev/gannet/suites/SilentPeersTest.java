package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.PeerFault;
import dev.gannet.http2.ErrorCode;
import dev.gannet.server.Server;
import dev.gannet.suites.RawClient.Frame;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Clients that are late, silent or insistent hold a server's connection for so long and no more.
 */
final class SilentPeersTest {
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);
  private static final Duration MOMENT = Duration.ofNanos(1);

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation = new Simulation().with(Texts.BIDI, held);

  private Server server;

  @BeforeEach
  void serve() {
    server = simulation.serve();
  }

  private void assertSentAway(RawClient client, ErrorCode code, PeerFault fault, String words) {
    List<Frame> goodbyes = client.heard(RawClient.GOAWAY);
    assertThat(goodbyes).hasSize(1);
    assertThat(goodbyes.getFirst().code()).isEqualTo(code.value());
    assertThat(goodbyes.getFirst().words()).contains(words);
    assertThat(client.isClosed()).isTrue();
    assertThat(simulation.network().openConnections()).isZero();
    assertThat(server.peerFaults()).isEqualTo(Map.of(fault, 1L));
    assertThat(server.offences()).isEmpty(); // an offence has a rate, these limits have none
  }

  @Test
  void aClientThatSendsNothingIsClosed() {
    RawClient client = RawClient.connect(simulation);
    simulation.advance(TEN_SECONDS.minus(MOMENT));
    assertThat(client.isClosed()).isFalse();
    simulation.advance(MOMENT);
    assertSentAway(client, ErrorCode.SETTINGS_TIMEOUT, PeerFault.TOO_SLOW, "preface");
  }

  @Test
  void aClientThatDoesNotAcknowledgeSettingsIsClosed() {
    RawClient client = RawClient.connect(simulation).saysPreface().says(RawClient.SETTINGS, 0, 0);
    simulation.advance(TEN_SECONDS);
    assertSentAway(client, ErrorCode.SETTINGS_TIMEOUT, PeerFault.TOO_SLOW, "acknowledged");
  }

  @Test
  void aClientWhoseHeaderBlockDoesNotEndIsClosed() {
    RawClient client = RawClient.introduced(simulation);
    byte[] block = RawClient.request("/" + Texts.BIDI.fullMethodName());
    simulation.advance(Duration.ofMinutes(1));
    client.says(RawClient.HEADERS, 0, 1, Arrays.copyOf(block, 5));
    simulation.advance(TEN_SECONDS);
    assertSentAway(client, ErrorCode.ENHANCE_YOUR_CALM, PeerFault.TOO_SLOW, "header block");
  }

  @Test
  void aClientThatReadsNothingAtAllLosesItsCalls() {
    RawClient client = RawClient.introduced(simulation);
    client.asks(1, "/" + Texts.BIDI.fullMethodName());
    simulation.run();
    client.stopsReading();
    held.only().answers("an answer that nobody fetches");
    simulation.advance(Duration.ofMinutes(9));
    assertThat(held.only().cancels()).isZero();
    simulation.advance(Duration.ofMinutes(2));
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aClientThatReadsButOpensNoWindowKeepsItsCalls() {
    RawClient client = RawClient.introduced(simulation);
    client.asks(1, "/" + Texts.BIDI.fullMethodName());
    simulation.run();
    held.only().answers("x".repeat(200_000));
    simulation.advance(Duration.ofMinutes(90));
    assertThat(held.only().cancels()).isZero();
    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void aClientThatPingsTooOftenIsClosed() {
    RawClient client = RawClient.introduced(simulation);
    client.asks(1, "/" + Texts.BIDI.fullMethodName()).pings().pings().pings();
    simulation.run();
    assertThat(client.heard(RawClient.PING)).hasSize(3).allMatch(Frame::isAck);
    client.pings();
    simulation.run();
    assertSentAway(client, ErrorCode.ENHANCE_YOUR_CALM, PeerFault.TOO_MANY_PINGS, "too_many_pings");
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aClientWithoutCallsMayPingEveryTwoHours() {
    RawClient client = RawClient.introduced(simulation);
    for (int i = 0; i < 10; i++) {
      client.pings();
      simulation.advance(Duration.ofHours(2));
    }
    assertThat(client.isClosed()).isFalse();
    for (int i = 0; i < 4; i++) {
      client.pings();
      simulation.advance(Duration.ofMinutes(30));
    }
    assertSentAway(client, ErrorCode.ENHANCE_YOUR_CALM, PeerFault.TOO_MANY_PINGS, "too_many_pings");
  }

  /** As grpc-go and grpc-java measure how much is under way. */
  @Test
  void aClientThatPingsForEachMessageItReadsIsNotClosed() {
    RawClient client = RawClient.introduced(simulation);
    client.asks(1, "/" + Texts.BIDI.fullMethodName());
    simulation.run();
    for (int i = 0; i < 1000; i++) {
      held.only().answers("message");
      simulation.run();
      client.pings();
      simulation.advance(Duration.ofMillis(5));
    }
    assertThat(client.isClosed()).isFalse();
  }
}
