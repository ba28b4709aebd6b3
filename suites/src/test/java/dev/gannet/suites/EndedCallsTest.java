package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.ForwardingClientCallListener;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.ObserverCalls;
import dev.gannet.api.stub.ServerStreamingCall;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An interceptor of a client ends calls with a status of its own. */
@ParameterizedClass
@EnumSource
@Timeout(60)
final class EndedCallsTest {
  private static final Metadata.Key<String> WHY = Metadata.Key.ascii("why");
  private static final Status FULL = Status.RESOURCE_EXHAUSTED.withDescription("enough for today");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedCalls traced = new TracedCalls();
  private final Ending ending = new Ending();
  private final ManagedChannel direct;
  private final Channel channel;

  EndedCallsTest(Medium medium) {
    simulation =
        new Simulation(medium)
            .with(Texts.UNARY, held)
            .with(Texts.CLIENT_STREAMING, held)
            .with(Texts.SERVER_STREAMING, held)
            .with(Texts.BIDI, held);
    direct = simulation.channelBuilder().addTracer(traced).build();
    channel = ClientInterceptor.intercept(direct, List.of(ending));
  }

  @BeforeEach
  void serve() {
    simulation.serve();
  }

  /** Keeps its calls, which a test ends. */
  private static final class Ending implements ClientInterceptor {
    private final List<EndableCall<?, ?>> calls = new CopyOnWriteArrayList<>();

    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      EndableCall<Q, R> call = new EndableCall<>(next.newCall(method, options));
      calls.add(call);
      return call;
    }

    EndableCall<?, ?> only() {
      assertThat(calls).hasSize(1);
      return calls.getFirst();
    }
  }

  /** Ends at once at a request that says so. */
  private static final class EndableCall<Q, R> extends ForwardingClientCall<Q, R> {
    static final String TOO_MUCH = "too much";

    EndableCall(ClientCall<Q, R> delegate) {
      super(delegate);
    }

    void endsBecause(Status status, String why) {
      Metadata trailers = new Metadata();
      trailers.set(WHY, why);
      ends(status, trailers);
    }

    void ends(Status status, Metadata trailers) {
      end(status, trailers);
    }

    @Override
    public void sendMessage(Q message) {
      if (message.equals(TOO_MUCH)) {
        endsBecause(FULL, "quota");
      } else {
        super.sendMessage(message);
      }
    }
  }

  private void assertNothingIsLeft() {
    direct.shutdown();
    simulation.run();
    assertThat(direct.isTerminated()).isTrue();
  }

  @Test
  void theCallerGetsTheStatusAndTheServerACancelledCall() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(10).says("question");
    simulation.run();
    held.only().answers("answer");
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(call.heard().trailers().get(WHY)).hasValue("quota");
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isOne();
    assertNothingIsLeft();
  }

  @Test
  void aCallThatWasEndedEarlyEndsWhenItIsStarted() {
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(heard.isClosed()).isFalse();
    call.start(heard);
    call.request(1);
    call.sendMessage("question");
    call.halfClose();
    simulation.run();
    assertThat(heard.status()).isEqualTo(FULL);
    assertThat(heard.trailers().get(WHY)).hasValue("quota");
    assertThat(heard.events()).containsExactly(RecordingClientListener.Event.CLOSE);
    assertThat(held.all()).isEmpty();
  }

  @Test
  void theFirstEndCounts() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    ending.only().endsBecause(FULL, "quota");
    ending.only().endsBecause(Status.ABORTED, "boredom");
    call.call().cancel("no longer wanted");
    simulation.run();
    ending.only().endsBecause(Status.ABORTED, "boredom");
    simulation.advance(SECOND);
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(call.heard().trailers().get(WHY)).hasValue("quota");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aCallThatHasEndedIsNotChanged() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    simulation.run();
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aDeadlineThatPassesLaterChangesNothing() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI, simulation.within(SECOND));
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.advance(SECOND.plus(SECOND));
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void whatTheListenerHasNotGotYetIsDropped() {
    HeldTasks tasks = new HeldTasks();
    CallOptions slow = CallOptions.DEFAULT.withExecutor(tasks);
    MadeCall call = MadeCall.whole(channel, Texts.SERVER_STREAMING, slow, "question");
    simulation.run();
    held.only().answers("answer");
    held.only().ends();
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.heard().events()).isEmpty(); // only its executor notifies the listener
    while (!tasks.isEmpty()) {
      tasks.runOne();
      simulation.run();
    }
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(call.heard().events()).containsExactly(RecordingClientListener.Event.CLOSE);
  }

  @Test
  void tracersSeeACancelledCallWithTheStatusAsItsCause() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.status()).isEqualTo(FULL);
    Status end = traced.only().end();
    assertThat(end)
        .hasToString("CANCELLED: an interceptor has ended the call with RESOURCE_EXHAUSTED");
    assertThat(end.cause().orElseThrow())
        .isInstanceOfSatisfying(
            StatusException.class, why -> assertThat(why.status()).isEqualTo(FULL));
  }

  /** Keeps the status that it sees. */
  private record Seeing(List<Status.Code> seen) implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          super.start(
              new ForwardingClientCallListener<R>(listener) {
                @Override
                public void onClose(Status status, Metadata trailers) {
                  seen.add(status.code());
                  super.onClose(status, trailers);
                }
              },
              headers);
        }
      };
    }
  }

  @Test
  void interceptorsOutsideSeeTheStatusAndThoseInsideACancelledCall() {
    List<Status.Code> outside = new ArrayList<>();
    List<Status.Code> inside = new ArrayList<>();
    Channel three =
        ClientInterceptor.intercept(
            direct, List.of(new Seeing(outside), ending, new Seeing(inside)));
    MadeCall call = MadeCall.start(three, Texts.BIDI);
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(outside).containsExactly(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(inside).containsExactly(Status.Code.CANCELLED);
  }

  /** Makes each call that has failed once more. */
  private static final class Repeating extends OneRetry {
    private final List<Status.Code> failures = new ArrayList<>();

    @Override
    boolean isRepeated(Status status) {
      failures.add(status.code());
      return true;
    }
  }

  @Test
  void aCallBehindIsNotRepeatedForIt() {
    Repeating repeating = new Repeating();
    Channel both = ClientInterceptor.intercept(direct, List.of(ending, repeating));
    MadeCall call = MadeCall.start(both, Texts.BIDI);
    simulation.run();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(repeating.failures).isEmpty();
    assertThat(held.all()).hasSize(1);
  }

  /** Never decides about a call that was unavailable. */
  private static final class Undecided extends OneRetry {
    @Override
    void decided(Runnable repeat) {}
  }

  @Test
  void aCallWithoutAnotherOneBehindItEndsOnItsExecutor() {
    HeldTasks tasks = new HeldTasks();
    Channel both = ClientInterceptor.intercept(direct, List.of(ending, new Undecided()));
    MadeCall call =
        MadeCall.whole(both, Texts.UNARY, CallOptions.DEFAULT.withExecutor(tasks), "question");
    simulation.run();
    held.only().ends(Status.UNAVAILABLE);
    simulation.run();
    tasks.runOne();
    ending.only().endsBecause(FULL, "quota");
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    tasks.runOne();
    assertThat(call.status()).isEqualTo(FULL);
    assertThat(call.heard().trailers().get(WHY)).hasValue("quota");
  }

  @Test
  void aCallBeforeItMayBeRepeated() {
    Repeating repeating = new Repeating();
    Channel both = ClientInterceptor.intercept(direct, List.of(repeating, ending));
    MadeCall call = MadeCall.whole(both, Texts.UNARY, "question");
    simulation.run();
    ending.only().endsBecause(Status.UNAVAILABLE, "rest");
    simulation.run();
    assertThat(held.all()).hasSize(2);
    held.all().getLast().answers("answer");
    held.all().getLast().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(repeating.failures).containsExactly(Status.Code.UNAVAILABLE);
  }

  /** Ends a stream of responses after its first one, as if that were all. */
  private record FirstOnly() implements ClientInterceptor {
    @Override
    public <Q, R> ClientCall<Q, R> interceptCall(
        MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void start(Listener<? super R> listener, Metadata headers) {
          super.start(
              new ForwardingClientCallListener<R>(listener) {
                @Override
                public void onMessage(R message) {
                  super.onMessage(message);
                  end(Status.OK, new Metadata());
                }
              },
              headers);
        }
      };
    }
  }

  @Test
  void aStreamEndsWithOkAfterTheMessageAtWhichAListenerEndsIt() {
    Channel first = ClientInterceptor.intercept(direct, List.of(new FirstOnly()));
    MadeCall call = MadeCall.whole(first, Texts.SERVER_STREAMING, "question");
    simulation.run();
    held.only().answers("a", "b", "c");
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void nullsAreRefused() {
    EndableCall<String, String> call =
        new EndableCall<>(direct.newCall(Texts.BIDI, CallOptions.DEFAULT));
    assertThatNullPointerException()
        .isThrownBy(() -> endWithNulls(call, null, new Metadata()))
        .withMessage("status");
    assertThatNullPointerException()
        .isThrownBy(() -> endWithNulls(call, FULL, null))
        .withMessage("trailers");
  }

  @SuppressWarnings("NullAway") // the mistake that is told
  private static void endWithNulls(
      EndableCall<String, String> call, @Nullable Status status, @Nullable Metadata trailers) {
    call.ends(status, trailers);
  }

  // The styles.

  private static void assertIsFull(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            StatusException.class,
            failure -> {
              assertThat(failure.status()).isEqualTo(FULL);
              assertThat(failure.trailers().get(WHY)).hasValue("quota");
            });
  }

  private static StatusException thrownBy(Runnable call) {
    return catchThrowableOfType(StatusException.class, call::run);
  }

  @Test
  void blockingClientsThrowIt() {
    CallOptions options = CallOptions.DEFAULT;
    String much = EndableCall.TOO_MUCH;
    assertIsFull(thrownBy(() -> BlockingCalls.unary(channel, Texts.UNARY, options, much)));
    assertIsFull(
        thrownBy(() -> {
          try (ServerStreamingCall<String> call =
              BlockingCalls.serverStreaming(channel, Texts.SERVER_STREAMING, options, much)) {
            call.hasNext();
          }
        }));
    assertIsFull(
        thrownBy(() -> {
          try (ClientStreamingCall<String, String> call =
              BlockingCalls.clientStreaming(channel, Texts.CLIENT_STREAMING, options)) {
            ending.calls.getLast().endsBecause(FULL, "quota");
            call.finish();
          }
        }));
    assertIsFull(
        thrownBy(() -> {
          try (BidiStreamingCall<String, String> call =
              BlockingCalls.bidiStreaming(channel, Texts.BIDI, options)) {
            ending.calls.getLast().endsBecause(FULL, "quota");
            call.hasNext();
          }
        }));
    assertThat(held.all()).isEmpty();
  }

  @Test
  void futuresFailWithIt() {
    CompletableFuture<String> unary =
        AsyncCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, EndableCall.TOO_MUCH);
    Flow.Publisher<String> none = subscriber -> {};
    CompletableFuture<String> stream =
        AsyncCalls.clientStreaming(channel, Texts.CLIENT_STREAMING, CallOptions.DEFAULT, none);
    ending.calls.getLast().endsBecause(FULL, "quota");
    simulation.run();
    assertIsFull(unary.exceptionNow());
    assertIsFull(stream.exceptionNow());
  }

  @Test
  void subscribersAndObserversGetIt() {
    CallOptions options = CallOptions.DEFAULT;
    Recorder recorder = new Recorder();
    String much = EndableCall.TOO_MUCH;
    AsyncCalls.serverStreaming(channel, Texts.SERVER_STREAMING, options, much).subscribe(recorder);
    Observing observing = new Observing(new AtomicReference<>());
    ObserverCalls.bidiStreaming(channel, Texts.BIDI, options, observing).onNext(much);
    simulation.run();
    assertIsFull(recorder.error());
    assertIsFull(observing.error().get());
  }

  private record Observing(AtomicReference<Throwable> error) implements StreamObserver<String> {
    @Override
    public void onNext(String value) {}

    @Override
    public void onError(Throwable thrown) {
      assertThat(error.getAndSet(thrown)).isNull();
    }

    @Override
    public void onCompleted() {}
  }

  // Threads.

  /** Use of a channel and a server with threads of their own. */
  private interface Use {
    void of(Channel channel) throws Exception;
  }

  private static void inProcess(Ending ending, Runnable onRequest, Use use) throws Exception {
    InProcessAddress address = InProcessAddress.anonymous();
    try (Server server = started(address, onRequest);
        ManagedChannel real = ManagedChannel.builder(address).plaintext().build()) {
      use.of(ClientInterceptor.intercept(real, List.of(ending)));
      server.shutdown();
    }
  }

  private static Server started(InProcessAddress address, Runnable onRequest) throws IOException {
    return Server.builder(address)
        .plaintext()
        .add(
            ServerServiceDefinition.of(
                Texts.SERVICE,
                List.of(
                    ServerMethodDefinition.of(
                        Texts.UNARY,
                        BlockingHandlers.unary(request -> {
                          onRequest.run();
                          return request;
                        })))))
        .start();
  }

  @Test
  void anotherThreadWakesABlockingCaller() throws Exception {
    Ending own = new Ending();
    CompletableFuture<String> never = new CompletableFuture<>();
    Runnable onRequest =
        () -> {
          own.only().endsBecause(FULL, "quota");
          never.join();
        };
    inProcess(
        own,
        onRequest,
        real -> {
          assertIsFull(
              thrownBy(
                  () -> BlockingCalls.unary(real, Texts.UNARY, CallOptions.DEFAULT, "question")));
          never.complete("");
        });
  }

  @Test
  void oneOfTwoEndsAtTheSameTimeCounts() throws Exception {
    Ending own = new Ending();
    Runnable onRequest =
        () -> Thread.startVirtualThread(() -> own.calls.getLast().endsBecause(FULL, "quota"));
    inProcess(
        own,
        onRequest,
        real -> {
          for (int i = 0; i < 500; i++) {
            Counting counting = new Counting(new AtomicInteger(), new CompletableFuture<>());
            ClientCall<String, String> call = real.newCall(Texts.UNARY, CallOptions.DEFAULT);
            call.start(counting);
            call.request(1);
            call.sendMessage("question");
            call.halfClose();
            assertThat(counting.end().join().code())
                .isIn(Status.Code.OK, Status.Code.RESOURCE_EXHAUSTED);
            assertThat(counting.ends()).hasValue(1);
          }
        });
  }

  private record Counting(AtomicInteger ends, CompletableFuture<Status> end)
      implements ClientCall.Listener<String> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      ends.incrementAndGet();
      end.complete(status);
    }
  }
}
