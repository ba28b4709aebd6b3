package dev.gannet.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshallers;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording has of the counters of servers and channels. */
@Timeout(120)
final class JfrCountersTest {
  private static final MethodDescriptor<byte[], byte[]> ECHO =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Echo/Echo", Marshallers.bytes(), Marshallers.bytes());

  @TempDir private Path folder = Path.of("");

  private final JfrCounters counters = new JfrCounters();

  @SuppressWarnings("NullAway.Init") // before each test
  private Server server;

  @SuppressWarnings("NullAway.Init") // likewise
  private ManagedChannel channel;

  /** Answers with what it gets, or with NOT_FOUND if that is nothing. */
  private record Echo(ServerCall<byte[], byte[]> call) implements ServerCall.Listener<byte[]> {
    @Override
    public void onMessage(byte[] message) {
      if (message.length == 0) {
        call.close(Status.NOT_FOUND, new Metadata());
      } else {
        call.sendMessage(message);
        call.close(Status.OK, new Metadata());
      }
    }
  }

  private static ServerCall.Listener<byte[]> echo(
      ServerCall<byte[], byte[]> call, Metadata headers) {
    call.request(2);
    return new Echo(call);
  }

  @BeforeEach
  void start() throws IOException {
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .add(counters)
            .add(
                ServerServiceDefinition.of(
                    "test.Echo", List.of(ServerMethodDefinition.of(ECHO, JfrCountersTest::echo))))
            .start();
    channel = ManagedChannel.builder("localhost", server.port()).plaintext().add(counters).build();
  }

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  private void call(int bytes) {
    BlockingCalls.unary(channel, ECHO, CallOptions.DEFAULT, new byte[bytes]);
  }

  /** The events of that name of a recording during which three calls were made. */
  private List<RecordedEvent> recorded(String event) throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable(event);
      recording.start();
      call(100);
      call(50);
      assertThatThrownBy(() -> call(0)).isInstanceOf(StatusException.class);
      recording.stop();
      Path file = folder.resolve("counters.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(it -> it.getEventType().getName().equals(event))
          .toList();
    }
  }

  @Test
  void eachMethodOfAServerHasItsCounts() throws IOException {
    RecordedEvent last = recorded(JfrCounters.SERVER_METHOD).getLast();
    assertThat(last.getString("method")).isEqualTo("test.Echo/Echo");
    assertThat(last.getLong("started")).isEqualTo(3);
    assertThat(last.getLong("bytesReceived")).isEqualTo(150);
  }

  @Test
  void eachConnectionOfAServerHasItsCounts() throws IOException {
    RecordedEvent last = recorded(JfrCounters.SERVER_CONNECTION).getLast();
    assertThat(last.getString("peer")).contains("127.0.0.1");
    assertThat(last.getLong("started")).isEqualTo(3);
    assertThat(last.getLong("messagesReceived")).isEqualTo(3);
    assertThat(last.getLong("queued")).isZero();
    assertThat(last.getString("endedByStatus")).contains("OK=2");
  }

  @Test
  void aChannelHasItsCounts() throws IOException {
    RecordedEvent last = recorded(JfrCounters.CHANNEL).getLast();
    assertThat(last.getString("target")).contains("localhost");
    assertThat(last.getString("state")).isEqualTo("READY");
    assertThat(last.getLong("succeeded")).isEqualTo(2);
    assertThat(last.getLong("failed")).isEqualTo(1);
    assertThat(last.getLong("underWay")).isEqualTo(0);
  }

  @Test
  void eachAddressOfAChannelHasItsState() throws IOException {
    RecordedEvent last = recorded(JfrCounters.SUBCHANNEL).getLast();
    assertThat(last.getString("state")).isEqualTo("READY");
    assertThat(last.getInt("connections")).isEqualTo(1);
    assertThat(last.getLong("connectsSucceeded")).isEqualTo(1);
  }

  @Test
  void whatHasTerminatedIsNotRecordedAnyMore() throws IOException {
    long id = channel.snapshot().id();
    try (ManagedChannel other =
        ManagedChannel.builder("localhost", server.port()).plaintext().add(counters).build()) {
      channel.close();
      channel = other;
      assertThat(recorded(JfrCounters.CHANNEL))
          .extracting(it -> it.getLong("channel"))
          .isNotEmpty()
          .doesNotContain(id);
    }
  }
}
