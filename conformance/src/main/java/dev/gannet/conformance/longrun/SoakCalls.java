package dev.gannet.conformance.longrun;

import com.google.protobuf.ByteString;
import dev.gannet.api.ChannelCredentials;
import dev.gannet.api.Pem;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.EmptyProtos.Empty;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.ResponseParameters;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallRequest;
import io.grpc.testing.integration.Messages.StreamingInputCallResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Calls of all kinds over TLS, some of them cancelled or late, made by threads that run until they
 * are stopped. Each kind defines how its calls must end. Safe for all threads.
 */
final class SoakCalls {
  private static final int CHANNELS = 4;
  private static final int MESSAGES = 10;
  private static final int PAYLOAD_BYTES = 2_000;
  private static final int MILLIS_BETWEEN_CALLS = 5;
  private static final int MILLIS_BETWEEN_CONNECTIONS = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SHORT_DEADLINE = Duration.ofMillis(50);
  private static final Payload PAYLOAD =
      Payload.newBuilder().setBody(ByteString.copyFrom(new byte[PAYLOAD_BYTES])).build();
  private static final StreamingOutputCallRequest REQUEST =
      StreamingOutputCallRequest.newBuilder()
          .setPayload(PAYLOAD)
          .addAllResponseParameters(
              Collections.nCopies(MESSAGES, ResponseParameters.getDefaultInstance()))
          .build();

  private interface Kind {
    boolean call(TestServiceClient client);
  }

  private final int port;
  private final ChannelCredentials credentials;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  SoakCalls(int port, Path trust) throws IOException {
    this.port = port;
    this.credentials = ChannelCredentials.tls().withTrust(Pem.of(trust));
    for (int i = 0; i < CHANNELS; i++) {
      ManagedChannel channel = connect();
      channels.add(channel);
      TestServiceClient client = TestServiceClient.of(channel);
      start("unary", SoakCalls::unary, client);
      start("client stream", SoakCalls::clientStream, client);
      start("server stream", SoakCalls::serverStream, client);
      start("bidi stream", SoakCalls::bidiStream, client);
      start("cancelled", SoakCalls::cancelled, client);
      start("late", SoakCalls::late, client);
    }
    threads.add(Thread.ofVirtual().start(this::reconnectOn));
  }

  /** Returns once all running calls have ended. */
  void end() throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    channels.forEach(ManagedChannel::close);
  }

  /** How many calls of each kind ended as expected. */
  Map<String, LongAdder> counts() {
    return new TreeMap<>(counts);
  }

  /** How the other calls ended. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  private ManagedChannel connect() {
    return ManagedChannel.builder("localhost", port).credentials(credentials).build();
  }

  private void start(String name, Kind kind, TestServiceClient client) {
    threads.add(
        Thread.ofVirtual()
            .start(() -> {
              while (!over) {
                callOnce(name, kind, client);
                rest(MILLIS_BETWEEN_CALLS);
              }
            }));
  }

  /** A new connection for every call, so that there are handshakes with each certificate. */
  private void reconnectOn() {
    while (!over) {
      try (ManagedChannel channel = connect()) {
        callOnce("new connection", SoakCalls::unary, TestServiceClient.of(channel));
      }
      rest(MILLIS_BETWEEN_CONNECTIONS);
    }
  }

  private void callOnce(String name, Kind kind, TestServiceClient client) {
    try {
      if (kind.call(client)) {
        counts.computeIfAbsent(name, first -> new LongAdder()).increment();
      } else {
        failures.add(name + ": a wrong answer");
      }
    } catch (StatusException e) {
      failures.add(name + ": " + e.status());
    }
  }

  private void rest(int millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      over = true;
      Thread.currentThread().interrupt();
    }
  }

  private static boolean unary(TestServiceClient client) {
    return client
        .withDeadline(PATIENCE)
        .unaryCall(SimpleRequest.newBuilder().setPayload(PAYLOAD).build())
        .getPayload()
        .equals(PAYLOAD);
  }

  private static boolean clientStream(TestServiceClient client) {
    StreamingInputCallRequest message =
        StreamingInputCallRequest.newBuilder().setPayload(PAYLOAD).build();
    try (ClientStreamingCall<StreamingInputCallRequest, StreamingInputCallResponse> call =
        client.withDeadline(PATIENCE).streamingInputCall()) {
      for (int i = 0; i < MESSAGES; i++) {
        call.send(message);
      }
      return call.finish().getAggregatedPayloadSize() == MESSAGES * PAYLOAD_BYTES;
    }
  }

  private static boolean serverStream(TestServiceClient client) {
    int count = 0;
    try (Incoming<StreamingOutputCallResponse> responses =
        client.withDeadline(PATIENCE).streamingOutputCall(REQUEST)) {
      for (StreamingOutputCallResponse response : responses) {
        count += response.getPayload().equals(PAYLOAD) ? 1 : 0;
      }
    }
    return count == MESSAGES;
  }

  private static boolean bidiStream(TestServiceClient client) {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.withDeadline(PATIENCE).fullDuplexCall()) {
      for (int i = 0; i < MESSAGES; i++) {
        call.send(REQUEST);
        if (!call.next().getPayload().equals(PAYLOAD)) {
          return false;
        }
      }
      call.halfClose();
      return !call.hasNext();
    }
  }

  /** Closes a stream after its first answer, which cancels it. */
  private static boolean cancelled(TestServiceClient client) {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> call =
        client.withDeadline(PATIENCE).fullDuplexCall()) {
      call.send(REQUEST);
      return call.next().getPayload().equals(PAYLOAD);
    }
  }

  private static boolean late(TestServiceClient client) {
    try {
      client.withDeadline(SHORT_DEADLINE).emptyCall(Empty.getDefaultInstance());
      return false;
    } catch (StatusException e) {
      if (e.status().code() == Status.Code.DEADLINE_EXCEEDED) {
        return true;
      }
      throw e;
    }
  }
}
