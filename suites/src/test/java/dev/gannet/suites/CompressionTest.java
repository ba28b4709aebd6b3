package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Compressor;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.Decompressor;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.ManagedChannel;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Messages may be compressed, each way for itself and each message for itself. */
final class CompressionTest {
  private static final CallOptions GZIP = CallOptions.DEFAULT.withCompression("gzip");

  /** Long, and short when compressed. */
  private static final String LONG = Texts.ofLength(200_000);

  private static final int SHORT_BYTES = 5_000;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.BIDI, held).serve();
    channel = simulation.channel();
  }

  private int bytesOnTheWire(Runnable what) {
    simulation.run();
    simulation.network().stall();
    what.run();
    simulation.run();
    int bytes = simulation.network().bytesUnderWay();
    simulation.network().resume();
    simulation.run();
    return bytes;
  }

  @Test
  void requestsAreCompressedIfTheCallerChoosesIt() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI, GZIP);
    int bytes = bytesOnTheWire(() -> call.says(LONG));
    assertThat(bytes).isLessThan(SHORT_BYTES);
    assertThat(held.only().messages()).hasSize(1).allMatch(LONG::equals);
  }

  @Test
  void responsesAreCompressedIfTheHandlerChoosesIt() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(9);
    simulation.run();
    held.only().call().setCompression("gzip");
    int bytes = bytesOnTheWire(() -> held.only().answers(LONG));
    assertThat(bytes).isLessThan(SHORT_BYTES);
    assertThat(call.messages()).hasSize(1).allMatch(LONG::equals);
  }

  @Test
  void compressionCannotBeChosenAfterTheResponseHasBegun() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(9);
    simulation.run();
    held.only().answers("a");
    assertThatThrownBy(() -> held.only().call().setCompression("gzip"))
        .isInstanceOf(IllegalStateException.class);
    held.only().answers("b");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("a", "b");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void bothDirectionsCanBeCompressed() {
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, GZIP, LONG, "", "b");
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().answers("", LONG, "c");
    held.only().ends();
    simulation.run();
    assertThat(held.only().messages()).hasSize(3).startsWith(LONG).endsWith("b");
    assertThat(call.messages()).hasSize(3).startsWith("").endsWith("c");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aSingleRequestMayBeLeftUncompressed() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI, GZIP);
    call.call().setMessageCompression(false);
    int plain = bytesOnTheWire(() -> call.says(LONG));
    call.call().setMessageCompression(true);
    int compressed = bytesOnTheWire(() -> call.says(LONG));
    assertThat(plain).isGreaterThan(LONG.length());
    assertThat(compressed).isLessThan(SHORT_BYTES);
    assertThat(held.only().messages()).hasSize(2).allMatch(LONG::equals);
  }

  @Test
  void aSingleResponseMayBeLeftUncompressed() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(9);
    simulation.run();
    held.only().call().setCompression("gzip");
    held.only().call().setMessageCompression(false);
    int plain = bytesOnTheWire(() -> held.only().answers(LONG));
    held.only().call().setMessageCompression(true);
    int compressed = bytesOnTheWire(() -> held.only().answers(LONG));
    assertThat(plain).isGreaterThan(LONG.length());
    assertThat(compressed).isLessThan(SHORT_BYTES);
    assertThat(call.messages()).hasSize(2).allMatch(LONG::equals);
  }

  @Test
  void byDefaultNothingIsCompressed() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    int bytes = bytesOnTheWire(() -> call.says(LONG));
    assertThat(bytes).isGreaterThan(LONG.length());
  }

  @Test
  void theLimitAppliesToTheUncompressedMessage() {
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, GZIP, Texts.ofLength((4 << 20) + 1));
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);

    MadeCall fits = MadeCall.whole(channel, Texts.BIDI, GZIP, Texts.ofLength(4 << 20));
    simulation.run();
    assertThat(held.all().getLast().messages()).hasSize(1);
    assertThat(fits.isClosed()).isFalse();
  }

  @Test
  void anUnknownCompressionIsTheCallersMistake() {
    CallOptions options = CallOptions.DEFAULT.withCompression("zip of my own");
    assertThatThrownBy(() -> MadeCall.start(channel, Texts.BIDI, options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("zip of my own");
    MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThatThrownBy(() -> held.only().call().setCompression("zip of my own"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "unknown compression: zip of my own; this server can compress with gzip, identity");
  }

  @Test
  void theSendersLimitAppliesToTheUncompressedMessage() {
    CallOptions limited = GZIP.withMaxOutboundMessageBytes(LONG.length() - 1);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, limited, LONG);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
  }

  /** A codec whose compressor has a mistake. */
  private record Broken() implements Compressor, Decompressor {
    @Override
    public String messageEncoding() {
      return "broken";
    }

    @Override
    public void compress(ByteBuffer message, OutputStream to) {
      throw new IllegalStateException("a mistake");
    }

    @Override
    public InputStream decompress(ByteBuffer message) {
      return InputStream.nullInputStream();
    }
  }

  @Test
  void aMessageThatCannotBeCompressedNamesTheCompression() {
    Simulation other = new Simulation().with(Texts.BIDI, held);
    Simulation.start(
        other.serverBuilder().compressorRegistry(CompressorRegistry.DEFAULT.with(new Broken())));
    ManagedChannel broken =
        other
            .channelBuilder()
            .compressorRegistry(CompressorRegistry.DEFAULT.with(new Broken()))
            .decompressorRegistry(DecompressorRegistry.DEFAULT.with(new Broken()))
            .build();
    MadeCall call = MadeCall.start(broken, Texts.BIDI).wants(9);
    other.run();
    held.only().call().setCompression("broken");
    assertThatThrownBy(() -> held.only().answers("response"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("cannot be compressed with broken");
    other.run();
    assertThat(call.status()).hasToString("INTERNAL: the message cannot be compressed with broken");
    MadeCall asking =
        MadeCall.start(broken, Texts.BIDI, CallOptions.DEFAULT.withCompression("broken"));
    assertThatThrownBy(() -> asking.says("request"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("cannot be compressed with broken");
    other.run();
    assertThat(asking.status())
        .hasToString("INTERNAL: the message cannot be compressed with broken");
  }
}
