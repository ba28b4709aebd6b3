package dev.gannet.conformance.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
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
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What interceptors see, and may do, with calls that plain methods make and serve. */
@Timeout(60)
final class InterceptorsTest {
  private static final MethodDescriptor<String, String> UNARY = method(MethodType.UNARY, "Unary");
  private static final MethodDescriptor<String, String> BIDI =
      method(MethodType.BIDI_STREAMING, "Bidi");
  private static final Metadata.Key<String> LEFT = Metadata.Key.ascii("left");
  private static final Metadata.Key<String> SEEN = Metadata.Key.ascii("seen");

  private final CompletableFuture<Status> closed = new CompletableFuture<>();
  private final CompletableFuture<Metadata> trailers = new CompletableFuture<>();
  private final CompletableFuture<Throwable> thrown = new CompletableFuture<>();
  private final CompletableFuture<Optional<Duration>> inherited = new CompletableFuture<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private Server server;
  private ManagedChannel channel;

  private static MethodDescriptor<String, String> method(MethodType type, String name) {
    return MethodDescriptor.of(type, "test.Words/" + name, new Words(false), new Words(false));
  }

  private void serve(ServerInterceptor interceptor) throws IOException {
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            "test.Words",
            List.of(
                ServerMethodDefinition.of(UNARY, BlockingHandlers.unary(this::answer)),
                ServerMethodDefinition.of(BIDI, BlockingHandlers.bidiStreaming(this::chat))));
    server =
        Server.builder(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .add(ServerInterceptor.intercept(service, List.of(interceptor)))
            .start();
    channel = ManagedChannel.builder("127.0.0.1", server.port()).plaintext().build();
  }

  @AfterEach
  void stop() {
    channel.close();
    server.close();
  }

  private String answer(String request) {
    if (request.equals("ask another")) {
      ask(startedElsewhere(), "what is left of the time?");
    } else if (request.equals("ask another, detached")) {
      Channel to = ClientInterceptor.intercept(channel, List.of(new Detaching()));
      BlockingCalls.unary(to, UNARY, CallOptions.DEFAULT, "what is left of the time?");
    } else if (request.equals("what is left of the time?")) {
      CallContext context = CallContext.current().orElseThrow();
      inherited.complete(context.deadline().map(it -> Duration.ofNanos(it.remainingNanos())));
    } else if (request.equals("say what cannot be written")) {
      return Words.UNWRITABLE;
    } else if (request.equals("fail")) {
      CallContext.current().orElseThrow().responseTrailers().add(LEFT, "by the handler");
      throw Status.NOT_FOUND.withDescription("nothing here").asException();
    }
    return request;
  }

  /** Says each request back, until its client has nothing more to say. */
  private void chat(Incoming<String> requests, Outgoing<String> responses) {
    for (String request : requests) {
      responses.send(request);
    }
  }

  private static String ask(Channel to, String request) {
    return BlockingCalls.unary(
        to, UNARY, CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(30)), request);
  }

  /** An object that does as another does, but for what the function sees. */
  private static <T> T around(Class<T> type, T inner, Function<Method, InvocationHandler> seen) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              InvocationHandler other = seen.apply(method);
              try {
                return other == null
                    ? method.invoke(inner, arguments)
                    : other.invoke(inner, method, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return type.cast(made);
  }

  /** The headers with which a call is started. */
  private static Metadata headersOf(Object[] argumentsOfStart) {
    return argumentsOfStart.length == 1 ? new Metadata() : (Metadata) argumentsOfStart[1];
  }

  /** Hears of what its calls are closed with. */
  private final class Watching implements ServerInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall<Q, R> watched =
          around(
              ServerCall.class,
              call,
              called ->
                  !called.getName().equals("close")
                      ? null
                      : (inner, method, arguments) -> {
                        Metadata ends =
                            arguments.length == 1
                                ? call.context().responseTrailers()
                                : (Metadata) arguments[1];
                        closed.complete((Status) arguments[0]);
                        trailers.complete(ends);
                        ends.add(SEEN, "by the interceptor");
                        call.close((Status) arguments[0], ends);
                        return null;
                      });
      return next.startCall(watched, headers);
    }
  }

  @Test
  void theySeeTheStatusThatAPlainHandlerThrows() throws Exception {
    serve(new Watching());
    StatusException failure =
        catchThrowableOfType(StatusException.class, () -> ask(channel, "fail"));
    assertThat(failure.status().code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(failure.trailers().get(LEFT)).contains("by the handler");
    assertThat(closed.get(20, TimeUnit.SECONDS).code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(trailers.get(20, TimeUnit.SECONDS).get(LEFT)).contains("by the handler");
  }

  @Test
  void theySeeTheStatusOfAResponseThatCannotBeSent() throws Exception {
    serve(new Watching());
    StatusException failure =
        catchThrowableOfType(
            StatusException.class, () -> ask(channel, "say what cannot be written"));
    assertThat(failure.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(failure.trailers().get(SEEN)).contains("by the interceptor");
    assertThat(closed.get(20, TimeUnit.SECONDS).code()).isEqualTo(Status.Code.INTERNAL);
  }

  /** Tells its handler that it is ready on a thread of its own, as one that looks up tokens may. */
  private final class Delaying implements ServerInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      return around(
          ServerCall.Listener.class,
          listener,
          called ->
              !called.getName().equals("onReady")
                  ? null
                  : (inner, method, arguments) ->
                      Thread.ofVirtual().start(() -> begin(listener)).getName());
    }

    private void begin(ServerCall.Listener<?> listener) {
      try {
        listener.onReady();
      } catch (StatusException e) {
        thrown.complete(e);
      }
    }
  }

  @Test
  void aHandlerThatTheyStartOnAnotherThreadFailsInsteadOfHanging() throws Exception {
    serve(new Delaying());
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      StatusException failure = catchThrowableOfType(StatusException.class, call::hasNext);
      assertThat(failure.status().code()).isEqualTo(Status.Code.INTERNAL);
      assertThat(failure.status().description())
          .hasValueSatisfying(
              words -> assertThat(words).contains("on a thread on which none can arrive"));
      assertThat(thrown.get(20, TimeUnit.SECONDS)).hasMessageContaining("CANCELLED");
    }
  }

  /** Has one lock for all that its calls do. */
  private static final class Locking implements ServerInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      Object lock = new Object();
      ServerCall<Q, R> locked =
          around(
              ServerCall.class,
              call,
              called ->
                  called.getName().equals("awaitEvent")
                      ? null
                      : (inner, method, arguments) -> {
                        synchronized (lock) {
                          return method.invoke(inner, arguments);
                        }
                      });
      return next.startCall(locked, headers);
    }
  }

  @Test
  void theyMayHoldALockDuringMethodsOfTheCall() throws Exception {
    serve(new Locking());
    String long10k = "x".repeat(10_000);
    try (BidiStreamingCall<String, String> call =
        BlockingCalls.bidiStreaming(channel, BIDI, CallOptions.DEFAULT)) {
      Thread writer =
          Thread.ofVirtual()
              .start(() -> {
                for (int i = 0; i < 500; i++) {
                  call.send(long10k);
                }
                call.halfClose();
              });
      int heard = 0;
      while (call.hasNext()) {
        assertThat(call.next()).isEqualTo(long10k);
        heard++;
      }
      writer.join();
      assertThat(heard).isEqualTo(500);
    }
  }

  /** Starts its calls on another thread. */
  private Channel startedElsewhere() {
    return ClientInterceptor.intercept(channel, List.of(new StartingElsewhere()));
  }

  private static final class StartingElsewhere implements ClientInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      ClientCall<Q, R> call =
          next.newCall(method, options.withExecutor(options.executor().orElseThrow()));
      return around(
          ClientCall.class,
          call,
          called ->
              !called.getName().equals("start")
                  ? null
                  : (inner, start, arguments) -> {
                    CompletableFuture<Object> started = new CompletableFuture<>();
                    Thread.ofPlatform()
                        .start(() -> {
                          call.start(
                              (ClientCall.Listener<? super R>) arguments[0], headersOf(arguments));
                          started.complete("");
                        });
                    started.get(20, TimeUnit.SECONDS);
                    return null;
                  });
    }
  }

  @Test
  void aCallThatTheyStartOnAnotherThreadStillInheritsTheDeadline() throws Exception {
    serve(new Watching());
    BlockingCalls.unary(
        channel, UNARY, CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)), "ask another");
    assertThat(inherited.get(20, TimeUnit.SECONDS).orElseThrow())
        .isLessThan(Duration.ofSeconds(20));
  }

  /** Starts its calls on the same thread, for nobody in particular. */
  private static final class Detaching implements ClientInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return around(
          ClientCall.class,
          next.newCall(method, options),
          called ->
              !called.getName().equals("start")
                  ? null
                  : (inner, start, arguments) -> {
                    CallContext.runDetached(() ->
                        ((ClientCall<Q, R>) inner)
                            .start(
                                (ClientCall.Listener<? super R>) arguments[0],
                                headersOf(arguments)));
                    return null;
                  });
    }
  }

  @Test
  void aCallThatTheyStartDetachedInheritsNothing() throws Exception {
    serve(new Watching());
    BlockingCalls.unary(
        channel,
        UNARY,
        CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)),
        "ask another, detached");
    assertThat(inherited.get(20, TimeUnit.SECONDS)).isEmpty();
  }

  /** Makes up the end of a call as soon as its answer is there. */
  private final class Impatient implements ClientInterceptor {
    @Override
    @SuppressWarnings("unchecked")
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      ClientCall<Q, R> call = next.newCall(method, options);
      return around(
          ClientCall.class,
          call,
          called ->
              !called.getName().equals("start")
                  ? null
                  : (inner, start, arguments) -> {
                    call.start(
                        new Ending<>((ClientCall.Listener<R>) arguments[0], told),
                        headersOf(arguments));
                    return null;
                  });
    }
  }

  private record Ending<R>(ClientCall.Listener<R> to, CountDownLatch told)
      implements ClientCall.Listener<R> {
    @Override
    public void onMessage(R message) {
      to.onMessage(message);
      to.onClose(Status.OK, new Metadata());
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      told.countDown();
    }
  }

  @Test
  void interceptorsAreNotifiedOfTheEndAfterTheCallerHasReturned() throws Exception {
    serve(new Watching());
    Channel impatient = ClientInterceptor.intercept(channel, List.of(new Impatient()));
    assertThat(ask(impatient, "hello")).isEqualTo("hello");
    assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
  }
}
