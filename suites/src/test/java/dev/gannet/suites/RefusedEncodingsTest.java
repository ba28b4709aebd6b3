package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.http2.EndStream;
import dev.gannet.http2.Limits;
import dev.gannet.http2.connection.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What sides say and do that do not read or write gzip. */
final class RefusedEncodingsTest {
  private static final CallOptions GZIP = CallOptions.DEFAULT.withCompression("gzip");
  private static final DecompressorRegistry UNREAD = DecompressorRegistry.DEFAULT.without("gzip");
  private static final CompressorRegistry UNWRITTEN = CompressorRegistry.DEFAULT.without("gzip");
  private static final String MESSAGE = "\1\0\0\0\1x"; // compressed

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  private RawPeer clientOfServerWithoutGzip() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().decompressorRegistry(UNREAD));
    return simulation.rawClient(Limits.DEFAULT);
  }

  private static Http2Stream asks(RawPeer client, String encoding) {
    Http2Stream stream =
        client.asks(
            EndStream.NO,
            ":method",
            "POST",
            ":scheme",
            "http",
            ":path",
            "/" + Texts.BIDI.fullMethodName(),
            "content-type",
            "application/grpc",
            "grpc-encoding",
            encoding);
    client.sendsContent(stream, MESSAGE, EndStream.YES);
    return stream;
  }

  @Test
  void aServerWithoutGzipRefusesItAndNamesWhatItReads() {
    RawPeer client = clientOfServerWithoutGzip();
    Http2Stream stream = asks(client, "gzip");
    simulation.run();
    RawPeer.Heard answer = client.heard(stream);
    assertThat(answer.field(":status")).isEqualTo("200");
    assertThat(answer.field("grpc-status")).isEqualTo("12"); // UNIMPLEMENTED
    assertThat(answer.field("grpc-message")).endsWith("the server accepts identity");
    assertThat(answer.field("grpc-accept-encoding")).isEqualTo("identity");
    assertThat(held.all()).isEmpty();
  }

  @Test
  void theErrorNamesTheEncodingsThatTheServerAccepts() {
    clientOfServerWithoutGzip();
    MadeCall call = MadeCall.whole(simulation.channel(), Texts.BIDI, GZIP, "a");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(call.words()).contains("the server accepts identity");
  }

  @Test
  void aChannelWithoutGzipNeitherOffersNorAcceptsIt() {
    List<String> offered = new ArrayList<>();
    simulation.serveRaw((server, stream) -> {
      offered.add(server.heard(stream).field("grpc-accept-encoding"));
      server.sends(
          stream,
          EndStream.NO,
          ":status",
          "200",
          "content-type",
          "application/grpc",
          "grpc-encoding",
          "gzip");
      server.sendsContent(stream, MESSAGE, EndStream.NO);
      server.sends(stream, EndStream.YES, "grpc-status", "0");
    });
    ManagedChannel channel = simulation.channelBuilder().decompressorRegistry(UNREAD).build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "").wants(1);
    simulation.run();
    assertThat(offered).containsExactly("identity");
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void aServerDoesNotCompressForAChannelWithoutGzip() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channelBuilder().decompressorRegistry(UNREAD).build();
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "a").wants(1);
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers("b");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("b");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void anEncodingWithoutACompressorCannotBeChosen() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().compressorRegistry(UNWRITTEN));
    ManagedChannel channel = simulation.channelBuilder().compressorRegistry(UNWRITTEN).build();
    assertThatThrownBy(() -> MadeCall.start(channel, Texts.BIDI, GZIP))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown compression: gzip; this channel can compress with identity");
    MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThatThrownBy(() -> held.only().call().setCompression("gzip"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unknown compression: gzip; this server can compress with identity");
  }
}
