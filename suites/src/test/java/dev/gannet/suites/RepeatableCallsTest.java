package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.CallScope;
import dev.gannet.api.Channel;
import dev.gannet.api.ClientCall;
import dev.gannet.api.ClientInterceptor;
import dev.gannet.api.ForwardingClientCall;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.RepeatableClientCall;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.api.TestCallContext;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import dev.gannet.transport.inprocess.InProcessAddress;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A call of an interceptor that is made again if nothing has answered it. */
final class RepeatableCallsTest extends RepeatableCalls {
  @Test
  void aBlockingCallerGetsTheResponseOfTheSecondCall() throws IOException {
    AtomicInteger calls = new AtomicInteger();
    ServerServiceDefinition service =
        ServerServiceDefinition.of(
            Texts.SERVICE,
            List.of(
                ServerMethodDefinition.of(
                    Texts.UNARY,
                    BlockingHandlers.unary(request -> {
                      if (calls.getAndIncrement() == 0) {
                        throw Status.UNAVAILABLE.asException();
                      }
                      return "answer to " + request;
                    }))));
    try (Server server = Server.builder(InProcessAddress.anonymous()).add(service).start();
        ManagedChannel real =
            ManagedChannel.builder(server.address()).intercept(new OneRetry()).build()) {
      assertThat(BlockingCalls.unary(real, Texts.UNARY, CallOptions.DEFAULT, "question"))
          .isEqualTo("answer to question");
    }
    assertThat(calls).hasValue(2);
  }

  @Test
  void theSecondCallGetsTheRequestAndTheHeaders() {
    Metadata headers = new Metadata();
    headers.set(TENANT, "acme");
    MadeCall call =
        MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, headers)
            .wants(1)
            .says("question")
            .halfCloses();
    fails(1);
    assertThat(call.isClosed()).isFalse();
    answers(2);
    assertThat(held.all().getLast().messages()).containsExactly("question");
    assertThat(held.all().getLast().headers().get(TENANT)).hasValue("acme");
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertNothingIsLeft();
  }

  @Test
  void theLastFailureReachesTheCaller() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    fails(1);
    fails(2);
    assertThat(call.status()).hasToString("UNAVAILABLE: try again");
    assertNothingIsLeft();
  }

  @Test
  void aFailureThatIsNotRepeatedReachesTheCaller() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    served(1).ends(Status.NOT_FOUND);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void aCallWhoseResponseHasBegunIsNotRepeated() {
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "question");
    served(1).answers("first");
    fails(1);
    assertThat(call.messages()).containsExactly("first");
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void aStreamOfRequestsIsSentAgainAndGoesOn() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says("a", "b");
    fails(1);
    assertThat(served(2).messages()).containsExactly("a", "b");
    served(2).answers("1", "2", "3");
    simulation.run();
    assertThat(call.messages()).containsExactly("1");
    call.wants(1).says("c").halfCloses();
    simulation.run();
    assertThat(call.messages()).containsExactly("1", "2");
    assertThat(served(2).messages()).containsExactly("a", "b", "c");
    assertThat(served(2).halfCloses()).isOne();
    call.wants(5);
    served(2).ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("1", "2", "3");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void whatIsSentBetweenTwoCallsReachesTheSecond() {
    channel = behind(new LateRetry());
    MadeCall call = MadeCall.start(channel, Texts.BIDI).says("a");
    fails(1);
    call.says("b").wants(1).halfCloses();
    simulation.run();
    later.getFirst().run();
    answers(2);
    assertThat(served(2).messages()).containsExactly("a", "b");
    assertThat(served(2).halfCloses()).isOne();
    assertThat(call.messages()).containsExactly("answer");
  }

  @Test
  void aCallThatIsCancelledBetweenTwoCallsEndsAtOnce() {
    channel = behind(new LateRetry());
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    fails(1);
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    later.getFirst().run();
    simulation.run();
    assertThat(held.all()).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void aCancelledCallIsNotRepeated() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    fails(1);
    served(2);
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(held.all()).hasSize(2);
    assertThat(served(2).cancels()).isOne();
  }

  @Test
  void aCallThatWasCancelledEarlyEndsWhenItIsStarted() {
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.cancel("no longer wanted");
    call.start(heard);
    simulation.run();
    assertThat(heard.status()).hasToString("CANCELLED: no longer wanted");
  }

  @Test
  void theSecondCallBelongsToTheCallOfTheHandler() {
    channel = behind(new LateRetry());
    TestCallContext handler = CallContext.forTest().build();
    List<MadeCall> made = new ArrayList<>();
    handler.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "question")));
    fails(1);
    later.getFirst().run();
    served(2);
    handler.cancel();
    simulation.run();
    assertThat(made.getFirst().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(served(2).cancels()).isOne();
  }

  @Test
  void aCallBelongsToTheScopeInWhichItWasCreated() {
    channel = behind(new LateRetry());
    CallScope scope = CallScope.builder().open();
    List<ClientCall<String, String>> created = new ArrayList<>();
    scope.run(() -> created.add(channel.newCall(Texts.BIDI, CallOptions.DEFAULT)));
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    created.getFirst().start(heard);
    fails(1);
    later.getFirst().run();
    served(2);
    scope.cancel("no longer wanted");
    simulation.run();
    assertThat(heard.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(served(2).cancels()).isOne();
  }

  @Test
  void aCallWhoseScopeIsCancelledBetweenTwoCallsEndsAtOnce() {
    channel = behind(new LateRetry());
    CallScope scope = CallScope.builder().open();
    List<MadeCall> made = new ArrayList<>();
    scope.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "question")));
    fails(1);
    scope.cancel("no longer wanted");
    simulation.run();
    assertThat(made.getFirst().status()).hasToString("CANCELLED: no longer wanted");
    later.getFirst().run();
    simulation.run();
    assertThat(held.all()).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void aCallWhoseHandlerIsCancelledBetweenTwoCallsEndsAtOnce() {
    channel = behind(new LateRetry());
    TestCallContext handler = CallContext.forTest().build();
    List<MadeCall> made = new ArrayList<>();
    handler.run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "question")));
    fails(1);
    handler.cancel();
    simulation.run();
    assertThat(made.getFirst().status())
        .hasToString("CANCELLED: the call was made by a handler whose own call was cancelled");
    assertNothingIsLeft();
  }

  /** What the first thread then says is not lost at the call that has failed. */
  @Test
  void aCallMayBeRepeatedWhileAnotherThreadStillStartsTheFirst() throws Exception {
    CountDownLatch repeats = new CountDownLatch(1);
    CountDownLatch said = new CountDownLatch(1);
    channel =
        behind(
            new OneRetry() {
              @Override
              <Q, R> ClientCall<Q, R> newCall(
                  boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                if (again) {
                  repeats.countDown();
                  awaits(said);
                }
                return new ForwardingClientCall<>(next.newCall(method, options)) {
                  @Override
                  public void start(ClientCall.Listener<? super R> listener, Metadata headers) {
                    super.start(listener, headers);
                    if (!again) {
                      awaits(repeats);
                    }
                  }
                };
              }
            });
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    Thread first =
        Thread.ofPlatform()
            .start(() -> {
              call.start(heard);
              call.request(1);
              call.sendMessage("question");
              call.halfClose();
              said.countDown();
            });
    while (first.getState() != Thread.State.WAITING && first.isAlive()) {
      Thread.onSpinWait();
    }
    fails(1);
    first.join();
    answers(2);
    assertThat(served(2).messages()).containsExactly("question");
    assertThat(heard.messages()).containsExactly("answer");
    assertThat(heard.status()).isEqualTo(Status.OK);
  }

  private static void awaits(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aSecondCallThatCannotBeMadeEndsTheCall() {
    channel =
        behind(
            new OneRetry() {
              @Override
              <Q, R> ClientCall<Q, R> newCall(
                  boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                if (again) {
                  throw Status.PERMISSION_DENIED.withDescription("only once").asException();
                }
                return super.newCall(again, method, options, next);
              }
            });
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    fails(1);
    assertThat(call.status()).hasToString("PERMISSION_DENIED: only once");
  }

  private CompletableFuture<String> future(ClientInterceptor... interceptors) {
    return AsyncCalls.unary(behind(interceptors), Texts.UNARY, CallOptions.DEFAULT, "question");
  }

  private static void assertIsTold(CompletableFuture<String> call) {
    assertThat(call).isCompletedExceptionally();
    BrokenEnd.assertIsOf(call.exceptionNow());
  }

  @Test
  void theCallerGetsTheEndIfAListenerInFrontThrows() {
    CompletableFuture<String> call = future(BrokenEnd.UNTOLD, new OneRetry());
    fails(1);
    answers(2);
    assertIsTold(call);
    assertNothingIsLeft();
  }

  @Test
  void theCallerGetsTheEndIfAListenerBehindThrows() {
    CompletableFuture<String> call = future(new OneRetry(), BrokenEnd.UNTOLD);
    fails(1);
    assertIsTold(call);
    assertNothingIsLeft();
  }

  @Test
  void theCallerGetsAnEndThatComesLaterIfAListenerThrows() {
    CompletableFuture<String> call =
        future(
            BrokenEnd.UNTOLD,
            new LateRetry() {
              @Override
              <Q, R> ClientCall<Q, R> newCall(
                  boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                if (again) {
                  throw Status.PERMISSION_DENIED.asException();
                }
                return super.newCall(again, method, options, next);
              }
            });
    fails(1);
    later.getFirst().run();
    simulation.run();
    assertIsTold(call);
  }

  @Test
  void aThreadThatRequestsDoesNotGetTheFailureOfAMessage() {
    channel =
        behind(
            new OneRetry() {
              @Override
              <Q, R> ClientCall<Q, R> newCall(
                  boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
                return new ForwardingClientCall<>(next.newCall(method, options)) {
                  @Override
                  public void request(int messages) {
                    throw Status.PERMISSION_DENIED.asException(ofTenant());
                  }
                };
              }
            });
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1);
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.PERMISSION_DENIED);
    assertThat(call.heard().trailers().get(TENANT)).hasValue("acme");
    assertNothingIsLeft();
  }

  @Test
  void anInterceptorThatThrowsInsteadOfDecidingEndsTheCall() {
    CompletableFuture<String> call =
        future(
            new OneRetry() {
              @Override
              void decided(Runnable repeat) {
                throw BrokenEnd.fault();
              }
            });
    fails(1);
    assertIsTold(call);
    assertNothingIsLeft();
  }

  @Test
  void anyCallerGetsAnEndIfTheInterceptorThrowsInsteadOfDeciding() {
    channel =
        behind(
            new OneRetry() {
              @Override
              void decided(Runnable repeat) {
                throw BrokenEnd.fault();
              }
            });
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    assertThatThrownBy(() -> fails(1)).hasRootCauseMessage("its fault");
    assertThat(heard.status().code()).isEqualTo(Status.Code.CANCELLED);
  }

  /** Knows how long a message is, but fails to write it, as often as it is told. */
  private static final class Failing implements Marshaller<String> {
    private int failures;

    Failing(int failures) {
      this.failures = failures;
    }

    @Override
    public int sizeBytes(String message) {
      return message.length();
    }

    @Override
    public void write(String message, MessageSink sink) {
      if (failures-- > 0) {
        throw new StackOverflowError();
      }
      Texts.BIDI.requestMarshaller().write(message, sink);
    }

    @Override
    public String parse(ByteBuffer bytes) {
      throw new UnsupportedOperationException("it is the marshaller of a client's requests");
    }
  }

  /** A call that learns of its failure inside the method that fails, and is then repeated. */
  private ClientCall<String, String> callThatFailsToWrite(int times, OneRetry retry) {
    direct = simulation.channelBuilder().directExecutor().build();
    MadeCall.start(direct, Texts.BIDI);
    served(1); // the channel is connected
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(
            MethodType.BIDI_STREAMING,
            Texts.BIDI.fullMethodName(),
            new Failing(times),
            Texts.BIDI.responseMarshaller());
    return behind(retry).newCall(method, CallOptions.DEFAULT);
  }

  /** Makes a call again, once, if its message cannot be written. */
  private static final class OneRewriting extends OneRetry {
    @Override
    boolean isRepeated(Status status) {
      return status.code() == Status.Code.INTERNAL;
    }
  }

  @Test
  void aMessageThatNoCallCanWriteEndsTheCallOnce() {
    ClientCall<String, String> call = callThatFailsToWrite(2, new OneRewriting());
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    assertThatThrownBy(() -> call.sendMessage("question")).isInstanceOf(StackOverflowError.class);
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    call.request(1);
    simulation.run();
    assertThat(heard.closes()).isOne();
  }

  @Test
  void aMessageThatOnlyTheFirstCallCannotWriteReachesTheSecond() {
    ClientCall<String, String> call = callThatFailsToWrite(1, new OneRewriting());
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    call.sendMessage("question");
    call.halfClose();
    call.request(1);
    answers(2);
    assertThat(served(2).messages()).containsExactly("question");
    assertThat(heard.messages()).containsExactly("answer");
    assertThat(heard.status()).isEqualTo(Status.OK);
  }

  @Test
  void theCallerLearnsOfAMessageThatCannotBeWrittenIfTheCallIsNotRepeated() {
    ClientCall<String, String> call = callThatFailsToWrite(1, new OneRetry());
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    assertThatThrownBy(() -> call.sendMessage("question")).isInstanceOf(StackOverflowError.class);
    assertThat(heard.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(heard.closes()).isOne();
  }

  @Test
  void aMessageThatMustNotBeSentEndsTheCallWithTheStatusThatIsThrown() {
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    RecordingClientListener<String> heard = new RecordingClientListener<>();
    call.start(heard);
    call.halfClose();
    assertThatThrownBy(() -> call.sendMessage("late"))
        .hasMessage("INTERNAL: no message can follow the half-close");
    simulation.run();
    assertThat(heard.status()).hasToString("INTERNAL: no message can follow the half-close");
    assertThat(heard.closes()).isOne();
    call.sendMessage("later"); // has no effect
  }

  @Test
  void onlyACallThatHasFailedIsRepeated() {
    List<Runnable> repeats = new ArrayList<>();
    RepeatableClientCall<String, String> call =
        new RepeatableClientCall<>(Texts.BIDI, CallOptions.DEFAULT, direct) {
          @Override
          protected ClientCall<String, String> newCall(Metadata headers) {
            repeats.add(this::repeat);
            return direct.newCall(Texts.BIDI, CallOptions.DEFAULT);
          }
        };
    call.start(new RecordingClientListener<>());
    assertThatThrownBy(repeats.getFirst()::run).isInstanceOf(IllegalStateException.class);
    call.cancel("over");
    simulation.run();
    repeats.getFirst().run();
    assertThat(repeats).hasSize(1);
  }

  @Test
  void messagesAreCompressedAsTheyWereSaid() {
    List<Boolean> settings = new ArrayList<>();
    OneRetry recording =
        new OneRetry() {
          @Override
          <Q, R> ClientCall<Q, R> newCall(
              boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
            return new ForwardingClientCall<>(next.newCall(method, options)) {
              @Override
              public void setMessageCompression(boolean enabled) {
                settings.add(enabled);
                super.setMessageCompression(enabled);
              }
            };
          }
        };
    MadeCall call = MadeCall.start(behind(recording), Texts.BIDI).says("a");
    call.call().setMessageCompression(false);
    call.says("b");
    call.call().setMessageCompression(true);
    call.says("c");
    fails(1);
    assertThat(served(2).messages()).containsExactly("a", "b", "c");
    assertThat(settings).containsExactly(false, true, false, true);
  }

  @Test
  void nothingCanBeSentBeforeTheStartAndAfterTheHalfClose() {
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    assertThatThrownBy(() -> call.sendMessage("early")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(call::halfClose).isInstanceOf(IllegalStateException.class);
    call.start(new RecordingClientListener<>());
    call.halfClose();
    assertThatThrownBy(() -> call.sendMessage("late")).isInstanceOf(StatusException.class);
  }

  /** A quarter of what a call keeps by default; four of them are too much. */
  private static String[] quarters(int number) {
    return Collections.nCopies(number, Texts.ofLength(256 * 1024)).toArray(String[]::new);
  }

  @Test
  void aCallThatHasSentNoMoreThanIsKeptIsRepeated() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says(quarters(3));
    fails(1);
    call.halfCloses();
    answers(2);
    assertThat(held.all().getLast().messages()).containsExactly(quarters(3));
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theFailureOfACallThatHasSentMoreThanIsKeptReachesTheCaller() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says(quarters(4)).says("more");
    assertThat(served(1).messages()).hasSize(5).endsWith("more");
    fails(1);
    assertThat(call.status()).hasToString("UNAVAILABLE: try again");
    assertThat(held.all()).hasSize(1);
    assertNothingIsLeft();
  }

  @Test
  void aSingleRequestThatIsTooLongIsSentOnce() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, Texts.ofLength(1024 * 1024));
    fails(1);
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(1);
  }

  @Test
  void anInterceptorDecidesHowMuchIsKept() {
    channel =
        behind(
            new OneRetry() {
              @Override
              long maxKeptBytes(long usual) {
                return 2 * (1 + 64);
              }
            });
    MadeCall two = MadeCall.start(channel, Texts.BIDI).wants(1).says("a", "b");
    fails(1);
    assertThat(served(2).messages()).containsExactly("a", "b");
    MadeCall three = MadeCall.start(channel, Texts.BIDI).wants(1).says("a", "b", "c");
    fails(3);
    assertThat(held.all()).hasSize(3);
    assertThat(three.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(two.isClosed()).isFalse();
  }

  @Test
  void whatIsSentBetweenTwoCallsReachesTheSecondEvenIfItIsTooMuch() {
    channel = behind(new LateRetry());
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says("a");
    fails(1);
    call.says(quarters(5));
    later.getFirst().run();
    assertThat(served(2).messages()).hasSize(6);
    call.says("z").halfCloses();
    answers(2);
    assertThat(served(2).messages()).endsWith("z");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  /** Its calls take messages and forget them. */
  private static final class Swallowing extends OneRetry {
    @Override
    <Q, R> ClientCall<Q, R> newCall(
        boolean again, MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
      return new ForwardingClientCall<>(next.newCall(method, options)) {
        @Override
        public void sendMessage(Q message) {}
      };
    }
  }

  private static List<WeakReference<String>> uploaded(MadeCall call, int messages) {
    List<WeakReference<String>> sent = new ArrayList<>();
    for (int i = 0; i < messages; i++) {
      String message = Texts.ofLength(64 * 1024);
      sent.add(new WeakReference<>(message));
      call.says(message);
    }
    return sent;
  }

  @Test
  void aLongUploadIsNotKept() {
    MadeCall call = MadeCall.start(behind(new Swallowing()), Texts.BIDI);
    List<WeakReference<String>> sent = uploaded(call, 100);
    for (int i = 0; i < 20 && sent.stream().anyMatch(it -> it.get() != null); i++) {
      System.gc();
    }
    assertThat(sent).allMatch(it -> it.get() == null);
    assertThat(call.isClosed()).isFalse();
  }
}
