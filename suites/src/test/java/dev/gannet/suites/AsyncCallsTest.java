package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Calls whose caller does not wait: futures and publishers. */
final class AsyncCallsTest {
  private static final Metadata.Key<String> FIELD = Metadata.Key.ascii("field");

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls();

  private ManagedChannel serving(MethodDescriptor<String, String> method) {
    simulation.with(method, held).serve();
    return simulation.channel();
  }

  private CompletableFuture<String> ask(String request) {
    CompletableFuture<String> future =
        AsyncCalls.unary(serving(Texts.UNARY), Texts.UNARY, CallOptions.DEFAULT, request);
    simulation.run();
    return future;
  }

  private Recorder listen(Recorder recorder) {
    AsyncCalls.serverStreaming(
            serving(Texts.SERVER_STREAMING), Texts.SERVER_STREAMING, CallOptions.DEFAULT, "ask")
        .subscribe(recorder);
    simulation.run();
    return recorder;
  }

  private static Status.Code code(Throwable thrown) {
    return ((StatusException) thrown).status().code();
  }

  private static Status.Code failureOf(CompletableFuture<?> future) {
    return code(future.exceptionNow());
  }

  @Test
  void aFutureCompletesWithTheResponse() {
    CompletableFuture<String> future = ask("question");
    assertThat(future).isNotDone();

    held.only().answers("answer");
    held.only().ends();
    simulation.run();

    assertThat(held.only().messages()).containsExactly("question");
    assertThat(future).isCompletedWithValue("answer");
  }

  @Test
  void aFutureFailsWithTheStatusAndTheTrailers() {
    CompletableFuture<String> future = ask("question");
    Metadata trailers = new Metadata();
    trailers.add(FIELD, "left");
    held.only().call().close(Status.NOT_FOUND, trailers);
    simulation.run();

    assertThat(failureOf(future)).isEqualTo(Status.Code.NOT_FOUND);
    StatusException thrown = (StatusException) future.exceptionNow();
    assertThat(thrown.trailers().get(FIELD)).hasValue("left");
    assertThat(thrown.failedCall()).hasValue("test.Texts/Unary");
    assertThatThrownBy(future::join).isInstanceOf(CompletionException.class).hasCause(thrown);
  }

  @Test
  void aResponseHasItsHeadersAndTrailers() {
    CompletableFuture<Response<String>> future =
        AsyncCalls.response(serving(Texts.UNARY), Texts.UNARY, CallOptions.DEFAULT, "question");
    simulation.run();
    Metadata headers = new Metadata();
    headers.add(FIELD, "before");
    Metadata trailers = new Metadata();
    trailers.add(FIELD, "behind");
    held.only().call().sendHeaders(headers);
    held.only().answers("answer");
    held.only().call().close(Status.OK, trailers);
    simulation.run();

    assertThat(future.join().message()).isEqualTo("answer");
    assertThat(future.join().headers().get(FIELD)).hasValue("before");
    assertThat(future.join().trailers().get(FIELD)).hasValue("behind");
    assertThat(future.join().peer()).isPresent();
  }

  @Test
  void aCancelledFutureCancelsItsCall() {
    CompletableFuture<String> future = ask("question");

    assertThat(future.cancel(true)).isTrue();
    simulation.run();

    assertThat(future).isCancelled();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aFutureThatTheCallerCompletesCancelsItsCall() {
    CompletableFuture<String> future = ask("question");

    assertThat(future.completeExceptionally(new TimeoutException())).isTrue(); // as orTimeout does
    simulation.run();

    assertThat(held.only().cancels()).isOne();
    assertThat(future.complete("too late")).isFalse();
  }

  @Test
  void aFutureEndsWithItsDeadline() {
    ManagedChannel channel = serving(Texts.UNARY);
    CompletableFuture<String> future =
        AsyncCalls.unary(
            channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "question");
    simulation.run();
    simulation.advance(Duration.ofSeconds(2));

    assertThat(failureOf(future)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aRequestThatCannotBeWrittenFailsTheFuture() {
    CompletableFuture<String> future = ask(Texts.UNWRITABLE);

    assertThat(failureOf(future)).isEqualTo(Status.Code.INTERNAL);
    assertThat(future.exceptionNow()).hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void stagesOfACallMadeInAHandlerHaveItsContext() throws Exception {
    CallContext context = CallContext.forTest().build();
    ManagedChannel channel = serving(Texts.UNARY);
    CompletableFuture<Optional<CallContext>> seen =
        context.call(() ->
            AsyncCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "question")
                .thenApply(answer -> CallContext.current()));
    simulation.run();
    held.only().answers("answer");
    held.only().ends();
    simulation.run();

    assertThat(seen.join().orElseThrow()).isSameAs(context);
  }

  @Test
  void aPublisherMakesOneCallForEachSubscriber() {
    Flow.Publisher<String> publisher =
        AsyncCalls.serverStreaming(
            serving(Texts.SERVER_STREAMING), Texts.SERVER_STREAMING, CallOptions.DEFAULT, "ask");
    simulation.run();
    assertThat(held.all()).isEmpty();

    publisher.subscribe(new Recorder());
    publisher.subscribe(new Recorder());
    simulation.run();
    assertThat(held.all()).hasSize(2);
  }

  @Test
  void aSubscriberGetsWhatItRequestsAndNoMore() {
    Recorder recorder = listen(new Recorder(0));
    held.only().answers("a", "b", "c");
    held.only().ends();
    simulation.run();
    assertThat(recorder.messages()).isEmpty();

    recorder.subscription().request(2);
    simulation.run();
    assertThat(recorder.messages()).containsExactly("a", "b");
    assertThat(recorder.isCompleted()).isFalse();

    recorder.subscription().request(1);
    simulation.run();
    assertThat(recorder.messages()).containsExactly("a", "b", "c");
    assertThat(recorder.isCompleted()).isTrue();
  }

  @Test
  void aSubscriberThatCancelsGetsNoMoreAndCancelsItsCall() {
    Recorder recorder = listen(new Recorder());
    recorder.subscription().cancel();
    held.only().answers("a");
    simulation.run();

    assertThat(held.only().cancels()).isOne();
    assertThat(recorder.messages()).isEmpty();
    assertThat(recorder.error()).isNull();
    assertThat(recorder.isCompleted()).isFalse();
  }

  @Test
  void aFailureFollowsTheMessagesBeforeIt() {
    Recorder recorder = listen(new Recorder(0));
    held.only().answers("a");
    held.only().ends(Status.ABORTED);
    simulation.run();
    assertThat(recorder.error()).isNull();

    recorder.subscription().request(5);
    simulation.run();
    assertThat(recorder.messages()).containsExactly("a");
    assertThat(code(recorder.error())).isEqualTo(Status.Code.ABORTED);
  }

  @Test
  void requestingZeroMessagesFailsTheSubscriberAndCancelsTheCall() {
    Recorder recorder = listen(new Recorder(0));
    recorder.subscription().request(0);
    simulation.run();

    assertThat(recorder.error()).isInstanceOf(IllegalArgumentException.class);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aSubscriberThatCancelsAtOnceMakesNoCall() {
    Recorder recorder = listen(Recorder.cancellingAtOnce());

    assertThat(held.all()).isEmpty();
    assertThat(recorder.error()).isNull();
  }

  @Test
  void aStreamOfRequestsIsSentAndAnswered() {
    Texter requests = Texter.of("a", "b");
    CompletableFuture<String> future =
        AsyncCalls.clientStreaming(
            serving(Texts.CLIENT_STREAMING), Texts.CLIENT_STREAMING, CallOptions.DEFAULT, requests);
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a", "b");
    assertThat(held.only().halfCloses()).isOne();

    held.only().answers("both");
    held.only().ends();
    simulation.run();
    assertThat(future).isCompletedWithValue("both");
  }

  @Test
  void noMoreRequestsAreRequestedThanTheServerTakes() {
    HeldCalls deaf = new HeldCalls(0);
    simulation.with(Texts.CLIENT_STREAMING, deaf).serve();
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    Texter requests = Texter.of(texts);
    CompletableFuture<String> future =
        AsyncCalls.clientStreaming(
            simulation.channel(), Texts.CLIENT_STREAMING, CallOptions.DEFAULT, requests);
    simulation.run();
    assertThat(future).isNotDone();

    assertThat(requests.largestRequest()).isLessThanOrEqualTo(16);
    assertThat(requests.left()).isGreaterThan(400); // a window of 1 MiB holds 32

    deaf.only().call().request(1000);
    simulation.run();
    assertThat(requests.left()).isZero();
    assertThat(deaf.only().messages()).hasSize(500);
  }

  @Test
  void requestsThatFailCancelTheCall() {
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    HeldCalls deaf = new HeldCalls(0);
    simulation.with(Texts.CLIENT_STREAMING, deaf).serve();
    Texter requests = Texter.of(texts);
    CompletableFuture<String> future =
        AsyncCalls.clientStreaming(
            simulation.channel(), Texts.CLIENT_STREAMING, CallOptions.DEFAULT, requests);
    simulation.run();
    IllegalStateException failure = new IllegalStateException("out of ink");
    requests.fail(failure);
    simulation.run();

    assertThat(failureOf(future)).isEqualTo(Status.Code.CANCELLED);
    assertThat(future.exceptionNow()).hasCause(failure);
    assertThat(deaf.only().cancels()).isOne();
  }

  @Test
  void requestsThatFailAtOnceCancelTheCall() {
    IllegalStateException failure = new IllegalStateException("out of ink");
    CompletableFuture<String> future =
        AsyncCalls.clientStreaming(
            serving(Texts.CLIENT_STREAMING),
            Texts.CLIENT_STREAMING,
            CallOptions.DEFAULT,
            Texter.failing(failure, "a"));
    simulation.run();

    assertThat(failureOf(future)).isEqualTo(Status.Code.CANCELLED);
    assertThat(future.exceptionNow()).hasCause(failure);
    assertThat(held.all()).allMatch(it -> it.cancels() == 1); // it may end before it is sent
  }

  @Test
  void aCallThatEndsCancelsItsRequests() {
    String[] texts = Collections.nCopies(500, Texts.ofLength(32_768)).toArray(String[]::new);
    Texter endless = Texter.of(texts);
    HeldCalls deaf = new HeldCalls(0);
    simulation.with(Texts.BIDI, deaf).serve();
    Recorder recorder = new Recorder();
    AsyncCalls.bidiStreaming(simulation.channel(), Texts.BIDI, CallOptions.DEFAULT, endless)
        .subscribe(recorder);
    simulation.run();
    deaf.only().answers("enough");
    deaf.only().ends();
    simulation.run();

    assertThat(endless.isCancelled()).isTrue();
    assertThat(recorder.messages()).containsExactly("enough");
    assertThat(recorder.isCompleted()).isTrue();
  }

  @Test
  void bothStreamsOfACallRunAtTheSameTime() {
    Recorder recorder = new Recorder();
    Texter requests = Texter.of("a", "b");
    Flow.Publisher<String> responses =
        AsyncCalls.bidiStreaming(serving(Texts.BIDI), Texts.BIDI, CallOptions.DEFAULT, requests);
    assertThat(requests.isSubscribed()).isFalse();
    responses.subscribe(recorder);
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a", "b");
    held.only().answers("c");
    simulation.run();
    assertThat(recorder.messages()).containsExactly("c");
    assertThat(recorder.isCompleted()).isFalse();
  }
}
