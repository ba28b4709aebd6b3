package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCredentials;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An answer that ends without trailers: all of it counts, and the call has failed. */
final class TornAnswerTest {
  private static final int WHOLE_REQUEST_FRAMES =
      2; // HEADERS and DATA, behind SETTINGS and its ACK

  private static final byte[] SETTINGS = HexFormat.of().parseHex("000000" + "0400" + "00000000");

  /** HEADERS with :status 200 and content-type; DATA with one message, "a", and END_STREAM. */
  private static final byte[] ANSWER =
      HexFormat.of()
          .parseHex(
              "000013"
                  + "0104"
                  + "00000001"
                  + "88"
                  + "5f10"
                  + "6170706c69636174696f6e2f67727063"
                  + "000006"
                  + "0001"
                  + "00000001"
                  + "0000000001"
                  + "61");

  private static final byte[] PING =
      HexFormat.of().parseHex("000008" + "0600" + "00000000" + "0000000000000000");

  /** A server that says the same to everybody, and reads no more when it has. */
  private static final class TearingServer implements PipeListener {
    private final Pipe pipe;
    private final byte[] answer;
    private int requestFrames;

    TearingServer(Pipe pipe, byte[]... answer) {
      this.pipe = pipe;
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      Stream.of(answer).forEach(all::writeBytes);
      this.answer = all.toByteArray();
      write(SETTINGS);
    }

    private void write(byte[] octets) {
      pipe.reserve(octets.length).put(octets);
      pipe.flush();
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      // The client's frames come whole on an instant wire, its preface with the first of them.
      int at = bytes.get(bytes.position()) == 'P' ? bytes.position() + 24 : bytes.position();
      while (at < bytes.limit()) {
        int type = bytes.get(at + 3);
        requestFrames += type <= 1 ? 1 : 0;
        at += 9 + (bytes.getInt(at) >>> 8);
      }
      bytes.position(bytes.limit());
      if (requestFrames == WHOLE_REQUEST_FRAMES) {
        pipe.setReading(false);
        write(answer);
      }
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

  @ParameterizedTest
  @EnumSource(
      value = MethodType.class,
      names = {"SERVER_STREAMING", "UNARY"})
  void messagesAreDeliveredBeforeTheFailure(MethodType type) throws IOException {
    Simulation simulation = new Simulation();
    simulation
        .network()
        .listen(
            new InetSocketAddress(Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> new TearingServer(pipe, ANSWER));

    MadeCall call = MadeCall.whole(simulation.channel(), Texts.method(type, "Torn"), "request");
    simulation.run();

    assertThat(call.messages()).containsExactly("a");
    assertThat(call.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.words()).contains("without trailers");
  }

  /** The client waits for its PING's answer to leave when the connection is lost. */
  @Test
  void dataThatArrivedBeforeTheLossIsDeliveredEvenIfUnread() throws IOException {
    SimulatedWire narrow =
        new SimulatedWire(Duration.ZERO, Duration.ZERO, SimulatedWire.Splits.NONE, 1);
    Simulation simulation = new Simulation(0, narrow);
    simulation
        .network()
        .listen(
            new InetSocketAddress(Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> new TearingServer(pipe, PING, ANSWER));
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .transportLimits(limits -> limits.withMaxUnreadReplies(1, 1000))
            .build();

    MadeCall call = MadeCall.whole(channel, Texts.method(MethodType.UNARY, "Torn"), "request");
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    simulation.network().cutAll("cut");
    simulation.run();

    assertThat(call.messages()).containsExactly("a");
    assertThat(call.words()).contains("without trailers");
  }

  @Test
  void aCallWithUnreadMessagesEndsWhenItIsCancelled() throws IOException {
    Simulation simulation = new Simulation();
    simulation
        .network()
        .listen(
            new InetSocketAddress(Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> new TearingServer(pipe, ANSWER));

    MadeCall call =
        MadeCall.start(simulation.channel(), Texts.method(MethodType.BIDI_STREAMING, "Torn"));
    call.says("request");
    call.call().halfClose();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    call.call().cancel("enough");
    simulation.run();

    assertThat(call.messages()).isEmpty();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
  }
}
