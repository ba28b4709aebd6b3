package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Status;
import dev.gannet.api.transport.PeerFault;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.connection.Http2Stream;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client makes of servers that break the rules of HTTP messages, or only gRPC's. */
final class RawServersTest {
  private static final String[] HEAD = {":status", "200", "content-type", "application/grpc"};

  private final Simulation simulation = new Simulation();

  private MadeCall callTo(BiConsumer<RawPeer, Http2Stream> onRequest) {
    simulation.serveRaw(onRequest);
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.UNARY, "");
    simulation.run();
    return call;
  }

  @Test
  void aMalformedResponseIsInternalAndNamesTheRule() {
    MadeCall call =
        callTo((server, stream) -> server.sends(stream, EndStream.NO, ":status", "200", "Up", ""));
    assertThat(call.status())
        .hasToString(
            "INTERNAL: the server violated HTTP/2: upper case in a field's name (RFC 9113 §8.2.1)");
  }

  @Test
  void streamErrorsOfAServerAreCounted() {
    simulation.serveRaw(
        (server, stream) -> server.sends(stream, EndStream.NO, ":status", "200", "Up", ""));
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(channel.peerFaults()).isEqualTo(Map.of(PeerFault.STREAM_VIOLATION, 2L));
  }

  @Test
  void aSecondHeaderListBeforeTheEndIsInternal() {
    MadeCall call =
        callTo((server, stream) -> {
          server.sends(stream, EndStream.NO, HEAD);
          server.sends(stream, EndStream.NO, "more", "fields");
        });
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.words()).contains("a second header list");
  }

  @Test
  void dataBeforeTheHeadersIsInternal() {
    MadeCall call = callTo((server, stream) -> server.sendsContent(stream, "early", EndStream.NO));
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.words()).contains("DATA before the headers");
  }

  @Test
  void interimResponsesAreIgnored() {
    MadeCall call =
        callTo((server, stream) -> {
          server.sends(stream, EndStream.NO, ":status", "100");
          server.sends(stream, EndStream.NO, ":status", "103", "link", "x");
          server.sends(stream, EndStream.NO, HEAD);
          server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-message", "no such thing");
        });
    assertThat(call.status()).hasToString("NOT_FOUND: no such thing");
  }

  @Test
  void aMessageThatEndsInASpaceIsStillAStatus() {
    MadeCall call =
        callTo((server, stream) -> {
          server.sends(stream, EndStream.NO, HEAD);
          server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-message", "why: ");
        });
    assertThat(call.status()).hasToString("NOT_FOUND: why: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"00", "05", "17", "-1", "0x0"})
  void anInvalidStatusIsUnknown(String status) {
    MadeCall call =
        callTo((server, stream) -> {
          server.sends(stream, EndStream.NO, HEAD);
          server.sends(stream, EndStream.YES, "grpc-status", status);
        });
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void twoDifferentStatusesAreInternal() {
    MadeCall call =
        callTo((server, stream) -> {
          server.sends(stream, EndStream.NO, HEAD);
          server.sends(stream, EndStream.YES, "grpc-status", "5", "grpc-status", "0");
        });
    assertThat(call.status())
        .hasToString("INTERNAL: the response has more than one grpc-status, and they differ");
  }

  @Test
  void twoEncodingsThatDifferEndTheCallBeforeItsMessages() {
    MadeCall call =
        callTo((server, stream) -> {
          String[] head = Arrays.copyOf(HEAD, HEAD.length + 4);
          System.arraycopy(
              new String[] {"grpc-encoding", "gzip", "grpc-encoding", "identity"},
              0,
              head,
              HEAD.length,
              4);
          server.sends(stream, EndStream.NO, head);
          server.sendsContent(stream, "\0\0\0\0\1x", EndStream.NO);
          server.sends(stream, EndStream.YES, "grpc-status", "0");
        });
    assertThat(call.status())
        .hasToString("INTERNAL: the response has more than one grpc-encoding, and they differ");
    assertThat(call.messages()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void anHttpErrorIsNoSuccessWhateverItsGrpcStatus(EndStream end) {
    MadeCall call =
        callTo((server, stream) -> server.sends(stream, end, ":status", "503", "grpc-status", "0"));
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void aMalformedResponseDoesNotEndTheConnection() {
    simulation.serveRaw((server, stream) -> {
      boolean first = stream.id() == 1;
      server.sends(stream, EndStream.NO, first ? new String[] {"no", "status"} : HEAD);
      server.sends(stream, EndStream.YES, "grpc-status", "5");
    });
    var channel = simulation.channel();
    MadeCall broken = MadeCall.whole(channel, Texts.UNARY, "");
    MadeCall sound = MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(broken.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(sound.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(simulation.network().openConnections()).isOne();
  }
}
