package dev.gannet.suites;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ServerCredentials;
import dev.gannet.http2.ErrorCode;
import dev.gannet.transport.pipe.Pipe;
import dev.gannet.transport.pipe.PipeListener;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a peer says again and again is one line in the log. */
final class GoAwaysOfPeersTest {
  private static final int TIMES = 5;

  private final Logger logger = Logger.getLogger("dev.gannet");
  private final Lines lines = new Lines();
  private final Simulation simulation = new Simulation();
  private int connections;

  @BeforeEach
  void listen() {
    logger.addHandler(lines);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    logger.removeHandler(lines);
    logger.setUseParentHandlers(true);
  }

  @Test
  void repeatedGoAwaysOfAClientAreLoggedOnce() {
    simulation.with(Texts.UNARY, new HeldCalls()).serve();
    RawClient client = RawClient.introduced(simulation);
    for (int i = 0; i < TIMES; i++) {
      client.says(RawClient.GOAWAY, 0, 0, goAway("so much for that"));
    }
    simulation.run();
    assertThat(lines.said).hasSize(1);
    assertThat(lines.said.getFirst()).contains("so much for that");
    assertThat(client.isClosed()).isFalse();
  }

  @Test
  void repeatedGoAwaysOfAServerAreLoggedOnce() throws IOException {
    simulation
        .network()
        .listen(
            new InetSocketAddress("192.0.2.1", Simulation.PORT),
            ServerCredentials.insecure(),
            pipe -> new Complaining(pipe, connections++ > 0));
    var channel = simulation.channelBuilder().keepAliveTime(Duration.ofMinutes(1)).build();
    MadeCall.whole(channel, Texts.UNARY, "");
    simulation.run();
    assertThat(connections).isEqualTo(2);
    assertThat(lines.said).hasSize(1);
    assertThat(lines.said.getFirst()).contains("keepAliveTime is doubled");
  }

  private static byte[] goAway(String words) {
    return ByteBuffer.allocate(2 * Integer.BYTES + words.length())
        .putInt(0)
        .putInt(ErrorCode.ENHANCE_YOUR_CALM.value())
        .put(words.getBytes(US_ASCII))
        .array();
  }

  /** A server that answers the first octets with nothing but complaints, or with nothing. */
  private static final class Complaining implements PipeListener {
    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] GOAWAY = {0, 0, 22, 7, 0, 0, 0, 0, 0};

    private final Pipe pipe;
    private boolean complained;

    Complaining(Pipe pipe, boolean silent) {
      this.pipe = pipe;
      this.complained = silent;
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
      bytes.position(bytes.limit());
    }

    @Override
    public void onBatchEnd() {
      if (complained) {
        return;
      }
      complained = true;
      says(SETTINGS);
      for (int i = 0; i < TIMES; i++) {
        says(GOAWAY);
        says(goAway("too_many_pings"));
      }
      pipe.flush();
    }

    private void says(byte[] octets) {
      pipe.reserve(octets.length).put(octets);
    }

    @Override
    public void onWritable() {}

    @Override
    public void onWake() {}

    @Override
    public void onClosed(String why) {}
  }

  private static final class Lines extends Handler {
    private final List<String> said = new ArrayList<>();

    @Override
    public void publish(LogRecord line) {
      said.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
