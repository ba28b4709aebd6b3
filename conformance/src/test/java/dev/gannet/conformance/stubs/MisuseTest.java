package dev.gannet.conformance.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.AsyncHandlers;
import dev.gannet.api.stub.BidiStreamingCall;
import dev.gannet.api.stub.ClientCallStreamObserver;
import dev.gannet.api.stub.ClientStreamingCall;
import dev.gannet.api.stub.Incoming;
import dev.gannet.api.stub.Outgoing;
import dev.gannet.api.stub.StreamObserver;
import dev.gannet.client.ManagedChannel;
import dev.gannet.examples.greeter.Greeter;
import dev.gannet.examples.greeter.GreeterAsyncClient;
import dev.gannet.examples.greeter.GreeterClient;
import dev.gannet.examples.greeter.GreeterMethods;
import dev.gannet.examples.greeter.GreeterObserverClient;
import dev.gannet.examples.greeter.GroupReply;
import dev.gannet.examples.greeter.HelloReply;
import dev.gannet.examples.greeter.HelloRequest;
import dev.gannet.examples.greeter.MyGreeter;
import dev.gannet.examples.greeter.RepeatRequest;
import dev.gannet.testing.GannetExtension;
import dev.gannet.testing.StreamRecorder;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an application does wrong with a stream is told to it, in every style, where it does it. */
@Timeout(60)
final class MisuseTest {
  private static final HelloRequest ADA = HelloRequest.newBuilder().setName("Ada").build();
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @RegisterExtension final GannetExtension gannet = GannetExtension.inProcess();

  private ManagedChannel channel() {
    return gannet.channelTo(new MyGreeter());
  }

  private static void refusesNull(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class);
  }

  // Blocking.

  @Test
  void aRequestAfterTheHalfCloseIsRefused() {
    try (BidiStreamingCall<HelloRequest, HelloReply> call =
        GreeterClient.of(channel()).converse()) {
      call.send(ADA);
      assertThat(call.next().getMessage()).isEqualTo("Hello Ada");
      call.halfClose();
      assertThatThrownBy(() -> call.send(ADA))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no message can follow the half-close");
      assertThat(call.hasNext()).isFalse();
      assertThatThrownBy(() -> call.send(ADA)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aRequestAfterTheResponseOfAClientStreamIsRefused() {
    try (ClientStreamingCall<HelloRequest, GroupReply> call =
        GreeterClient.of(channel()).greetAll()) {
      call.send(ADA);
      assertThat(call.finish().getNames()).isOne();
      assertThatThrownBy(() -> call.send(ADA))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("no message can follow the half-close");
      assertThatThrownBy(call::finish)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("finish has already returned the response");
    }
  }

  @Test
  void aRequestAfterTheHalfCloseOfAnOpenCallNamesTheMethod() {
    ManagedChannel channel = gannet.channelTo(new Holding());
    try (BidiStreamingCall<HelloRequest, HelloReply> call = GreeterClient.of(channel).converse()) {
      call.halfClose();
      assertThatThrownBy(() -> call.send(ADA))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "gannet.examples.greeter.Greeter/Converse: no message can follow the"
                  + " half-close");
    }
  }

  /** Answers nobody before the call is cancelled. */
  private record Holding() implements Greeter {
    @Override
    public void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses)
        throws InterruptedException {
      new CountDownLatch(1).await(); // the cancellation interrupts it
    }
  }

  @Test
  void aReadAfterTheCloseThrowsTheCancellation() {
    BidiStreamingCall<HelloRequest, HelloReply> call = GreeterClient.of(channel()).converse();
    call.close();
    assertThatThrownBy(call::hasNext)
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.Code.CANCELLED))
        .hasMessageContaining("the application closed the call");
    assertThatThrownBy(call::next).isInstanceOf(StatusException.class);
    assertThatThrownBy(() -> call.send(ADA)).isInstanceOf(StatusException.class);
    call.close(); // once more does nothing
  }

  @Test
  void aMessageThatArrivedBeforeTheCloseIsNotRead() {
    BidiStreamingCall<HelloRequest, HelloReply> call = GreeterClient.of(channel()).converse();
    call.send(ADA);
    assertThat(call.hasNext()).isTrue();
    call.close();
    refusesClosed(call::hasNext);
    refusesClosed(call::next);
    refusesClosed(() -> call.send(ADA));
  }

  @Test
  void aCloseAfterTheEndDoesNothing() {
    BidiStreamingCall<HelloRequest, HelloReply> call = GreeterClient.of(channel()).converse();
    call.send(ADA);
    call.halfClose();
    assertThat(call.next().getMessage()).isEqualTo("Hello Ada");
    assertThat(call.hasNext()).isFalse();
    call.close(); // does nothing: the end has been read
    assertThat(call.hasNext()).isFalse();
  }

  private static void refusesClosed(ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.Code.CANCELLED))
        .hasMessageContaining("the application closed the call before its end");
  }

  @Test
  void aSecondReaderIsRefusedAndTheFirstReadsOn() throws Exception {
    try (BidiStreamingCall<HelloRequest, HelloReply> call =
        GreeterClient.of(channel()).converse()) {
      CompletableFuture<HelloReply> first = new CompletableFuture<>();
      Thread reader = Thread.ofVirtual().start(() -> first.complete(call.next()));
      awaitWaiting(reader);
      assertThatThrownBy(call::next)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("two threads read the same stream of")
          .hasMessageContaining("Greeter/Converse");
      assertThatThrownBy(() -> call.hasNext(Duration.ofMillis(1)))
          .isInstanceOf(IllegalStateException.class);
      call.send(ADA);
      assertThat(first.get().getMessage()).isEqualTo("Hello Ada");
      call.send(ADA);
      assertThat(call.next().getMessage()).isEqualTo("Hello Ada"); // one after the other may read
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
  }

  @Test
  @SuppressWarnings({"FutureReturnValueIgnored", "NullAway"}) // on purpose
  void aNullRequestIsRefusedBeforeACallBegins() {
    GreeterClient greeter = GreeterClient.of(channel());
    refusesNull(() -> greeter.sayHello(null));
    refusesNull(() -> greeter.repeatHello(null));
    refusesNull(() -> GreeterAsyncClient.of(channel()).sayHello(null));
    refusesNull(() -> GreeterAsyncClient.of(channel()).repeatHello(null));
    refusesNull(() -> GreeterAsyncClient.of(channel()).greetAll(null));
    refusesNull(() -> GreeterAsyncClient.of(channel()).converse(null));
    Observed<HelloReply> observed = new Observed<>();
    refusesNull(() -> GreeterObserverClient.of(channel()).sayHello(null, observed));
    refusesNull(() -> GreeterObserverClient.of(channel()).repeatHello(null, observed));
    refusesNull(() -> GreeterObserverClient.of(channel()).sayHello(ADA, null));
    assertThat(observed.told).isEmpty();
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void aNullMessageIsRefusedWithoutEndingTheStream() {
    try (BidiStreamingCall<HelloRequest, HelloReply> call =
        GreeterClient.of(channel()).converse()) {
      refusesNull(() -> call.send(null));
      call.send(ADA);
      assertThat(call.next().getMessage()).isEqualTo("Hello Ada");
    }
  }

  // Handlers.

  /** Reads its requests on two threads. */
  private record Greedy(Queue<Throwable> refused) implements Greeter {
    @Override
    public GroupReply greetAll(Incoming<HelloRequest> requests) throws InterruptedException {
      Thread handler = Thread.currentThread();
      Thread second =
          Thread.ofVirtual()
              .start(() -> {
                awaitWaiting(handler);
                try {
                  requests.hasNext();
                } catch (RuntimeException e) {
                  refused.add(e);
                }
                refused.add(new Throwable("done"));
              });
      int names = requests.hasNext() ? 1 : 0;
      second.join();
      return GroupReply.newBuilder().setNames(names).build();
    }
  }

  @Test
  void aSecondReaderOfAHandlersRequestsIsRefused() {
    Greedy greedy = new Greedy(new ConcurrentLinkedQueue<>());
    try (ClientStreamingCall<HelloRequest, GroupReply> call =
        GreeterClient.of(gannet.channelTo(greedy)).greetAll()) {
      while (greedy.refused.size() < 2) {
        Thread.onSpinWait();
      }
      call.send(ADA);
      assertThat(call.finish().getNames()).isOne();
    }
    assertThat(greedy.refused.remove())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("two threads read the same stream of");
  }

  /** Does with a stream whatever a test wants. */
  private interface Odd extends Greeter {
    void answer(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses);

    @Override
    default void converse(Incoming<HelloRequest> requests, Outgoing<HelloReply> responses) {
      answer(requests, responses);
    }
  }

  @Test
  void aClosedStreamOfRequestsHasNoNextMessage() {
    Odd odd =
        (requests, responses) -> {
          requests.close();
          assertThat(requests.hasNext()).isFalse();
          responses.send(HelloReply.getDefaultInstance());
        };
    try (var call = GreeterClient.of(gannet.channelTo(odd)).converse()) {
      assertThat(call.next()).isEqualTo(HelloReply.getDefaultInstance());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void aNullResponseEndsTheCallAndSaysSo() {
    Odd odd = (requests, responses) -> responses.send(null);
    try (var call = GreeterClient.of(gannet.channelTo(odd)).converse()) {
      assertThatThrownBy(call::next)
          .hasMessage(
              "INTERNAL: the handler of "
                  + GreeterMethods.CONVERSE.fullMethodName()
                  + " returned or sent null instead of a response message");
    }
  }

  @Test
  void aSecondSubscriberOfAHandlersRequestsIsRefused() throws Exception {
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    ServerServiceDefinition service =
        new MyGreeter()
            .bindService()
            .with(
                GreeterMethods.GREET_ALL,
                AsyncHandlers.clientStreaming((Flow.Publisher<HelloRequest> requests) -> {
                  StreamRecorder<HelloRequest> first = StreamRecorder.create();
                  StreamRecorder<HelloRequest> second = StreamRecorder.create();
                  requests.subscribe(first);
                  requests.subscribe(second);
                  refused.complete(second.failure().orElseThrow());
                  return CompletableFuture.completedFuture(GroupReply.getDefaultInstance());
                }));
    GreeterClient.of(gannet.channelTo(() -> service)).greetAll().finish();
    assertThat(refused.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the requests of a call can be subscribed to only once");
  }

  // Asynchronous.

  @Test
  void closingThePublisherOfRequestsHalfClosesTheCall() throws Exception {
    SubmissionPublisher<HelloRequest> requests = new SubmissionPublisher<>();
    CompletableFuture<GroupReply> reply = GreeterAsyncClient.of(channel()).greetAll(requests);
    requests.submit(ADA);
    requests.close();
    assertThatThrownBy(() -> requests.submit(ADA)).isInstanceOf(IllegalStateException.class);
    assertThat(reply.get().getNames()).isOne();
  }

  @Test
  void aFutureThatWasCancelledCannotBeRead() {
    CompletableFuture<HelloReply> reply = GreeterAsyncClient.of(channel()).sayHello(ADA);
    if (reply.cancel(true)) {
      assertThatThrownBy(reply::join).isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void eachSubscriberOfResponsesHasACallOfItsOwn() throws Exception {
    Flow.Publisher<HelloReply> replies =
        GreeterAsyncClient.of(channel())
            .repeatHello(RepeatRequest.newBuilder().setName("Ada").setTimes(2).build());
    StreamRecorder<HelloReply> first = StreamRecorder.create();
    StreamRecorder<HelloReply> second = StreamRecorder.create();
    replies.subscribe(first);
    replies.subscribe(second);
    assertThat(first.awaitCompletion(PATIENCE)).hasSize(2);
    assertThat(second.awaitCompletion(PATIENCE)).hasSize(2);
  }

  // Observers.

  private record Observed<T>(Queue<Object> told, CompletableFuture<Object> end)
      implements StreamObserver<T> {
    Observed() {
      this(new ConcurrentLinkedQueue<>(), new CompletableFuture<>());
    }

    @Override
    public void onNext(T value) {
      told.add(value);
    }

    @Override
    public void onError(Throwable t) {
      end.complete(t);
    }

    @Override
    public void onCompleted() {
      end.complete("completed");
    }
  }

  @Test
  @SuppressWarnings("NullAway") // on purpose
  void aRequestAfterTheCompletionIsRefused() {
    Observed<GroupReply> observed = new Observed<>();
    ClientCallStreamObserver<HelloRequest> requests =
        GreeterObserverClient.of(channel()).greetAll(observed);
    refusesNull(() -> requests.onNext(null));
    requests.onNext(ADA);
    requests.onCompleted();
    assertThatThrownBy(() -> requests.onNext(ADA))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no message can follow the half-close");
    assertThat(observed.end.join()).isEqualTo("completed");
    assertThat(observed.told).hasSize(1);
  }

  @Test
  void actionsAfterACancellationAreIgnored() {
    Observed<GroupReply> observed = new Observed<>();
    ClientCallStreamObserver<HelloRequest> requests =
        GreeterObserverClient.of(channel()).greetAll(observed);
    requests.cancel("enough", null);
    requests.onNext(ADA);
    requests.onCompleted();
    requests.request(1);
    assertThat(observed.end.join())
        .isInstanceOfSatisfying(
            StatusException.class,
            e -> assertThat(e.status().code()).isEqualTo(Status.Code.CANCELLED));
    assertThat(observed.told).isEmpty();
  }
}
