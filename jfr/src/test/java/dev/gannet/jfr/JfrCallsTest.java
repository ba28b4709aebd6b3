package dev.gannet.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording has of calls. */
@Timeout(120)
final class JfrCallsTest {
  private static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo");
  private static final MethodDescriptor<byte[], byte[]> UNKNOWN = method("Unknown");

  @TempDir private Path folder = Path.of("");

  private static MethodDescriptor<byte[], byte[]> method(String name) {
    return MethodDescriptor.of(
        MethodType.UNARY, "test.Echo/" + name, Marshallers.bytes(), Marshallers.bytes());
  }

  private static ServerCall.Listener<byte[]> echo(
      ServerCall<byte[], byte[]> call, Metadata headers) {
    call.request(2);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(byte[] message) {
        if (message.length == 0) {
          call.close(Status.NOT_FOUND.withDescription("nothing"), new Metadata());
        } else {
          call.sendMessage(message);
          call.close(Status.OK, new Metadata());
        }
      }
    };
  }

  /** A call with 100 bytes, one with none, one of a method that is not there. */
  private static void callThrice() throws IOException {
    try (Server server =
            Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addTracer(JfrCalls.ofServers())
                .add(
                    ServerServiceDefinition.of(
                        "test.Echo", List.of(ServerMethodDefinition.of(ECHO, JfrCallsTest::echo))))
                .start();
        ManagedChannel channel =
            ManagedChannel.builder("localhost", server.port())
                .plaintext()
                .addTracer(JfrCalls.ofChannels())
                .build()) {
      BlockingCalls.unary(channel, ECHO, CallOptions.DEFAULT, new byte[100]);
      assertThatThrownBy(() -> BlockingCalls.unary(channel, ECHO, CallOptions.DEFAULT, new byte[0]))
          .isInstanceOf(StatusException.class);
      assertThatThrownBy(
              () -> BlockingCalls.unary(channel, UNKNOWN, CallOptions.DEFAULT, new byte[1]))
          .isInstanceOf(StatusException.class);
    }
  }

  private List<RecordedEvent> recorded(String event, Optional<Duration> threshold)
      throws IOException {
    try (Recording recording = new Recording()) {
      var settings = recording.enable(event);
      threshold.ifPresent(settings::withThreshold);
      recording.start();
      callThrice();
      recording.stop();
      Path file = folder.resolve("calls.jfr");
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(it -> it.getEventType().getName().equals(event))
          .toList();
    }
  }

  private static List<String> texts(List<RecordedEvent> events, String field) {
    return events.stream().map(it -> it.getString(field)).toList();
  }

  @Test
  void callsOfAServerAreRecorded() throws IOException {
    List<RecordedEvent> events = recorded(JfrCalls.SERVER_CALL, Optional.empty());
    assertThat(texts(events, "method"))
        .containsExactlyInAnyOrder("test.Echo/Echo", "test.Echo/Echo", "test.Echo/Unknown");
    assertThat(texts(events, "status"))
        .containsExactlyInAnyOrder("OK", "NOT_FOUND", "UNIMPLEMENTED");
    RecordedEvent good = only(events, "OK");
    assertThat(good.getLong("bytesReceived")).isEqualTo(100);
    assertThat(good.getLong("bytesSent")).isEqualTo(100);
    assertThat(good.getLong("messagesSent")).isEqualTo(1);
    assertThat(good.getLong("messagesReceived")).isEqualTo(1);
    assertThat(good.getString("peer")).contains("127.0.0.1");
    assertThat(good.getDuration()).isPositive();
    assertThat(only(events, "NOT_FOUND").getString("description")).isEqualTo("nothing");
  }

  @Test
  void callsOfAClientAreRecorded() throws IOException {
    List<RecordedEvent> events = recorded(JfrCalls.CLIENT_CALL, Optional.empty());
    assertThat(texts(events, "status"))
        .containsExactlyInAnyOrder("OK", "NOT_FOUND", "UNIMPLEMENTED");
    RecordedEvent good = only(events, "OK");
    assertThat(good.getString("method")).isEqualTo("test.Echo/Echo");
    assertThat(good.getString("authority")).startsWith("localhost:");
    assertThat(good.getInt("attempts")).isEqualTo(1);
    assertThat(good.getLong("bytesReceived")).isEqualTo(100);
    assertThat(good.getString("peer")).contains("127.0.0.1");
  }

  private record Start() implements ClientCallTracer.Start, ClientStreamTracer.Start {
    @Override
    public MethodDescriptor<?, ?> method() {
      return ECHO;
    }

    @Override
    public CallOptions options() {
      return CallOptions.DEFAULT;
    }

    @Override
    public String target() {
      return "dns:///echo";
    }

    @Override
    public String authority() {
      return "echo";
    }

    @Override
    public Metadata headers() {
      return new Metadata();
    }

    @Override
    public int previousAttempts() {
      return 0;
    }

    @Override
    public boolean isTransparentRetry() {
      return false;
    }
  }

  @Test
  void attemptsThatRunInParallelAreCountedTogether() throws Exception {
    int each = 100_000;
    try (Recording recording = new Recording()) {
      recording.enable(JfrCalls.CLIENT_CALL);
      recording.start();
      ClientCallTracer call = JfrCalls.ofChannels().newTracer(new Start());
      List<Thread> hedges = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        ClientStreamTracer attempt = call.newAttempt(new Start());
        hedges.add(
            Thread.ofPlatform()
                .start(
                    () -> IntStream.range(0, each).forEach(n -> attempt.onMessageSent(n, 1, 1))));
      }
      for (Thread hedge : hedges) {
        hedge.join();
      }
      call.onEnd(Status.OK, new Metadata());
      recording.stop();
      Path file = folder.resolve("hedges.jfr");
      recording.dump(file);
      assertThat(RecordingFile.readAllEvents(file))
          .singleElement()
          .satisfies(it -> assertThat(it.getInt("attempts")).isEqualTo(2))
          .satisfies(it -> assertThat(it.getLong("messagesSent")).isEqualTo(2L * each));
    }
  }

  @Test
  void callsBelowTheThresholdAreNotRecorded() throws IOException {
    assertThat(recorded(JfrCalls.SERVER_CALL, Optional.of(Duration.ofHours(1)))).isEmpty();
  }

  @Test
  void withoutARecordingNothingIsTraced() throws IOException {
    assertThat(new ServerCallEvent().isEnabled()).isFalse();
    assertThat(new ClientCallEvent().isEnabled()).isFalse();
    callThrice();
  }

  @Test
  void longTextsAreCut() {
    assertThat(CallEvent.cut("x".repeat(1000))).hasSize(256);
    assertThat(CallEvent.cut("x".repeat(256))).hasSize(256);
  }

  private static RecordedEvent only(List<RecordedEvent> events, String status) {
    return events.stream()
        .filter(it -> it.getString("status").equals(status))
        .findFirst()
        .orElseThrow();
  }
}
