package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerCallHandler;
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
