package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
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
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that waits inside a handler learns that the call has ended, for whatever reason. */
@Timeout(60)
final class BlockedHandlersTest {
  private static final int UNREAD_RESPONSES = 40; // more than a client asks for by itself
  private static final int PATIENCE_SECONDS = 20;
  private static final int PARSED_BY_ITS_READER_BYTES = 32 << 10;
  private static final MethodDescriptor<String, String> CLIENT_STREAMING =
      method(MethodType.CLIENT_STREAMING, "ClientStreaming");
  private static final MethodDescriptor<String, String> BIDI =
      method(MethodType.BIDI_STREAMING, "Bidi");
  private static final Metadata.Key<String> REASON = Metadata.Key.ascii("reason");

  private final CompletableFuture<StatusException> learned = new CompletableFuture<>();
  private Server server;
  private ManagedChannel channel;

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  @Test
  void aReadingHandlerIsToldThatARequestCannotBeParsed() throws IOException {
    serve(CLIENT_STREAMING, BlockingHandlers.clientStreaming(this::readsAll));

    assertThat(endOf(sendingGarbage()).code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void aReadingHandlerIsToldWhyItsCallWasCancelled() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    serve(
        CLIENT_STREAMING,
        BlockingHandlers.clientStreaming(requests -> {
          requests.next();
          reading.countDown();
          return readsAll(requests);
        }));
    try (ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(channel, CLIENT_STREAMING, CallOptions.DEFAULT)) {
      call.send("begin");
      reading.await();
    }
    assertThat(whatWasLearned())
        .hasToString("CANCELLED: the client reset the call: CANCEL"); // and not: was interrupted
  }

  @Test
  void whoHasNotReadTheLastResponsesLearnsOfTheEndThere() throws IOException {
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> responses.send(requests.next())));
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      call.send("begin");
      while (call.isReady()) { // until the call has ended
        Thread.onSpinWait();
      }
      call.send("dropped");
      assertThat(call.next()).isEqualTo("begin");
      assertThat(call.hasNext()).isFalse();
      StatusException end = catchThrowableOfType(StatusException.class, () -> call.send("late"));
      assertThat(end.status().code()).isEqualTo(Status.Code.CANCELLED);
    }
  }

  @Test
  void aWritingHandlerIsToldThatARequestCannotBeParsed() throws IOException {
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> {
          requests.next();
          sendsForEver(responses);
        }));

    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      call.send("begin");
      call.send(garbage());
      assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
      assertThat(endOf(() -> drain(call)).code()).isEqualTo(Status.Code.INTERNAL);
    }
  }

  @Test
  void aReadingHandlerIsToldThatAnInterceptorRefusedARequest() throws IOException {
    serve(CLIENT_STREAMING, BlockingHandlers.clientStreaming(this::readsAll), new Censor());

    StatusException refused =
        catchThrowableOfType(StatusException.class, sending("fine", "rude")::run);
    assertThat(refused.status().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.trailers().get(REASON)).contains("rude");
    assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void aWritingHandlerIsToldThatAnInterceptorAnsweredItsCall() throws IOException {
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> {
          requests.next();
          sendsForEver(responses);
        }),
        new Expiry());

    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      call.send("begin");
      assertThat(endOf(() -> drain(call)).code()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
    }
  }

  @Test
  void trailersOfTheContextAreSentWithAFailure() throws IOException {
    serve(
        CLIENT_STREAMING,
        BlockingHandlers.clientStreaming(requests -> {
          CallContext.current().orElseThrow().responseTrailers().add(REASON, "left");
          throw Status.NOT_FOUND.asException();
        }));

    StatusException failed = catchThrowableOfType(StatusException.class, sending()::run);
    assertThat(failed.status().code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(failed.trailers().get(REASON)).contains("left");
  }

  @Test
  void trailersOfAFailureReplaceThoseOfTheContext() throws IOException {
    serve(
        CLIENT_STREAMING,
        BlockingHandlers.clientStreaming(requests -> {
          Metadata left = CallContext.current().orElseThrow().responseTrailers();
          left.add(REASON, "left");
          Metadata thrown = new Metadata();
          thrown.add(REASON, "thrown");
          throw Status.NOT_FOUND.asException(thrown);
        }));

    StatusException failed = catchThrowableOfType(StatusException.class, sending()::run);
    assertThat(failed.trailers().getAll(REASON)).containsExactly("thrown");
  }

  @Test
  void aReadingThreadIsToldThatItsHandlerFailed() throws IOException {
    CountDownLatch reading = new CountDownLatch(1);
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> {
          Thread.ofVirtual()
              .start(() -> {
                requests.next();
                reading.countDown();
                readsAll(requests);
              });
          reading.await();
          throw Status.ABORTED.asException();
        }));

    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      call.send("begin");
      assertThat(endOf(() -> drain(call)).code()).isEqualTo(Status.Code.ABORTED);
      assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
    }
  }

  @Test
  void aWritingThreadIsToldThatItsHandlerHasEnded() throws IOException {
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> {
          Thread.ofVirtual().start(() -> sendsForEver(responses));
          requests.next();
        }));

    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      call.send("begin");
      assertThat(whatWasLearned().code()).isEqualTo(Status.Code.CANCELLED);
      drain(call);
    }
  }

  @Test
  void aClientMaySendWhileTheEndOfItsCallIsUnread() throws IOException {
    serve(
        BIDI,
        BlockingHandlers.bidiStreaming((requests, responses) -> {
          requests.next();
          for (int i = 0; i < UNREAD_RESPONSES; i++) {
            responses.send("response");
          }
          throw Status.ABORTED.asException();
        }));

    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      for (int i = 0; i < 50_000; i++) {
        call.send("request");
      }
      assertThat(endOf(() -> drain(call)).code()).isEqualTo(Status.Code.ABORTED);
    }
  }

  @Test
  void handlersOfFailedCallsDoNotOccupySlots() throws IOException {
    serve(CLIENT_STREAMING, BlockingHandlers.clientStreaming(this::readsAll));

    for (int i = 0; i < 2 * 256 + 1; i++) {
      assertThat(endOf(sendingGarbage()).code()).isEqualTo(Status.Code.INTERNAL);
    }
  }

  @Test
  void aClientThatOnlySendsIsToldThatItsCallHasEnded() throws IOException {
    serve(
        CLIENT_STREAMING,
        BlockingHandlers.clientStreaming(requests -> {
          throw Status.RESOURCE_EXHAUSTED.withDescription("enough").asException();
        }));

    try (ClientStreamingCall<String, String> call =
        BlockingCalls.clientStreaming(channel, CLIENT_STREAMING, CallOptions.DEFAULT)) {
      assertThat(endOf(() -> sendsForEver(call))).hasToString("RESOURCE_EXHAUSTED: enough");
    }
  }

  /** Answers each call with its first response. */
  private static final class Expiry implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      return new ServerCall.Listener<>() {
        @Override
        public void onReady() {
          listener.onReady();
        }

        @Override
        public void onMessage(Q message) {
          listener.onMessage(message);
          call.close(Status.UNAUTHENTICATED, new Metadata());
        }

        @Override
        public void onCancel() {
          listener.onCancel();
        }
      };
    }
  }

  /** Refuses rude requests. */
  private static final class Censor implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      return new ServerCall.Listener<>() {
        @Override
        public void onReady() {
          listener.onReady();
        }

        @Override
        public void onMessage(Q message) {
          if (message.equals("rude")) {
            Metadata trailers = new Metadata();
            trailers.add(REASON, "rude");
            throw Status.PERMISSION_DENIED.asException(trailers);
          }
          listener.onMessage(message);
        }

        @Override
        public void onHalfClose() {
          listener.onHalfClose();
        }

        @Override
        public void onCancel() {
          listener.onCancel();
        }
      };
    }
  }

  private void serve(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      ServerInterceptor... interceptors)
      throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            method.serviceName(), List.of(ServerMethodDefinition.of(method, handler)));
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .add(ServerInterceptor.intercept(service, List.of(interceptors)))
            .start();
    channel = ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  private String readsAll(Incoming<String> requests) {
    try {
      while (requests.hasNext()) {
        requests.next();
      }
    } catch (StatusException e) {
      learned.complete(e);
      throw e;
    }
    return "read to the end";
  }

  private void sendsForEver(Outgoing<String> to) {
    try {
      while (true) {
        to.send(garbage());
      }
    } catch (StatusException e) {
      learned.complete(e);
      throw e;
    }
  }

  private Runnable sendingGarbage() {
    return sending(garbage());
  }

  private Runnable sending(String... requests) {
    return () -> {
      try (ClientStreamingCall<String, String> call =
          BlockingCalls.clientStreaming(channel, CLIENT_STREAMING, CallOptions.DEFAULT)) {
        for (String request : requests) {
          call.send(request);
        }
        throw new AssertionError(call.finish());
      }
    };
  }

  private Status whatWasLearned() {
    return learned.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join().status();
  }

  private static void drain(Incoming<String> responses) {
    while (responses.hasNext()) {
      responses.next();
    }
  }

  private static Status endOf(Runnable call) {
    return catchThrowableOfType(StatusException.class, call::run).status();
  }

  private static String garbage() {
    return Words.UNPARSABLE + "x".repeat(PARSED_BY_ITS_READER_BYTES);
  }

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(type, "test.Words/" + name, new Words(true), new Words(false));
  }
}
