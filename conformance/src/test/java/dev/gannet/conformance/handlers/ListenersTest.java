package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a listener may do on the threads on which it is told. */
@Timeout(60)
final class ListenersTest {
  private static final MethodDescriptor<String, String> UNARY =
      MethodDescriptor.of(MethodType.UNARY, "test.Words/Unary", new Words(false), new Words(false));

  private final CountDownLatch marshalling = new CountDownLatch(1);
  private final CountDownLatch started = new CountDownLatch(1);
  private final MethodDescriptor<String, String> collect =
      MethodDescriptor.of(
          MethodType.CLIENT_STREAMING, "test.Words/Collect", new Slow(), new Words(false));
  private final Server server =
      Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
          .add(
              ServerServiceDefinition.of(
                  "test.Words",
                  List.of(
                      ServerMethodDefinition.of(UNARY, BlockingHandlers.unary(it -> it)),
                      ServerMethodDefinition.of(
                          collect,
                          BlockingHandlers.clientStreaming(
                              requests -> requests.hasNext() ? requests.next() : "nothing")))))
          .start();
  private final ManagedChannel channel =
      ManagedChannel.builder("127.0.0.1", server.port()).plaintext().directExecutor().build();

  ListenersTest() throws IOException {}

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  /** Writes a message not before the start of its call has returned. */
  private final class Slow implements Marshaller<String> {
    private final Words words = new Words(false);

    @Override
    public void write(String message, MessageSink sink) {
      marshalling.countDown();
      await(started);
      words.write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return words.parse(bytes);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private String ask() {
    return BlockingCalls.unary(channel, UNARY, CallOptions.DEFAULT, "hello");
  }

  @Test
  void aListenerMaySendFromOnReadyBeforeStartHasReturned() throws Exception {
    assertThat(ask()).isEqualTo("hello"); // the connection is ready
    CallOptions options =
        CallOptions.DEFAULT.withExecutor(task -> {
          Thread.ofVirtual().start(task);
          await(marshalling);
        });
    ClientCall<String, String> call = channel.newCall(collect, options);
    Sender listener = new Sender(call);
    call.start(listener);
    started.countDown();
    call.request(2);
    assertThat(listener.end().get(30, TimeUnit.SECONDS)).isEqualTo(Status.OK);
    assertThat(listener.answer()).isCompletedWithValue("first");
  }

  @Test
  void aListenerThatClosesTheChannelDoesNotBlockItsLoop() throws Exception {
    assertThat(ask()).isEqualTo("hello");
    ClientCall<String, String> other = channel.newCall(UNARY, CallOptions.DEFAULT);
    Sender unanswered = new Sender(other);
    other.start(unanswered); // unary: never told that it is ready
    ClientCall<String, String> call = channel.newCall(UNARY, CallOptions.DEFAULT);
    CompletableFuture<Duration> closed = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            long began = System.nanoTime();
            channel.close();
            closed.complete(Duration.ofNanos(System.nanoTime() - began));
          }
        },
        new Metadata());
    call.request(2);
    call.sendMessage("last");
    call.halfClose();
    assertThat(closed.get(30, TimeUnit.SECONDS)).isLessThan(Duration.ofSeconds(4));
    assertThat(channel.isShutdown()).isTrue();
    channel.shutdownNow(); // or else the other call has the time that close gives
    assertThat(channel.awaitTermination(Duration.ofSeconds(30))).isTrue();
    assertThat(unanswered.end().get(30, TimeUnit.SECONDS).code())
        .isEqualTo(Status.Code.UNAVAILABLE);
  }

  /** Sends one message as soon as it may, and keeps what comes. */
  private record Sender(
      ClientCall<String, String> call,
      AtomicBoolean sent,
      CompletableFuture<String> answer,
      CompletableFuture<Status> end)
      implements ClientCall.Listener<String> {
    Sender(ClientCall<String, String> call) {
      this(call, new AtomicBoolean(), new CompletableFuture<>(), new CompletableFuture<>());
    }

    @Override
    public void onReady() {
      if (!sent.getAndSet(true)) {
        call.sendMessage("first");
        call.halfClose();
      }
    }

    @Override
    public void onMessage(String message) {
      answer.complete(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }
}
