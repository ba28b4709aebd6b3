package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BlockingHandlers;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that return before their call is over. */
final class AsyncHandlersTest {
  private final Simulation simulation = new Simulation();
  private final CompletableFuture<String> answer = new CompletableFuture<>();
  private final AtomicReference<CallContext> context = new AtomicReference<>();

  private MadeCall calling(
      MethodDescriptor<String, String> method,
      ServerCallHandler<String, String> handler,
      String... requests) {
    simulation.with(method, handler).serve();
    MadeCall call = MadeCall.start(simulation.channel(), method).wants(100);
    call.says(requests);
    simulation.run();
    return call;
  }

  private CompletableFuture<String> held(String request) {
    context.set(CallContext.current().orElseThrow());
    return answer;
  }

  @Test
  void aStageThatCompletesLaterIsTheAnswer() {
    MadeCall call = calling(Texts.UNARY, AsyncHandlers.unary(this::held), "question");
    assertThat(call.messages()).isEmpty();
    assertThat(context.get().method().fullMethodName()).isEqualTo("test.Texts/Unary");

    answer.complete("answer");
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aStageThatFailsEndsTheCallWithItsStatus() {
    MadeCall call =
        calling(
            Texts.UNARY,
            AsyncHandlers.unary(request -> held(request).thenApply(String::strip)),
            "question");
    answer.completeExceptionally(Status.NOT_FOUND.withDescription("nothing here").asException());
    simulation.run();

    assertThat(call.status().code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(call.status().description()).hasValue("nothing here");
  }

  @Test
  void anotherExceptionOfAStageIsNotPassedToTheClient() {
    MadeCall call = calling(Texts.UNARY, AsyncHandlers.unary(this::held), "question");
    answer.completeExceptionally(new IllegalStateException("a secret"));
    simulation.run();

    assertThat(call.status().code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(call.status().description())
        .hasValue("a handler or interceptor threw an exception; the server's log has it");
    assertThat(context.get().isCancelled()).isTrue(); // as if it had thrown
  }

  @Test
  void aStageThatCompletesWithNullEndsTheCallWithInternal() {
    MadeCall call = calling(Texts.UNARY, AsyncHandlers.unary(this::held), "question");
    answer.complete(null);
    simulation.run();

    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aMethodThatThrowsEndsTheCall() {
    MadeCall call =
        calling(
            Texts.UNARY,
            AsyncHandlers.unary(request -> {
              throw Status.ABORTED.asException();
            }),
            "question");

    assertThat(call.status().code()).isEqualTo(Status.Code.ABORTED);
  }

  @Test
  void aCallThatIsCancelledCancelsItsFuture() {
    MadeCall call = calling(Texts.UNARY, AsyncHandlers.unary(this::held), "question");
    call.call().cancel("changed my mind");
    simulation.run();

    assertThat(answer).isCancelled();
  }

  @Test
  void publishedResponsesAreSentInOrder() {
    MadeCall call =
        calling(
            Texts.SERVER_STREAMING,
            AsyncHandlers.serverStreaming(request -> Texter.of(request + 1, request + 2)),
            "r");

    assertThat(call.messages()).containsExactly("r1", "r2");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aFailureOfThePublisherFollowsThePublishedResponses() {
    MadeCall call =
        calling(
            Texts.SERVER_STREAMING,
            AsyncHandlers.serverStreaming(
                request -> Texter.failing(Status.DATA_LOSS.asException(), "a")),
            "r");

    assertThat(call.messages()).containsExactly("a");
    assertThat(call.status().code()).isEqualTo(Status.Code.DATA_LOSS);
  }

  @Test
  void responsesAreRequestedAsTheClientTakesThem() {
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    Texter responses = Texter.of(texts);
    simulation
        .with(Texts.SERVER_STREAMING, AsyncHandlers.serverStreaming(request -> responses))
        .serve();
    MadeCall call = MadeCall.start(simulation.channel(), Texts.SERVER_STREAMING);
    call.says("all");
    simulation.run();
    assertThat(responses.left()).isGreaterThan(400);

    call.wants(1000);
    simulation.run();
    assertThat(call.messages()).hasSize(500);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallThatIsCancelledCancelsItsResponses() {
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    Texter responses = Texter.of(texts);
    simulation
        .with(Texts.SERVER_STREAMING, AsyncHandlers.serverStreaming(request -> responses))
        .serve();
    MadeCall call = MadeCall.start(simulation.channel(), Texts.SERVER_STREAMING);
    call.says("all");
    simulation.run();
    call.call().cancel("enough");
    simulation.run();

    assertThat(responses.isCancelled()).isTrue();
  }

  @Test
  void requestsAreTakenAsTheirSubscriberRequestsThem() {
    Recorder recorder = new Recorder(1);
    MadeCall call =
        calling(
            Texts.CLIENT_STREAMING, AsyncHandlers.clientStreaming(listening(recorder)), "a", "b");
    call.halfCloses();
    simulation.run();
    assertThat(recorder.messages()).containsExactly("a");
    assertThat(recorder.isCompleted()).isFalse();
    assertThat(recorder.context()).isPresent();

    recorder.subscription().request(5);
    simulation.run();
    assertThat(recorder.messages()).containsExactly("a", "b");
    assertThat(recorder.isCompleted()).isTrue();
    answer.complete("both");
    simulation.run();
    assertThat(call.messages()).containsExactly("both");
  }

  private AsyncHandlers.ClientStreamingMethod<String, String> listening(Recorder recorder) {
    return requests -> {
      requests.subscribe(recorder);
      return answer;
    };
  }

  @Test
  void requestsFailWhenTheCallIsCancelled() {
    Recorder recorder = new Recorder();
    MadeCall call =
        calling(Texts.CLIENT_STREAMING, AsyncHandlers.clientStreaming(listening(recorder)), "a");
    call.call().cancel("changed my mind");
    simulation.run();

    assertThat(recorder.messages()).containsExactly("a");
    assertThat(Status.fromThrowable(recorder.error()).code()).isEqualTo(Status.Code.CANCELLED);
  }

  private static final class Refusing implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return new ForwardingServerCallListener<>(next.startCall(call, headers)) {
        @Override
        public void onMessage(Q message) {
          call.close(Status.INVALID_ARGUMENT, new Metadata());
        }
      };
    }
  }

  private MadeCall refused(
      MethodDescriptor<String, String> method, ServerCallHandler<String, String> handler) {
    Simulation.start(simulation.with(method, handler).serverBuilder().intercept(new Refusing()));
    MadeCall call = MadeCall.start(simulation.channel(), method).wants(100).says("a");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    return call;
  }

  @Test
  void aStreamThatAnInterceptorClosesEndsItsRequestsAndResponses() {
    Recorder recorder = new Recorder();
    Endless responses = new Endless();
    refused(
        Texts.BIDI,
        AsyncHandlers.bidiStreaming(requests -> {
          requests.subscribe(recorder);
          return responses;
        }));
    assertThat(Status.fromThrowable(recorder.error()).code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(responses.cancels).isOne();
  }

  @Test
  void aStreamThatAnInterceptorClosesCancelsItsFuture() {
    refused(Texts.CLIENT_STREAMING, AsyncHandlers.clientStreaming(listening(new Recorder())));
    assertThat(answer).isCancelled();
  }

  @Test
  void aSubscriberThatThrowsEndsTheResponses() {
    Endless responses = new Endless();
    MadeCall call =
        calling(
            Texts.BIDI,
            AsyncHandlers.bidiStreaming(requests -> {
              requests.subscribe(new Throwing());
              return responses;
            }),
            "a");
    assertThat(call.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(responses.cancels).isOne();
  }

  /** Its exceptions end on the thread that publishes, as those of SubmissionPublisher. */
  private static final class Later implements Flow.Publisher<String> {
    private final AtomicReference<Flow.Subscriber<? super String>> subscriber =
        new AtomicReference<>();

    @Override
    public void subscribe(Flow.Subscriber<? super String> subscriber) {
      this.subscriber.set(subscriber);
      subscriber.onSubscribe(new Endless());
    }

    void completes() {
      try {
        subscriber.get().onComplete();
      } catch (Throwable e) {
        return;
      }
    }
  }

  /** Throws when its call is closed. */
  private record Unclosing(boolean withError) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(
          new ForwardingServerCall<>(call) {
            @Override
            public void close(Status status, Metadata trailers) {
              if (withError) {
                throw new AssertionError("a mistake");
              }
              throw new IllegalArgumentException("a mistake");
            }
          },
          headers);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anInterceptorThatCannotCloseACallLeavesNoneOpen(boolean withError) {
    Later responses = new Later();
    Simulation.start(
        simulation
            .with(Texts.UNARY, AsyncHandlers.unary(this::held))
            .with(Texts.SERVER_STREAMING, AsyncHandlers.serverStreaming(request -> responses))
            .serverBuilder()
            .intercept(new Unclosing(withError)));
    MadeCall unary = MadeCall.start(simulation.channel(), Texts.UNARY).wants(1).says("a");
    MadeCall stream = MadeCall.start(simulation.channel(), Texts.SERVER_STREAMING).says("a");
    simulation.run();
    answer.complete("b");
    responses.completes();
    simulation.run();
    assertThat(unary.code()).isEqualTo(Status.Code.UNKNOWN);
    assertThat(stream.code()).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void aSubscriberThatThrowsAtItsEndDoesNotKeepTheResponses() {
    Endless responses = new Endless();
    MadeCall call =
        calling(
            Texts.BIDI,
            AsyncHandlers.bidiStreaming(requests -> {
              requests.subscribe(
                  new Throwing() {
                    @Override
                    public void onError(Throwable thrown) {
                      throw new IllegalStateException("a mistake");
                    }
                  });
              return responses;
            }));
    call.call().cancel("changed my mind");
    simulation.run();
    assertThat(responses.cancels).isOne();
  }

  /** Publishes nothing, and never ends. */
  private static final class Endless implements Flow.Publisher<String>, Flow.Subscription {
    private int cancels;

    @Override
    public void subscribe(Flow.Subscriber<? super String> subscriber) {
      subscriber.onSubscribe(this);
    }

    @Override
    public void request(long messages) {}

    @Override
    public void cancel() {
      cancels++;
    }
  }

  private static class Throwing implements Flow.Subscriber<String> {
    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(String message) {
      throw new IllegalStateException("a mistake");
    }

    @Override
    public void onError(Throwable thrown) {}

    @Override
    public void onComplete() {}
  }

  @Test
  void responsesThatAnInterceptorEndsAreCancelled() {
    Endless responses = new Endless();
    AtomicReference<ServerCall<?, ?>> served = new AtomicReference<>();
    ServerCallHandler<String, String> handler = AsyncHandlers.serverStreaming(request -> responses);
    simulation
        .with(
            Texts.SERVER_STREAMING,
            (call, headers) -> {
              served.set(call);
              return handler.startCall(call, headers);
            })
        .serve();
    MadeCall.start(simulation.channel(), Texts.SERVER_STREAMING).wants(1).says("a").halfCloses();
    simulation.run();
    served.get().close(Status.RESOURCE_EXHAUSTED, new Metadata());
    simulation.run();
    assertThat(responses.cancels).isOne();
  }

  @Test
  void anEndBeforeTheSubscriptionIsDeliveredToALaterSubscriber() {
    AtomicReference<Flow.Publisher<String>> requests = new AtomicReference<>();
    MadeCall call =
        calling(
            Texts.CLIENT_STREAMING,
            AsyncHandlers.clientStreaming(published -> {
              requests.set(published);
              return answer;
            }));
    call.halfCloses();
    simulation.run();
    Recorder recorder = new Recorder();
    requests.get().subscribe(recorder);
    assertThat(recorder.isCompleted()).isTrue();

    Recorder second = new Recorder();
    requests.get().subscribe(second);
    assertThat(second.error()).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void requestsCanBeReturnedAsResponses() {
    MadeCall call =
        calling(Texts.BIDI, AsyncHandlers.bidiStreaming(requests -> requests), "a", "b");
    call.halfCloses();
    simulation.run();

    assertThat(call.messages()).containsExactly("a", "b");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void readinessIsReportedWhileUnrequestedRequestsWait() {
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    MadeCall call = calling(Texts.BIDI, AsyncHandlers.bidiStreaming(requests -> requests), texts);
    call.halfCloses().wants(1000);
    simulation.run();

    assertThat(call.messages()).hasSize(500);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aServiceMayMixStyles() {
    ServerServiceDefinition blocking =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(Texts.UNARY, BlockingHandlers.unary(String::strip)),
                ServerMethodDefinition.of(
                    Texts.BIDI, BlockingHandlers.bidiStreaming((in, out) -> {}))));
    ServerCallHandler<String, String> chat = AsyncHandlers.bidiStreaming(requests -> requests);
    ServerServiceDefinition mixed = blocking.with(Texts.BIDI, chat);

    assertThat(mixed.methods().getFirst()).isSameAs(blocking.methods().getFirst());
    assertThat(mixed.methods().getLast().handler()).isSameAs(chat);
    assertThatThrownBy(() -> blocking.with(Texts.CLIENT_STREAMING, chat))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("test.Texts/ClientStreaming");
  }
}
