package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.Incoming;
import dev.gannet.conformance.interop.TestCredentials;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import dev.gannet.testing.Testbed;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to handlers whose calls an interceptor ends, on the threads on which they run. */
@ParameterizedClass
@EnumSource
@Timeout(60)
final class EndedHandlersTest {
  private static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
  private static final MethodDescriptor<String, String> BIDI =
      method(MethodType.BIDI_STREAMING, "Bidi");
  private static final Metadata.Key<String> WHY = Metadata.Key.ascii("why");
  private static final Status EXPIRED = Status.UNAUTHENTICATED.withDescription("the token expired");
  private static final int PATIENCE_SECONDS = 30;

  private final Medium medium;
  private final Testbed testbed;
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
  private final ExecutorService pool = Executors.newSingleThreadExecutor();
  private final BlockingQueue<ServerCall<?, ?>> calls = new LinkedBlockingQueue<>();
  private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
  private final CountDownLatch waiting = new CountDownLatch(1);
  private final CountDownLatch mayReturn = new CountDownLatch(1);

  EndedHandlersTest(Medium medium) {
    this.medium = medium;
    this.testbed = medium == Medium.IN_PROCESS ? Testbed.inProcess() : Testbed.onLoopback();
  }

  /** What is between client and server. */
  enum Medium {
    NETWORK,
    NETWORK_WITH_TLS,
    IN_PROCESS
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    Words words = new Words(false);
    return MethodDescriptor.of(type, "test.Words/" + name, words, words);
  }

  /** Hands its calls to the test. */
  private final class Ending implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.add(call);
      return next.startCall(call, headers);
    }
  }

  private Channel serving(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      UnaryOperator<ServerBuilder> options)
      throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            method.serviceName(), List.of(ServerMethodDefinition.of(method, handler)));
    if (medium != Medium.NETWORK_WITH_TLS) {
      Server server = testbed.serve(it -> options.apply(it.add(service)).intercept(new Ending()));
      return testbed.channelTo(server);
    }
    var ofServer = TestCredentials.ofServer();
    var ofClient = TestCredentials.ofClient();
    Server server =
        testbed.serve(
            it -> options.apply(it.credentials(ofServer).add(service)).intercept(new Ending()));
    return testbed.channelTo(
        server, it -> it.credentials(ofClient).overrideAuthority("foo.test.google.fr"));
  }

  @AfterEach
  void closeAll() {
    mayReturn.countDown();
    testbed.close(); // fails if a handler does not return
    callers.close();
    pool.close();
  }

  private Future<String> ask(Channel channel, String request) {
    return callers.submit(() -> BlockingCalls.unary(channel, UNARY, CallOptions.DEFAULT, request));
  }

  private void end(ServerCall<?, ?> call) {
    Metadata trailers = new Metadata();
    trailers.set(WHY, "token");
    call.end(EXPIRED, trailers);
  }

  private void endWhileItWaits() throws InterruptedException {
    assertThat(waiting.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    end(calls.take());
  }

  private static void assertEnded(Future<?> call) {
    assertThatThrownBy(() -> call.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            StatusException.class,
            it -> {
              assertThat(it.status().code()).isEqualTo(EXPIRED.code());
              assertThat(it.status().description()).isEqualTo(EXPIRED.description());
              assertThat(it.trailers().get(WHY)).hasValue("token");
            });
  }

  private Throwable whatTheHandlerGot() throws Exception {
    return thrown.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for something that does not come. */
  private String waits(String request) throws InterruptedException {
    waiting.countDown();
    try {
      new CountDownLatch(1).await();
      return request;
    } catch (InterruptedException e) {
      thrown.complete(e);
      throw e;
    }
  }

  @Test
  void aHandlerThatWaitsIsInterrupted() throws Exception {
    Channel channel = serving(UNARY, BlockingHandlers.unary(this::waits), it -> it);
    Future<String> call = ask(channel, "question");
    endWhileItWaits();
    assertEnded(call);
    assertThat(whatTheHandlerGot()).isInstanceOf(InterruptedException.class);
  }

  @Test
  void aHandlerOnAThreadOfItsOwnIsInterrupted() throws Exception {
    Channel channel =
        serving(
            UNARY,
            BlockingHandlers.unary(this::waits),
            it -> it.dispatch(Dispatch.newVirtualThreads()));
    Future<String> call = ask(channel, "question");
    endWhileItWaits();
    assertEnded(call);
    assertThat(whatTheHandlerGot()).isInstanceOf(InterruptedException.class);
  }

  private String readsAll(Incoming<String> requests) {
    try {
      while (requests.hasNext()) {
        requests.next();
        waiting.countDown();
      }
      return "read to the end";
    } catch (StatusException e) {
      thrown.complete(e);
      throw e;
    }
  }

  private Future<Integer> converse(Channel channel) {
    return callers.submit(() -> {
      try (var call = BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
        call.send("begin");
        int responses = 0;
        while (call.hasNext()) {
          call.next();
          responses++;
        }
        return responses;
      }
    });
  }

  @Test
  void aHandlerOfAnExecutorThatReadsLearnsOfIt() throws Exception {
    Channel channel =
        serving(
            BIDI,
            BlockingHandlers.bidiStreaming((requests, responses) -> readsAll(requests)),
            it -> it.dispatch(Dispatch.on(pool)));
    Future<Integer> call = converse(channel);
    endWhileItWaits();
    assertEnded(call);
    assertThat(whatTheHandlerGot())
        .isInstanceOfSatisfying(
            StatusException.class, it -> assertThat(it.status()).isEqualTo(EXPIRED));
  }

  @Test
  void aHandlerThatWaitsForRoomLearnsOfIt() throws Exception {
    Channel channel =
        serving(
            BIDI,
            BlockingHandlers.bidiStreaming((requests, responses) -> {
              try {
                while (true) {
                  if (!responses.isReady()) {
                    waiting.countDown();
                  }
                  responses.send("response".repeat(1000));
                }
              } catch (StatusException e) {
                thrown.complete(e);
                throw e;
              }
            }),
            it -> it);
    CountDownLatch mayRead = new CountDownLatch(1);
    Future<?> call =
        callers.submit(() -> {
          try (var made = BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
            made.send("begin");
            mayRead.await();
            while (made.hasNext()) {
              made.next();
            }
            return "read to the end";
          }
        });
    endWhileItWaits();
    assertThat(whatTheHandlerGot())
        .isInstanceOfSatisfying(
            StatusException.class, it -> assertThat(it.status().code()).isEqualTo(EXPIRED.code()));
    mayRead.countDown();
    assertEnded(call);
  }

  @Test
  void anAsynchronousHandlerLearnsOfIt() throws Exception {
    CompletableFuture<Boolean> cancelled = new CompletableFuture<>();
    Channel channel =
        serving(
            UNARY,
            AsyncHandlers.unary(request -> {
              CallContext.current().orElseThrow().onCancelled(() -> cancelled.complete(true));
              waiting.countDown();
              return new CompletableFuture<String>();
            }),
            it -> it.dispatch(Dispatch.inline()));
    Future<String> call = ask(channel, "question");
    endWhileItWaits();
    assertEnded(call);
    assertThat(cancelled.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void theCallThatAHandlerWaitsForIsCancelled() throws Exception {
    CompletableFuture<Channel> self = new CompletableFuture<>();
    Channel channel =
        serving(
            UNARY,
            BlockingHandlers.unary(request -> {
              if (request.equals("inner")) {
                return waits(request);
              }
              return BlockingCalls.unary(self.get(), UNARY, CallOptions.DEFAULT, "inner");
            }),
            it -> it);
    self.complete(channel);
    Future<String> call = ask(channel, "outer");
    endWhileItWaits();
    assertEnded(call);
    assertThat(whatTheHandlerGot()).isInstanceOf(InterruptedException.class); // the inner one
    assertThat(calls.take().isCancelled()).isTrue();
  }

  /** Goes on waiting when its thread is interrupted. */
  private void awaitLeave() {
    while (mayReturn.getCount() > 0) {
      try {
        mayReturn.await();
      } catch (InterruptedException e) {
        thrown.complete(e);
      }
    }
  }

  @Test
  void aHandlerThatGoesOnKeepsItsPlaceUntilItReturns() throws Exception {
    Semaphore place = new Semaphore(1);
    CountDownLatch left = new CountDownLatch(1);
    Channel channel =
        serving(
            UNARY,
            BlockingHandlers.unary(request -> {
              waiting.countDown();
              awaitLeave();
              return request;
            }),
            it ->
                it.limitCalls(call -> {
                  if (!place.tryAcquire()) {
                    throw Status.RESOURCE_EXHAUSTED.asException();
                  }
                  return () -> {
                    place.release();
                    left.countDown();
                  };
                }));
    Future<String> call = ask(channel, "question");
    endWhileItWaits();
    assertEnded(call);
    StatusException refused =
        catchThrowableOfType(
            StatusException.class,
            () -> BlockingCalls.unary(channel, UNARY, CallOptions.DEFAULT, "another"));
    assertThat(refused.status().code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(whatTheHandlerGot()).isInstanceOf(InterruptedException.class);
    assertThat(left.getCount()).isOne();
    mayReturn.countDown();
    assertThat(left.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(BlockingCalls.unary(channel, UNARY, CallOptions.DEFAULT, "another"))
        .isEqualTo("another");
  }

  @Test
  void aHandlerMayEndItsOwnCall() throws Exception {
    Channel channel =
        serving(
            UNARY,
            BlockingHandlers.unary(request -> {
              end(calls.take());
              return waits(request);
            }),
            it -> it);
    assertEnded(ask(channel, "question"));
    assertThat(whatTheHandlerGot()).isInstanceOf(InterruptedException.class);
  }

  /** The client gets one whole end, whichever comes first, and the handler agrees with it. */
  @Test
  void oneOfTwoThreadsEndsTheCall() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    Channel channel =
        serving(
            UNARY,
            BlockingHandlers.unary(request -> {
              try {
                together.await();
              } catch (InterruptedException e) {
                throw new AssertionError("ended too early", e);
              }
              return request;
            }),
            it -> it);
    for (int i = 0; i < 300; i++) {
      Future<String> asked = ask(channel, "question");
      ServerCall<?, ?> call = calls.take();
      together.await();
      end(call);
      if (call.context().cancellation().isPresent()) {
        assertEnded(asked);
      } else {
        assertThat(asked.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("question");
        assertThat(call.isCancelled()).isFalse();
      }
    }
  }
}
