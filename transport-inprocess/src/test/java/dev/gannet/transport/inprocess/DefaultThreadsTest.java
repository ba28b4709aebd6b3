package dev.gannet.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocking clients and handlers on virtual threads, in real time. */
@Timeout(60)
final class DefaultThreadsTest {
  private static final int MESSAGES = 2_000;

  private final InProcessAddress address = InProcessAddress.anonymous();
  private final CountDownLatch handlerBegun = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final AtomicInteger echoed = new AtomicInteger();
  private Server server;
  private ManagedChannel channel;

  @BeforeEach
  void open() throws IOException {
    server =
        Server.builder(address)
            .add(
                ServerServiceDefinition.of(
                    Texts.SERVICE,
                    List.of(
                        ServerMethodDefinition.of(Texts.UNARY, BlockingHandlers.unary(this::unary)),
                        ServerMethodDefinition.of(
                            Texts.BIDI,
                            BlockingHandlers.bidiStreaming((in, out) -> {
                              for (String message : in) {
                                echoed.incrementAndGet();
                                out.send(message);
                              }
                            })))))
            .start();
    channel = ManagedChannel.builder(address).build();
  }

  private String unary(String request) throws InterruptedException {
    if (request.equals("wait")) {
      handlerBegun.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    }
    return request;
  }

  @AfterEach
  void close() {
    channel.close();
    server.close();
    assertThat(channel.isTerminated()).isTrue();
    assertThat(server.isTerminated()).isTrue();
  }

  @Test
  void aDeadlineEndsACallAndInterruptsItsHandler() throws InterruptedException {
    CallOptions options = CallOptions.DEFAULT.withDeadline(Duration.ofMillis(50));
    assertThatThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, options, "wait"))
        .isInstanceOf(StatusException.class)
        .extracting(thrown -> ((StatusException) thrown).status().code())
        .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    handlerBegun.await();
    interrupted.await();
  }

  @Test
  void aWriterWaitsForItsReader() throws Exception {
    BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, Texts.BIDI, CallOptions.DEFAULT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> writer =
          threads.submit(() -> {
            for (int i = 0; i < MESSAGES; i++) {
              call.send("message " + i);
            }
            call.halfClose();
          });
      List<String> read = new ArrayList<>();
      for (String response : call) {
        read.add(response);
        int ahead = echoed.get() - read.size();
        assertThat(ahead).isLessThan(200); // of 2,000: the handler waits for this reader
      }
      writer.get();
      assertThat(read).hasSize(MESSAGES).startsWith("message 0").endsWith("message 1999");
    }
  }

  @Test
  void manyThreadsCallAtOnce() throws InterruptedException, ExecutionException {
    List<Callable<String>> callers = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String text = "caller " + i;
      callers.add(() -> {
        for (int j = 0; j < 500; j++) {
          assertThat(BlockingCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, text))
              .isEqualTo(text);
        }
        return text;
      });
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<String> caller : threads.invokeAll(callers)) {
        assertThat(caller.get()).startsWith("caller ");
      }
    }
  }

  /** It would wait for messages of its own thread. */
  @Test
  void aHandlerOnTheThreadOfItsClientCannotWaitForIt() throws IOException {
    InProcessAddress other = InProcessAddress.anonymous();
    try (Server direct =
            Server.builder(other)
                .dispatch(Dispatch.on(Runnable::run))
                .add(
                    ServerServiceDefinition.of(
                        Texts.SERVICE,
                        List.of(
                            ServerMethodDefinition.of(
                                Texts.method(MethodType.CLIENT_STREAMING, Texts.IMMUTABLE),
                                BlockingHandlers.clientStreaming(in -> in.next())))))
                .start();
        ManagedChannel caller = ManagedChannel.builder(other).build()) {
      assertThat(direct.isShutdown()).isFalse();
      assertThatThrownBy(
              () -> {
                var call =
                    BlockingCalls.clientStreaming(
                        caller,
                        Texts.method(MethodType.CLIENT_STREAMING, Texts.IMMUTABLE),
                        CallOptions.DEFAULT);
                call.send("x");
                call.finish();
              })
          .isInstanceOf(StatusException.class);
    }
  }
}
