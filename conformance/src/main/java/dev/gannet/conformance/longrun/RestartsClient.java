package dev.gannet.conformance.longrun;

import com.google.protobuf.ByteString;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.client.ManagedChannel;
import io.grpc.testing.integration.Messages.Payload;
import io.grpc.testing.integration.Messages.SimpleRequest;
import io.grpc.testing.integration.Messages.SimpleResponse;
import io.grpc.testing.integration.Messages.StreamingOutputCallRequest;
import io.grpc.testing.integration.Messages.StreamingOutputCallResponse;
import io.grpc.testing.integration.TestServiceClient;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A client of Gannet that makes calls until it is stopped: unary calls with an id each, and streams
 * that last until their server announces its shutdown. Its output has the form that the clients in
 * other languages print: {@code failed ID WHY}, {@code broken WHY} for a stream, and in the end
 * {@code done UNARY STREAMS}.
 */
final class RestartsClient {
  private static final int UNARY_CALLERS = 4;
  private static final int STREAMS = 2;
  private static final int MILLIS_BETWEEN_CALLS = 10;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  private final String name;
  private final Consumer<String> lines;
  private final ManagedChannel channel;
  private final List<Thread> threads = new ArrayList<>();
  private final AtomicLong ids = new AtomicLong();
  private final AtomicLong calls = new AtomicLong();
  private final AtomicLong streams = new AtomicLong();
  private volatile boolean over;

  RestartsClient(String name, List<InetSocketAddress> servers, Consumer<String> lines) {
    this.name = name;
    this.lines = lines;
    this.channel =
        ManagedChannel.builder("restarts").addresses(servers).roundRobin().plaintext().build();
    for (int i = 0; i < UNARY_CALLERS; i++) {
      threads.add(Thread.ofVirtual().start(() -> repeat(this::callOnce)));
    }
    for (int i = 0; i < STREAMS; i++) {
      threads.add(Thread.ofVirtual().start(() -> repeat(this::streamOnce)));
    }
  }

  /** Returns once all running calls have ended. */
  void end() throws InterruptedException {
    over = true;
    for (Thread thread : threads) {
      thread.join();
    }
    channel.close();
    lines.accept("done " + calls + " " + streams);
  }

  private interface Step {
    void run() throws InterruptedException;
  }

  private void repeat(Step step) {
    try {
      while (!over) {
        step.run();
        TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_CALLS);
      }
    } catch (InterruptedException e) {
      lines.accept("broken interrupted");
    }
  }

  private void callOnce() {
    String id = name + ":" + ids.incrementAndGet();
    try {
      SimpleResponse response =
          TestServiceClient.of(channel)
              .withDeadline(DEADLINE)
              .unaryCall(SimpleRequest.newBuilder().setPayload(payload(id)).build());
      if (response.getPayload().getBody().toStringUtf8().equals(id)) {
        calls.incrementAndGet();
      } else {
        lines.accept("failed " + id + " a wrong answer");
      }
    } catch (StatusException e) {
      lines.accept("failed " + id + " " + e.status());
    }
  }

  private void streamOnce() throws InterruptedException {
    try (BidiStreamingCall<StreamingOutputCallRequest, StreamingOutputCallResponse> stream =
        TestServiceClient.of(channel).fullDuplexCall()) {
      boolean leaving = false;
      while (!leaving && !over) {
        stream.send(StreamingOutputCallRequest.newBuilder().setPayload(payload("ping")).build());
        String word = stream.next().getPayload().getBody().toStringUtf8();
        leaving = word.equals(RestartsServer.LEAVE);
        TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_CALLS);
      }
      stream.halfClose();
      if (stream.hasNext()) {
        lines.accept("broken a message after the end");
      } else {
        streams.incrementAndGet();
      }
    } catch (StatusException e) {
      lines.accept("broken " + e.status());
    }
  }

  private static Payload payload(String text) {
    return Payload.newBuilder().setBody(ByteString.copyFromUtf8(text)).build();
  }
}
