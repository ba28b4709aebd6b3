package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.transport.Offence;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.connection.Http2Stream;
import dev.gannet.server.Server;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A peer that does one thing too often loses its connection, and is counted by what it did. */
final class OffencesTest {
  /** Counted below HTTP/2; the tests of TLS try them. */
  private static final Set<Offence> OF_TLS =
      EnumSet.of(Offence.EMPTY_TLS_RECORD, Offence.TINY_TLS_RECORD);

  /** From a client these frames close the connection at once, unless there are megabytes. */
  private static final Set<Offence> OF_SERVERS_ALONE = EnumSet.of(Offence.LATE_FRAME);

  private static final Set<Offence> OF_CLIENTS_ALONE =
      EnumSet.of(Offence.RESET_STREAM, Offence.UNSERVED_STREAM, Offence.OVERSIZED_HEADERS);

  /** More than the rate of one, with all that is free. */
  private static final int MANY = 30;

  private static final int PRIORITY = 2;
  private static final int RST_STREAM = 3;
  private static final int WINDOW_UPDATE = 8;
  private static final int CONTINUATION = 9;
  private static final int UNKNOWN = 99;
  private static final byte[] OPAQUE = new byte[8];
  private static final byte[] CANCEL = {0, 0, 0, 8};
  private static final byte[] ONE = {0, 0, 0, 1};
  private static final byte[] NO_GOODBYE = {0x7f, -1, -1, -1, 0, 0, 0, 0};
  private static final byte[] LONG_SETTINGS = new byte[33 * 6];
  private static final String PATH = "/" + Texts.BIDI.fullMethodName();
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};

  private final HeldCalls held = new HeldCalls();
  private final Simulation simulation =
      new Simulation(0, SimulatedWire.INSTANT.withCapacityBytes(16 << 10)).with(Texts.BIDI, held);

  static Set<Offence> ofClients() {
    Set<Offence> all = EnumSet.complementOf(EnumSet.copyOf(OF_TLS));
    all.removeAll(OF_SERVERS_ALONE);
    return all;
  }

  static Set<Offence> ofServers() {
    Set<Offence> all = EnumSet.complementOf(EnumSet.copyOf(OF_TLS));
    all.removeAll(OF_CLIENTS_ALONE);
    return all;
  }

  @ParameterizedTest
  @MethodSource("ofClients")
  void aClientIsCountedByWhatItDoesTooOften(Offence offence) {
    Server server =
        Simulation.start(
            simulation
                .serverBuilder()
                .maxConcurrentCallsPerConnection(offence == Offence.UNSERVED_STREAM ? 1 : MANY)
                .transportLimits(limits ->
                    limits
                        .withOffenceRate(offence, 1, 1)
                        .withMaxHeaderFields(offence == Offence.OVERSIZED_HEADERS ? 5 : 100)));
    RawClient client = RawClient.connect(simulation).saysPreface().says(RawClient.SETTINGS, 0, 0);
    simulation.run();
    client.says(RawClient.HEADERS, RawClient.END_HEADERS, 1, RawClient.request(PATH));
    for (int i = 0; i < MANY && !client.isClosed(); i++) {
      commit(offence, client, 3 + 2 * i);
      simulation.run();
    }
    assertThat(client.isClosed()).isTrue();
    assertThat(server.offences()).isEqualTo(Map.of(offence, 1L));
    assertThat(server.peerFaults()).isEqualTo(Map.of(PeerFault.ABUSE, 1L));
  }

  private static void commit(Offence offence, RawClient client, int newStreamId) {
    switch (offence) {
      case RESET_STREAM -> client.asks(newStreamId, PATH).says(RST_STREAM, 0, newStreamId, CANCEL);
      case UNSERVED_STREAM, OVERSIZED_HEADERS -> client.asks(newStreamId, PATH);
      default -> sayOne(offence, client::says);
    }
  }

  @ParameterizedTest
  @MethodSource("ofServers")
  void aServerIsCountedByWhatItDoesTooOften(Offence offence) {
    simulation.serveRaw((server, stream) -> commit(offence, server, stream));
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .transportLimits(limits -> limits.withOffenceRate(offence, 1, 1))
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "");
    simulation.run();
    assertThat(call.isClosed()).isTrue();
    assertThat(channel.offences()).isEqualTo(Map.of(offence, 1L));
    assertThat(channel.peerFaults()).isEqualTo(Map.of(PeerFault.ABUSE, 1L));
  }

  private static void commit(Offence offence, RawPeer server, Http2Stream stream) {
    server.sends(stream, EndStream.NO, HEAD);
    for (int i = 0; i < MANY; i++) {
      sayOne(offence, server::says);
    }
  }

  private static void sayOne(Offence offence, FrameSender peer) {
    switch (offence) {
      case EMPTY_DATA -> peer.says(RawClient.DATA, 0, 1);
      case TINY_DATA -> peer.says(RawClient.DATA, 0, 1, (byte) 0);
      case WINDOW_UPDATE -> peer.says(WINDOW_UPDATE, 0, 0, ONE);
      case SETTINGS -> peer.says(RawClient.SETTINGS, 0, 0);
      case PING -> peer.says(RawClient.PING, 0, 0, OPAQUE);
      case LATE_FRAME -> peer.says(RST_STREAM, 0, 1, CANCEL);
      case GOAWAY -> peer.says(RawClient.GOAWAY, 0, 0, NO_GOODBYE);
      case PRIORITY -> peer.says(PRIORITY, 0, 1, new byte[5]);
      case WITHOUT_EFFECT -> peer.says(UNKNOWN, 0, 0);
      case RESET_STREAM, UNSERVED_STREAM, OVERSIZED_HEADERS, EMPTY_TLS_RECORD, TINY_TLS_RECORD ->
          throw new AssertionError(offence + " is not one frame");
    }
  }

  /** Either end of a connection. */
  private interface FrameSender {
    void says(int type, int flags, int streamId, byte... payload);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "TOO_MANY_PINGS",
        "TOO_MANY_CONTINUATIONS",
        "HEADERS_FAR_TOO_LARGE",
        "SETTINGS_TOO_LONG",
        "UNREAD_REPLIES"
      })
  void aLimitThatIsNoRateHasAFaultOfItsOwn(PeerFault fault) {
    Server server =
        Simulation.start(
            simulation
                .serverBuilder()
                .maxConcurrentCallsPerConnection(1)
                .transportLimits(limits ->
                    limits
                        .withOffenceRate(Offence.SETTINGS, MANY, 1)
                        .withMaxUnreadReplies(MANY / 2, MANY / 2)
                        .withMaxInboundMetadataBytes(1000)));
    RawClient client = RawClient.introduced(simulation);
    client.asks(1, PATH);
    simulation.run();
    exceed(fault, client);
    simulation.run();
    assertThat(server.peerFaults()).isEqualTo(Map.of(fault, 1L));
    assertThat(server.offences()).isEmpty();
  }

  private void exceed(PeerFault fault, RawClient client) {
    switch (fault) {
      case TOO_MANY_PINGS -> client.pings().pings().pings().pings();
      case TOO_MANY_CONTINUATIONS ->
          client.says(RawClient.HEADERS, 0, 3, (byte) 0x83).says(CONTINUATION, 0, 3);
      case HEADERS_FAR_TOO_LARGE -> client.says(RawClient.HEADERS, 0, 3, new byte[8001]);
      case SETTINGS_TOO_LONG -> client.says(RawClient.SETTINGS, 0, 0, LONG_SETTINGS);
      case UNREAD_REPLIES -> {
        client.stopsReading();
        held.only().answers(Texts.ofLength(1 << 20));
        simulation.run();
        byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        ByteBuffer all = ByteBuffer.allocate(MANY / 2 * settings.length);
        while (all.hasRemaining()) {
          all.put(settings);
        }
        client.says(all.array());
      }
      default -> throw new AssertionError(fault + " is no limit of frames");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anHonestCallIsNoOffence(Medium medium) {
    Simulation honest = new Simulation(medium).with(Texts.BIDI, held);
    Server server = honest.serve();
    ManagedChannel channel = honest.channel();
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "");
    honest.run();
    held.only().ends();
    honest.run();
    assertThat(call.isClosed()).isTrue();
    assertThat(server.offences()).isEmpty();
    assertThat(channel.offences()).isEmpty();
  }

  @Test
  void eachOffenceIsTriedHereOrWithTls() {
    Set<Offence> tried = EnumSet.copyOf(OF_TLS);
    tried.addAll(ofClients());
    tried.addAll(ofServers());
    assertThat(tried).containsExactly(Offence.values());
  }
}
