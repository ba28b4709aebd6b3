package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.SingleRequestClientCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.Response;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import dev.gannet.suites.RecordingClientListener.Event;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An interceptor of a client chooses a call by its request, and answers some calls itself. */
@ParameterizedClass
@EnumSource
@Timeout(60)
final class AnsweredCallsTest {
  private static final Metadata.Key<String> WHY = Metadata.Key.ascii("why");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final CallOptions DEFAULT = CallOptions.DEFAULT;

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedCalls traced = new TracedCalls();
  private final List<String> asked = new ArrayList<>();
  private final IllegalStateException mistake = new IllegalStateException("a mistake");
  private final StatusException refusal =
      Status.UNAVAILABLE.withDescription("the circuit is open").asException(because("open"));
  private final ManagedChannel direct;
  private final Channel channel;

  AnsweredCallsTest(Medium medium) {
    simulation =
        new Simulation(medium)
            .with(Texts.UNARY, held)
            .with(Texts.SERVER_STREAMING, held)
            .with(Texts.CLIENT_STREAMING, held)
            .with(Texts.BIDI, held);
    direct = simulation.channelBuilder().addTracer(traced).build();
    channel = intercepted(new Answering());
  }

  @BeforeEach
  void serve() {
    simulation.serve();
  }

  @AfterEach
  void nothingIsLeft() {
    direct.shutdown();
    simulation.advance(SECOND);
    held.all().forEach(call -> call.ends(Status.ABORTED));
    simulation.run();
    assertThat(direct.isTerminated()).isTrue();
  }

  private Channel intercepted(ClientInterceptor... interceptors) {
    return ClientInterceptor.intercept(direct, List.of(interceptors));
  }

  private static Metadata because(String why) {
    Metadata metadata = new Metadata();
    metadata.set(WHY, why);
    return metadata;
  }

  /** Does what a request says. */
  private final class Answering implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      if (!method.type().clientSendsOneMessage()) {
        return next.newCall(method, options);
      }
      return new SingleRequestClientCall<>(method, options, next) {
        @Override
        protected ClientCall<Q, R> callFor(Q request, Metadata headers) {
          asked.add(request.toString());
          return switch (request.toString()) {
            case "known" -> answered(as(method, "answer"));
            case "stream" ->
                answered(
                    because("cached"),
                    List.of(as(method, "a"), as(method, "b"), as(method, "c")),
                    because("all"));
            case "nothing" -> answered(new Metadata(), List.of(), new Metadata());
            case "failed" -> failed(refusal.status(), refusal.trailers());
            case "refused" -> throw refusal;
            case "wrong" -> throw mistake;
            case "null" -> nothing();
            case "ok" -> failed(Status.OK, new Metadata());
            default -> {
              headers.set(WHY, "unknown");
              yield next.newCall(method, options);
            }
          };
        }
      };
    }
  }

  @SuppressWarnings("unchecked") // all methods are of texts
  private static <R> R as(MethodDescriptor<?, R> method, String response) {
    assertThat(method.fullMethodName()).startsWith(Texts.SERVICE);
    return (R) response;
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // a mistake of an interceptor
  private static <T> T nothing() {
    return null;
  }

  // Answers, in each style.

  @Test
  void blockingClientsGetTheAnswer() {
    assertThat(BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "known")).isEqualTo("answer");
    Response<String> response = BlockingCalls.response(channel, Texts.UNARY, DEFAULT, "known");
    assertThat(response.message()).isEqualTo("answer");
    assertThat(response.peer()).isEmpty();
    try (ServerStreamingCall<String> call =
        BlockingCalls.serverStreaming(channel, Texts.SERVER_STREAMING, DEFAULT, "stream")) {
      List<String> messages = new ArrayList<>();
      while (call.hasNext()) {
        messages.add(call.next());
      }
      assertThat(messages).containsExactly("a", "b", "c");
      assertThat(call.headers().get(WHY)).hasValue("cached");
      assertThat(call.trailers().get(WHY)).hasValue("all");
    }
    assertNoneHasLeft();
  }

  private void assertNoneHasLeft() {
    simulation.run();
    assertThat(held.all()).isEmpty();
    assertThat(traced.all()).isEmpty();
  }

  @Test
  void futuresSubscribersAndObserversGetTheAnswer() {
    CompletableFuture<String> future = AsyncCalls.unary(channel, Texts.UNARY, DEFAULT, "known");
    Recorder recorder = new Recorder();
    AsyncCalls.serverStreaming(channel, Texts.SERVER_STREAMING, DEFAULT, "stream")
        .subscribe(recorder);
    List<Object> observed = new ArrayList<>();
    ObserverCalls.unary(channel, Texts.UNARY, DEFAULT, "known", new Observing(observed));
    assertThat(future).isNotDone(); // its executor completes it
    simulation.run();
    assertThat(future).isCompletedWithValue("answer");
    assertThat(recorder.messages()).containsExactly("a", "b", "c");
    assertThat(recorder.isCompleted()).isTrue();
    assertThat(observed).containsExactly("answer", "completed");
    assertNoneHasLeft();
  }

  private record Observing(List<Object> seen) implements StreamObserver<String> {
    @Override
    public void onNext(String value) {
      seen.add(value);
    }

    @Override
    public void onError(Throwable thrown) {
      seen.add(thrown);
    }

    @Override
    public void onCompleted() {
      seen.add("completed");
    }
  }

  @Test
  void otherRequestsGoToTheServerWithTheHeadersThatWereSet() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("question");
    assertThat(held.only().headers().get(WHY)).hasValue("unknown");
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(asked).containsExactly("question");
    assertThat(traced.only().end()).isEqualTo(Status.OK);
  }

  // Requests for messages, cancellation, deadlines.

  @Test
  void messagesComeAsTheyAreRequested() {
    ClientCall<String, String> call = channel.newCall(Texts.SERVER_STREAMING, DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.request(1); // before the start
    call.start(heard);
    call.sendMessage("stream");
    call.halfClose();
    simulation.run();
    assertThat(heard.events()).containsExactly(Event.HEADERS, Event.MESSAGE);
    assertThat(heard.headers().orElseThrow().get(WHY)).hasValue("cached");
    call.request(1);
    simulation.run();
    assertThat(heard.messages()).containsExactly("a", "b");
    assertThat(heard.isClosed()).isFalse();
    call.request(5);
    simulation.run();
    assertThat(heard.messages()).containsExactly("a", "b", "c");
    assertThat(heard.status()).isEqualTo(Status.OK);
    assertThat(heard.trailers().get(WHY)).hasValue("all");
    assertThatIllegalArgumentException().isThrownBy(() -> call.request(0));
  }

  @Test
  void anAnswerOfAStreamMayHaveNoMessage() {
    MadeCall call = MadeCall.start(channel, Texts.SERVER_STREAMING).says("nothing").halfCloses();
    simulation.run();
    assertThat(call.heard().events()).containsExactly(Event.HEADERS, Event.CLOSE);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallerMayCancelBeforeItHasAllMessages() {
    MadeCall call =
        MadeCall.start(channel, Texts.SERVER_STREAMING).wants(1).says("stream").halfCloses();
    simulation.run();
    assertThat(call.call().isReady()).isTrue(); // nobody waits until it can send
    call.call().cancel("no longer wanted", mistake);
    call.wants(5);
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(call.status().cause()).containsSame(mistake);
    assertThat(call.call().isReady()).isFalse();
  }

  @Test
  void cancellingAnAnsweredCallChangesNothing() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "known");
    simulation.run();
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aCallThatIsCancelledBeforeItsRequestEndsWithoutIt() {
    MadeCall call = MadeCall.start(channel, Texts.UNARY).wants(1);
    assertThat(call.call().isReady()).isFalse();
    call.call().cancel("no longer wanted", mistake);
    simulation.run();
    call.says("known").halfCloses();
    simulation.run();
    assertThat(call.heard().events()).containsExactly(Event.CLOSE);
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(call.status().cause()).containsSame(mistake);
    assertThat(asked).isEmpty();
  }

  @Test
  void aCallThatIsCancelledBeforeItsStartEndsThen() {
    ClientCall<String, String> call = channel.newCall(Texts.UNARY, DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.cancel("no longer wanted");
    simulation.run();
    assertThat(heard.isClosed()).isFalse();
    call.start(heard);
    simulation.run();
    assertThat(heard.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(heard.closes()).isOne();
  }

  @Test
  void theDeadlineOfACallThatIsPassedOnIsKept() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(SECOND), "question");
    simulation.advance(SECOND.plus(SECOND));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void anAnswerThatIsThereNeedsNoTime() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ZERO), "known");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  // Failures.

  @Test
  void aCallMayFailWithAStatusAndTrailers() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "failed");
    simulation.run();
    assertThat(call.status()).isEqualTo(refusal.status());
    assertThat(call.heard().trailers().get(WHY)).hasValue("open");
    assertThat(call.heard().events()).containsExactly(Event.CLOSE);
    StatusException thrown =
        catchThrowableOfType(
            StatusException.class,
            () -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "failed"));
    assertIsRefusal(thrown);
    assertNoneHasLeft();
  }

  private void assertIsRefusal(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            StatusException.class,
            failure -> {
              assertThat(failure.status()).hasToString(refusal.status().toString());
              assertThat(failure.trailers().get(WHY)).hasValue("open");
            });
  }

  @Test
  void aRequestIsRefusedByAnException() {
    assertThatThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "refused"))
        .satisfies(this::assertIsRefusal);
    assertThatThrownBy(() ->
            BlockingCalls.serverStreaming(channel, Texts.SERVER_STREAMING, DEFAULT, "refused"))
        .satisfies(this::assertIsRefusal);
    CompletableFuture<String> future = AsyncCalls.unary(channel, Texts.UNARY, DEFAULT, "refused");
    Recorder recorder = new Recorder();
    AsyncCalls.serverStreaming(channel, Texts.SERVER_STREAMING, DEFAULT, "refused")
        .subscribe(recorder);
    List<Object> observed = new ArrayList<>();
    ObserverCalls.unary(channel, Texts.UNARY, DEFAULT, "refused", new Observing(observed));
    simulation.run();
    assertIsRefusal(future.exceptionNow());
    assertIsRefusal(recorder.error());
    assertThat(observed).hasSize(1);
    assertIsRefusal((Throwable) observed.getFirst());
    assertNoneHasLeft();
  }

  @Test
  void anotherExceptionIsThrownAndEndsTheCall() {
    assertThatThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "wrong"))
        .isSameAs(mistake);
    MadeCall call = MadeCall.start(channel, Texts.UNARY).wants(1);
    assertThatThrownBy(() -> call.says("wrong")).isSameAs(mistake);
    call.halfCloses();
    simulation.run();
    assertThat(call.status()).hasToString("INTERNAL: the call of test.Texts/Unary cannot be made");
    assertThat(call.status().cause()).containsSame(mistake);
    assertNoneHasLeft();
  }

  /** Refuses calls when they start. */
  private final class Refusing implements ClientInterceptor {
    private final boolean isStarted;

    Refusing(boolean isStarted) {
      this.isStarted = isStarted;
    }

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          if (isStarted) {
            super.start(listener, headers);
          }
          throw refusal;
        }
      };
    }
  }

  @Test
  void aRefusalFurtherInsideReachesTheCallerOnce() {
    for (boolean isStarted : List.of(false, true)) {
      Channel refusing = intercepted(new Answering(), new Refusing(isStarted));
      assertThatThrownBy(() -> BlockingCalls.unary(refusing, Texts.UNARY, DEFAULT, "question"))
          .satisfies(this::assertIsRefusal);
      CompletableFuture<String> future =
          AsyncCalls.unary(refusing, Texts.UNARY, DEFAULT, "question");
      MadeCall call = MadeCall.start(refusing, Texts.UNARY).wants(1);
      assertThatThrownBy(() -> call.says("question")).satisfies(this::assertIsRefusal);
      simulation.run();
      assertIsRefusal(future.exceptionNow());
      assertThat(call.status()).isEqualTo(refusal.status());
      assertThat(call.heard().closes()).isOne();
    }
    assertThat(held.all()).isEmpty();
  }

  // Listeners and executors.

  private record Throwing(Event at, RuntimeException thrown) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          super.start(new ThrowingListener<>(listener, at, thrown), headers);
        }
      };
    }
  }

  private static final class ThrowingListener<R> extends ForwardingClientCallListener<R> {
    private final Event at;
    private final RuntimeException thrown;

    ThrowingListener(ClientCall.Listener<? super R> listener, Event at, RuntimeException thrown) {
      super(listener);
      this.at = at;
      this.thrown = thrown;
    }

    private void reach(Event event) {
      if (event == at) {
        throw thrown;
      }
    }

    @Override
    public void onHeaders(Metadata headers) {
      reach(Event.HEADERS);
      super.onHeaders(headers);
    }

    @Override
    public void onMessage(R message) {
      reach(Event.MESSAGE);
      super.onMessage(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      reach(Event.CLOSE);
      super.onClose(status, trailers);
    }
  }

  @Test
  void theCallerGetsAnEndIfTheListenerOfAnInterceptorThrows() {
    for (Event at : List.of(Event.HEADERS, Event.MESSAGE, Event.CLOSE)) {
      Channel throwing = intercepted(new Throwing(at, mistake), new Answering());
      StatusException thrown =
          catchThrowableOfType(
              StatusException.class,
              () -> BlockingCalls.unary(throwing, Texts.UNARY, DEFAULT, "known"));
      assertThat(thrown.status().code()).isEqualTo(Status.Code.CANCELLED);
      assertThat(thrown.status().cause()).containsSame(mistake);
      CompletableFuture<String> future = AsyncCalls.unary(throwing, Texts.UNARY, DEFAULT, "known");
      simulation.run();
      assertThat(future.exceptionNow()).hasCause(mistake);
    }
  }

  @Test
  void onlyTheExecutorOfTheCallNotifiesTheListener() {
    Queue<Runnable> tasks = new ArrayDeque<>();
    CallOptions own = DEFAULT.withExecutor(tasks::add);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, own, "known");
    simulation.run();
    assertThat(call.heard().events()).isEmpty();
    assertThat(tasks).hasSize(1);
    tasks.remove().run();
    assertThat(call.heard().events()).containsExactly(Event.HEADERS, Event.MESSAGE, Event.CLOSE);
    assertThat(tasks).isEmpty();
  }

  @Test
  void aListenerGetsTheEndIfTheExecutorRejectsTasks() {
    Executor rejecting =
        task -> {
          throw new RejectedExecutionException("closed");
        };
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, DEFAULT.withExecutor(rejecting), "known");
    assertThat(call.status())
        .hasToString("CANCELLED: the executor of the client's call rejected a task");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aListenerGetsTheEndIfTheExecutorFailsOtherwise() {
    Error failure = new StackOverflowError();
    Executor failing =
        task -> {
          throw failure;
        };
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, DEFAULT.withExecutor(failing), "known");
    assertThat(call.status())
        .hasToString("CANCELLED: the executor of the client's call rejected a task");
    assertThat(call.status().cause()).containsSame(failure);
  }

  @Test
  void aTaskThatTheExecutorRejectsAndKeepsDoesNothing() {
    List<Runnable> tasks = new ArrayList<>();
    Executor keeping =
        task -> {
          tasks.add(task);
          throw new RejectedExecutionException("closed");
        };
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, DEFAULT.withExecutor(keeping), "known");
    tasks.forEach(Runnable::run);
    assertThat(call.heard().events()).containsExactly(Event.CLOSE);
  }

  @Test
  void aTaskThatTheExecutorRunsAndThenRejectsIsNotRunAgain() {
    Executor running =
        task -> {
          task.run();
          throw new RejectedExecutionException("closed");
        };
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, DEFAULT.withExecutor(running), "known");
    assertThat(call.heard().events()).containsExactly(Event.HEADERS, Event.MESSAGE, Event.CLOSE);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theExecutorOfAChannelIsThatOfItsListeners() {
    assertThat(channel.executor()).isSameAs(simulation.loop());
  }

  // Order, and what is inside.

  @Test
  void interceptorsInsideSeeOnlyCallsThatArePassedOn() {
    AtomicInteger inside = new AtomicInteger();
    ClientInterceptor counting =
        new ClientInterceptor() {
          @Override
          public <Q, R> ClientCall<Q, R> interceptCall(
              MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            inside.incrementAndGet();
            return next.newCall(method, options);
          }
        };
    Channel both = intercepted(new Answering(), counting);
    MadeCall.whole(both, Texts.UNARY, "known");
    simulation.run();
    assertThat(inside).hasValue(0);
    MadeCall.whole(both, Texts.UNARY, "question");
    assertThat(inside).hasValue(1);
    MadeCall.whole(intercepted(counting, new Answering()), Texts.UNARY, "known");
    assertThat(inside).hasValue(2);
  }

  /** Answers itself where the server has failed. */
  private record FallingBack(UnaryOperator<Object> fallback) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new SingleRequestClientCall<>(method, options, next) {
        @Override
        protected ClientCall<Q, R> callFor(Q request, Metadata headers) {
          ClientCall<Q, R> stale = answered(as(method, fallback.apply(request).toString()));
          return new RepeatableClientCall<>(method, options, next) {
            private boolean failed;

            @Override
            protected ClientCall<Q, R> newCall(Metadata headers) {
              return failed ? stale : next.newCall(method, options);
            }

            @Override
            protected void onUnanswered(Status status, Metadata trailers) {
              failed = true;
              repeat();
            }
          };
        }
      };
    }
  }

  @Test
  void aCallWhoseServerFailsMayBeAnsweredAfterThat() {
    Channel fallingBack = intercepted(new FallingBack(request -> "no " + request));
    MadeCall call = MadeCall.whole(fallingBack, Texts.UNARY, "question");
    simulation.run();
    held.only().ends(Status.UNAVAILABLE);
    simulation.run();
    assertThat(call.messages()).containsExactly("no question");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(held.all()).hasSize(1);
  }

  // Mistakes.

  @Test
  void aCallHasOneRequestAfterItsStart() {
    ClientCall<String, String> call = channel.newCall(Texts.UNARY, DEFAULT);
    assertThatIllegalStateException().isThrownBy(() -> call.sendMessage("known"));
    assertThatIllegalStateException().isThrownBy(call::halfClose);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    assertThatIllegalStateException()
        .isThrownBy(call::halfClose)
        .withMessageEndingWith(": the method has one request message, and it was not sent");
    call.sendMessage("known");
    assertThatExceptionOfType(StatusException.class)
        .isThrownBy(() -> call.sendMessage("known"))
        .withMessage("INTERNAL: the method has one request message, and it was sent");
    assertThatIllegalStateException().isThrownBy(() -> call.start(heard));
    assertThat(asked).containsExactly("known");
  }

  @Test
  void aCallThatIsNullIsTold() {
    assertThatNullPointerException()
        .isThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "null"))
        .withMessageMatching(
            "callFor of " + AnsweredCallsTest.class.getName() + ".* returned null");
  }

  @Test
  void anAnswerIsWhatTheMethodAllows() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "stream"))
        .withMessage("test.Texts/Unary has a single response, not 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, DEFAULT, "ok"))
        .withMessage("a call cannot fail with OK");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Unanswered(Texts.BIDI, direct))
        .withMessage("test.Texts/Bidi has a stream of requests");
  }

  @Test
  void nullsAreRefused() {
    Unanswered call = new Unanswered(Texts.UNARY, direct);
    assertThatNullPointerException()
        .isThrownBy(() -> call.answersWith(null))
        .withMessage("response");
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    assertThatExceptionOfType(StatusException.class)
        .isThrownBy(() -> call.sendMessage(nothing()))
        .withMessage("INTERNAL: the caller sent null instead of a request message");
    simulation.run();
    assertThat(heard.status())
        .hasToString("INTERNAL: the caller sent null instead of a request message");
    assertThatNullPointerException()
        .isThrownBy(() -> new Unanswered(Texts.UNARY, nothing()))
        .withMessage("next");
  }

  private static final class Unanswered extends SingleRequestClientCall<String, String> {
    Unanswered(MethodDescriptor<String, String> method, Channel next) {
      super(method, DEFAULT, next);
    }

    @SuppressWarnings("NullAway") // the mistake that is told
    void answersWith(@Nullable String response) {
      answered(response);
    }

    @Override
    protected ClientCall<String, String> callFor(String request, Metadata headers) {
      throw new AssertionError(request);
    }
  }

  // Threads.

  /** Its start throws while another thread is in an event of its listener. */
  private final class Overlapping extends SingleRequestClientCall<String, String> {
    private final CountDownLatch inEvent;
    private final List<Thread> threads = new ArrayList<>();

    Overlapping(CallOptions options, CountDownLatch inEvent) {
      super(Texts.UNARY, options, direct);
      this.inEvent = inEvent;
    }

    @Override
    protected ClientCall<String, String> callFor(String request, Metadata headers) {
      return new ForwardingClientCall<>(direct.newCall(Texts.UNARY, DEFAULT)) {
        @Override
        public void start(Listener<? super String> listener, Metadata headers) {
          threads.add(Thread.startVirtualThread(listener::onReady));
          awaits(inEvent);
          throw refusal;
        }
      };
    }
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theEndOfACallThatDoesNotStartComesAfterItsEvents() throws Exception {
    CountDownLatch inEvent = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Queue<Object> seen = new ConcurrentLinkedQueue<>();
    Overlapping call = new Overlapping(DEFAULT.withExecutor(Runnable::run), inEvent);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onReady() {
            inEvent.countDown();
            awaits(over);
            seen.add("ready");
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            seen.add(status.code());
          }
        });
    assertThatThrownBy(() -> call.sendMessage("question")).isSameAs(refusal);
    assertThat(seen).isEmpty();
    over.countDown();
    call.threads.getFirst().join();
    assertThat(seen).containsExactly("ready", Status.Code.UNAVAILABLE);
  }

  @Test
  void aCallThatIsCancelledWhileItsRequestIsSentEndsOnce() throws Exception {
    for (int i = 0; i < 300; i++) {
      AtomicInteger ends = new AtomicInteger();
      CompletableFuture<Status> end = new CompletableFuture<>();
      ClientCall<String, String> call =
          channel.newCall(Texts.UNARY, DEFAULT.withExecutor(Runnable::run));
      call.start(
          new ClientCall.Listener<>() {
            @Override
            public void onClose(Status status, Metadata trailers) {
              ends.incrementAndGet();
              end.complete(status);
            }
          });
      Thread cancelling = Thread.startVirtualThread(() -> call.cancel("no longer wanted"));
      call.request(1);
      call.sendMessage("known");
      call.halfClose();
      cancelling.join();
      assertThat(end.join().code()).isIn(Status.Code.OK, Status.Code.CANCELLED);
      assertThat(ends).hasValue(1);
    }
  }
}
