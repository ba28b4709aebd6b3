package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.FakePipes;
import dev.gannet.client.FakeStream;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.Nulls;
import dev.gannet.client.ServedCall;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What a call makes of what its caller says, what its attempts meet, and what its listener hears.
 */
class OutgoingCallTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  final TestChannel test = new TestChannel();

  private TestCall created(CallOptions options) {
    return new TestCall(test.channel().newCall(TestChannel.UNARY, options));
  }

  /** A streaming call on a connection that is ready, and its stream. */
  private TestCall streaming() {
    test.connected();
    return test.start(TestChannel.BIDI);
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  // What the caller says.

  @Test
  void aUnaryRequestIsFlushedOnce() {
    test.connected();
    TestCall call = test.call();
    assertThat(stream().told).containsExactly("request", "half-close", "flush");
    call.call.halfClose();
    assertThat(stream().told).hasSize(3);
    assertThatThrownBy(() -> call.call.sendMessage("more"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("the method has one request message, and it was sent");
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
  }

  @Test
  void aStreamingCallBeginsAtOnceAndSendsMessageByMessage() {
    TestCall call = streaming();
    call.call.sendMessage("one");
    call.call.setMessageCompression(false);
    call.call.sendMessage("two");
    call.call.halfClose();
    assertThat(stream().told)
        .containsExactly(
            "flush", "one", "flush", "two (not compressed)", "flush", "half-close", "flush");
    assertThat(call.heard).containsExactly("ready");
  }

  @Test
  void commandsBeforeTheConnectionAreReplayedInOrder() {
    TestCall call = test.start(TestChannel.BIDI);
    call.call.sendMessage("one");
    call.call.sendMessage("two");
    call.call.halfClose();
    assertThat(call.call.isReady()).isFalse();
    test.dial().becomesReady();
    assertThat(stream().told)
        .containsExactly("flush", "one", "flush", "two", "flush", "half-close", "flush");
    assertThat(stream().requests).isOne();
    assertThat(call.heard).containsExactly("ready");
    stream().ready = true;
    assertThat(call.call.isReady()).isTrue();
  }

  @Test
  void aCallStartsOnce() {
    TestCall call = test.call();
    assertThatThrownBy(call::start).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> created(CallOptions.DEFAULT).call.start(Nulls.none(), new Metadata()))
        .isInstanceOf(NullPointerException.class);
  }

  /** A deadline whose clock breaks. */
  private Deadline broken(AtomicBoolean breaks) {
    return Deadline.after(
        SECOND,
        () -> {
          if (breaks.get()) {
            throw new IllegalStateException("the clock broke");
          }
          return test.loop.nanoTime();
        });
  }

  @Test
  void aCallThatWasNotStartedBecauseOfAnExceptionCanBeStartedAgain() {
    test.connected();
    AtomicBoolean breaks = new AtomicBoolean();
    ServedCall served = new ServedCall(broken(breaks));
    TestCall call = created(CallOptions.DEFAULT.withDeadline(SECOND));
    breaks.set(true);
    served.run(() -> assertThatThrownBy(call::start).hasMessage("the clock broke"));
    assertThat(call.isOver()).isFalse();
    breaks.set(false);
    served.run(() -> call.start().asks("request"));
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThatThrownBy(call::start).hasMessage("the call was already started");
  }

  @Test
  void aCallThatFailsWhileItStartsEnds() {
    test.connected();
    AtomicBoolean breaks = new AtomicBoolean();
    TestCall call = created(CallOptions.DEFAULT.withDeadline(broken(breaks)));
    breaks.set(true);
    assertThatThrownBy(call::start).hasMessage("the clock broke");
    assertThat(call.status()).hasToString("INTERNAL: the call cannot be started");
  }

  @Test
  void theLimitOfTheChannelForRequestsIsOverriddenByThatOfACall() {
    test.maxOutboundMessageBytes = 9;
    test.connected();
    test.call();
    assertThat(stream().start.maxOutboundMessageBytes()).isEqualTo(9);
    test.call(CallOptions.DEFAULT.withMaxOutboundMessageBytes(10));
    assertThat(stream().start.maxOutboundMessageBytes()).isEqualTo(10);
  }

  @Test
  void optionsSetHeadersAuthorityAndLimits() {
    Metadata more = new Metadata();
    more.add(Metadata.Key.ascii("more"), "yes");
    test.connected();
    test.call(
        CallOptions.DEFAULT
            .withMetadata(more)
            .withAuthority("other")
            .withCompression("gzip")
            .withMaxInboundMessageBytes(7)
            .withMaxOutboundMessageBytes(8));
    assertThat(stream().start.headers().get(Metadata.Key.ascii("more"))).hasValue("yes");
    assertThat(stream().start.authority()).contains("other");
    assertThat(stream().start.encoding()).isEqualTo(MessageEncoding.GZIP);
    assertThat(stream().start.maxInboundMessageBytes()).isEqualTo(7);
    assertThat(stream().start.maxOutboundMessageBytes()).isEqualTo(8);
    assertThatThrownBy(() -> test.call(CallOptions.DEFAULT.withCompression("zip")))
        .hasMessageContaining(
            "unknown compression: zip; this channel can compress with gzip, identity");
  }

  @Test
  void requestedMessagesReachTheStreamAndZeroIsRefused() {
    TestCall call = streaming();
    int before = stream().requests;
    call.call.request(3);
    assertThat(stream().requests).isEqualTo(before + 1);
    assertThat(stream().events.isMessageRequested()).isTrue();
    assertThatThrownBy(() -> call.call.request(0)).isInstanceOf(IllegalArgumentException.class);
    TestCall unary = test.call();
    unary.call.request(1); // again: one response is all there is
    assertThat(unary.isOver()).isFalse();
  }

  @Test
  void aCallKnowsItsPeerFromItsStreamOnAndAfterItsEnd() {
    TestCall call = test.call();
    assertThat(call.call.peer()).isEmpty();
    assertThat(call.call.sslSession()).isEmpty();
    test.dial().becomesReady();
    assertThat(call.call.peer()).hasValue(TestResolver.address(1));
    stream().endsWith(Status.NOT_FOUND);
    assertThat(call.call.peer()).hasValue(TestResolver.address(1));
    assertThat(call.call.sslSession()).isEmpty();
    test.dial().goesAway();
    TestCall cancelled = test.call();
    cancelled.call.cancel("enough");
    assertThat(cancelled.call.peer()).isEmpty();
  }

  // How it ends.

  @Test
  void aCallThatIsCancelledBeforeItsStartEndsAtItsStart() {
    TestCall call = created(CallOptions.DEFAULT);
    call.call.cancel("early");
    assertThat(call.isOver()).isFalse();
    call.start();
    assertThat(call.status()).hasToString("CANCELLED: early");
    assertThat(test.resolver.made).isEmpty();
    call.call.cancel("again");
    assertThat(call.ends).hasSize(1);
  }

  @Test
  void aCallThatIsCancelledWhileItWaitsNeedsNoConnection() {
    TestCall call = test.call();
    IllegalStateException cause = new IllegalStateException();
    call.call.cancel("enough", cause);
    assertThat(call.status()).hasToString("CANCELLED: enough");
    assertThat(call.status().cause()).hasValue(cause);
    assertThat(test.channel().pendingCalls()).isZero();
    call.call.cancel("again");
    assertThat(test.dial().becomesReady().streams).isEmpty();
    assertThat(call.ends).hasSize(1);
  }

  @Test
  void aCallThatIsCancelledOnItsStreamEndsThere() {
    TestCall call = streaming();
    call.call.cancel("enough");
    assertThat(stream().cancellations).hasSize(1);
    assertThat(call.status()).hasToString("CANCELLED: enough");
    stream().endsWith(Status.OK);
    assertThat(call.ends).hasSize(1);
  }

  @Test
  void aTransportThatThrowsEndsTheCall() {
    test.connected().thrownByOpen = Optional.of(new LinkageError("no streams"));
    TestCall call = test.call();
    assertThat(call.status()).hasToString("INTERNAL: the call cannot be started");
    assertThat(call.status().cause()).containsInstanceOf(LinkageError.class);
  }

  @Test
  void aMessageThatCannotBeSentEndsTheCall() {
    TestCall call = streaming();
    stream().thrownBySend = Optional.of(Status.RESOURCE_EXHAUSTED.asException());
    assertThatThrownBy(() -> call.call.sendMessage("too long"))
        .isInstanceOfSatisfying(
            StatusException.class,
            thrown -> {
              assertThat(thrown.status()).isEqualTo(Status.RESOURCE_EXHAUSTED);
              assertThat(thrown.failedCall()).contains(TestChannel.BIDI.fullMethodName());
            });
    assertThat(call.status()).isEqualTo(Status.RESOURCE_EXHAUSTED);
    TestCall other = test.start(TestChannel.BIDI);
    stream().thrownBySend = Optional.of(new IllegalArgumentException("unwritable"));
    assertThatThrownBy(() -> other.call.sendMessage("unwritable")).hasMessage("unwritable");
    assertThat(other.status()).hasToString("INTERNAL: the message cannot be sent");
  }

  @Test
  void aBufferedMessageThatCannotBeSentEndsTheCall() {
    for (RuntimeException thrown :
        List.of(Status.RESOURCE_EXHAUSTED.asException(), new IllegalArgumentException("no"))) {
      TestChannel other = new TestChannel();
      TestCall call = other.start(TestChannel.BIDI);
      other.dial().transport = new FakeTransport();
      call.call.sendMessage("unwritable");
      FakeTransport transport = other.dial().transport;
      transport.thrownBySendOfNext = Optional.of(thrown);
      other.dial().becomesReady();
      assertThat(call.status().code()).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.INTERNAL);
    }
  }

  @Test
  @Timeout(60)
  void aCallIsCancelledAtOnceWhileAnotherThreadMarshalsItsMessages() {
    for (MethodDescriptor<String, String> method : List.of(TestChannel.BIDI, TestChannel.UNARY)) {
      TestChannel other = new TestChannel();
      TestCall call = other.start(method);
      call.call.sendMessage("one");
      if (method.equals(TestChannel.BIDI)) {
        call.call.sendMessage("two");
        call.call.halfClose();
      }
      FakeTransport transport = other.dial().transport;
      transport.duringSendOfNext = () -> runElsewhere(() -> call.call.cancel("enough"));
      other.dial().becomesReady();
      assertThat(call.text()).isEqualTo("enough");
      assertThat(call.heard).containsExactly("end");
      assertThat(transport.stream().told).contains("one").doesNotContain("two", "half-close");
      assertThat(transport.stream().cancellations).hasSize(1);
      call.call.cancel("again");
      assertThat(call.ends).hasSize(1);
    }
  }

  private static void runElsewhere(Runnable task) {
    Thread other = Thread.ofPlatform().start(task);
    try {
      other.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // Its deadline.

  @Test
  void aCallWhoseDeadlineHasPassedDoesNotStart() {
    TestCall call = test.call(test.within(Duration.ZERO));
    assertThat(call.text()).isEqualTo("deadline exceeded before the call was started");
    assertThat(test.resolver.made).isEmpty();
  }

  @Test
  void aCallThatWaitsForAConnectionEndsByItsDeadlineAndSaysWhy() {
    TestCall call = test.call(test.within(SECOND));
    TestCall patient = test.call(test.within(SECOND).withWaitForReady(true));
    test.advance(SECOND.dividedBy(2));
    test.dial().isRefused();
    assertThat(call.isOver()).isTrue();
    test.advance(SECOND.dividedBy(2));
    assertThat(patient.text())
        .startsWith("deadline exceeded after 1 s, waiting for a connection to test:///name")
        .contains("connection refused");
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void aRequestThatIsNeverSentEndsByItsDeadline() {
    test.connected();
    TestCall call = test.start(TestChannel.UNARY, test.within(SECOND));
    test.advance(SECOND);
    assertThat(call.text()).isEqualTo("deadline exceeded after 1 s, before the request was sent");
  }

  @Test
  void theStreamWatchesTheDeadlineOfACallThatHadToWait() {
    TestCall call = test.call(test.within(SECOND));
    test.dial().becomesReady();
    test.advance(SECOND); // the call's own timer leaves it to the stream
    assertThat(call.isOver()).isFalse();
    stream().endsWith(Status.DEADLINE_EXCEEDED);
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aCallWhoseEndIsUnreadEndsAtItsDeadline() {
    test.connected();
    TestCall call = test.start(TestChannel.BIDI, test.within(SECOND));
    stream().answers("unread");
    stream().endsWith(Status.OK);
    assertThat(call.heard).containsExactly("ready", "ready");
    assertThat(call.call.isReady()).isTrue();
    test.advance(SECOND);
    assertThat(stream().cancellations.getFirst().description())
        .hasValue("deadline exceeded after 1 s, waiting for the application to read the response");
  }

  @Test
  void aSenderThatIsAlwaysReadyLearnsOfTheDeadline() {
    test.connected();
    List<Runnable> tasks = new ArrayList<>();
    TestCall call = test.start(TestChannel.BIDI, test.within(SECOND).withExecutor(tasks::add));
    stream().answers("unread");
    stream().endsWith(Status.OK);
    runAll(tasks);
    assertThat(call.call.isReady()).as("what it sends is dropped").isTrue();
    test.advance(SECOND);
    assertThat(call.call.isReady()).as("so that it waits for the end, which has come").isFalse();
    runAll(tasks);
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(call.call.isReady()).isFalse();
  }

  private static void runAll(List<Runnable> tasks) {
    while (!tasks.isEmpty()) {
      tasks.removeFirst().run();
    }
  }

  @Test
  void aReaderThatRequestsInTimeGetsEverything() {
    test.connected();
    TestCall call = test.start(TestChannel.BIDI, test.within(SECOND));
    stream().answers("read");
    stream().endsWith(Status.OK);
    call.call.request(1);
    assertThat(call.heard).containsExactly("ready", "ready", "read", "end");
    test.advance(SECOND);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theLastDeadlineOfTheOptionsApplies() {
    Duration longer = SECOND.multipliedBy(9);
    test.connected();
    test.call(test.within(SECOND).withDeadline(longer));
    assertThat(stream().start.deadline().orElseThrow().remainingNanos())
        .isEqualTo(longer.toNanos());
    test.call(
        CallOptions.DEFAULT
            .withDeadline(SECOND)
            .withDeadline(Deadline.after(longer, test.loop::nanoTime)));
    assertThat(stream().start.deadline().orElseThrow().remainingNanos())
        .isEqualTo(longer.toNanos());
    test.call(test.within(SECOND).withoutDeadline());
    assertThat(stream().start.deadline()).isEmpty();
  }

  // Calls that are made for others.

  @Test
  void aCallMadeInAHandlerIsCancelledWithTheHandlersCall() {
    test.connected();
    ServedCall served = new ServedCall(Optional.empty());
    TestCall call = served.makes(() -> test.call());
    served.cancel();
    assertThat(call.text())
        .isEqualTo("the call was made by a handler whose own call was cancelled");
    assertThat(served.actions).isEmpty();
  }

  @Test
  void aCallMadeInAHandlerInheritsItsDeadline() {
    test.connected();
    ServedCall served = new ServedCall(Deadline.after(SECOND, test.loop::nanoTime));
    TestCall call = served.makes(() -> test.call());
    assertThat(stream().start.deadline()).isPresent();
    test.advance(SECOND);
    served.cancel();
    assertThat(call.text())
        .isEqualTo("deadline exceeded after 1 s, inherited from the incoming call");
    TestCall sooner = served.makes(() -> test.call(test.within(Duration.ofDays(1))));
    assertThat(sooner.text()).isEqualTo("deadline exceeded before the call was started");
    TestCall without = served.makes(() -> test.call(CallOptions.DEFAULT.withoutDeadline()));
    assertThat(without.text()).isEqualTo("deadline exceeded before the call was started");
  }

  @Test
  void aCallCreatedInAHandlerAndStartedElsewhereIsCancelledWithTheHandlersCall() {
    test.connected();
    ServedCall served = new ServedCall(Optional.empty());
    TestCall made = served.makes(() -> created(CallOptions.DEFAULT));
    made.start();
    assertThat(served.actions).hasSize(1);
    made.call.cancel("enough");
    assertThat(served.actions).isEmpty();
    TestCall detached = served.makes(() -> created(CallOptions.DEFAULT));
    CallContext.runDetached(detached::start);
    assertThat(served.actions).isEmpty();
  }

  @Test
  void aCallMadeInACancelledHandlerEndsAtItsStart() {
    test.connected();
    ServedCall served = new ServedCall(Optional.empty());
    served.cancel();
    assertThat(served.makes(() -> test.call()).text()).contains("was cancelled");
  }

  // A whole response at once.

  @Test
  void aWholeResponseIsDeliveredInItsParts() {
    test.connected();
    TestCall call = test.call();
    stream().answersWhole("answer");
    assertThat(call.heard).containsExactly("headers", "answer", "end");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void theHeadersOfAWholeResponseDoNotWaitForARequest() {
    test.connected();
    TestCall call = created(CallOptions.DEFAULT).start();
    call.call.sendMessage("request");
    stream().answersWhole("answer");
    assertThat(call.heard).containsExactly("headers");
    call.call.request(1);
    assertThat(call.heard).containsExactly("headers", "answer", "end");
  }

  @Test
  void aCancellationOvertakesAWholeResponse() {
    Deque<Runnable> tasks = new ArrayDeque<>();
    test.connected();
    TestCall call = test.call(CallOptions.DEFAULT.withExecutor(tasks::add));
    stream().answersWhole("answer");
    call.call.cancel("enough");
    tasks.forEach(Runnable::run);
    assertThat(call.heard).containsExactly("end");
    assertThat(call.text()).isEqualTo("enough");
  }

  @ParameterizedTest
  @CsvSource({"headers, 1", "answer, 2"})
  void whatACallCancelsInsideAnEventIsNotDelivered(String last, int events) {
    test.connected();
    TestCall call = test.call();
    call.atEach =
        heard -> {
          if (heard.equals(last)) {
            call.call.cancel("enough");
          }
        };
    stream().answersWhole("answer");
    assertThat(call.heard).hasSize(events + 1).last().isEqualTo("end");
    assertThat(call.text()).isEqualTo("enough");
  }

  @Test
  void aListenerThatThrowsForAPartOfAWholeResponseIsTheReasonOfTheEnd() {
    test.connected();
    TestCall call = test.call();
    call.thrownByListener = Optional.of(new IllegalStateException("broken"));
    call.throwsOnce = true;
    stream().answersWhole("answer");
    assertThat(call.heard).containsExactly("headers", "end");
    assertThat(call.status().cause().orElseThrow()).hasMessage("broken");
  }

  // Attempts.

  @Test
  void aCallThatWasNotSentIsTriedUpToSixteenTimesMore() {
    test.connected();
    TestCall call = test.call();
    for (int i = 0; i < 16; i++) {
      assertThat(stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
      assertThat(stream().told).containsExactly("request", "half-close", "flush");
    }
    assertThat(call.isOver()).isFalse();
    assertThat(stream().isNotProcessed(NotProcessed.NOT_SENT)).isFalse();
    assertThat(call.text()).isEqualTo("not processed");
  }

  @Test
  void aCallThatWasRefusedIsTriedOnceMore() {
    test.connected();
    TestCall call = test.call();
    assertThat(stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    assertThat(stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    assertThat(stream().isNotProcessed(NotProcessed.REFUSED)).isFalse();
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @Test
  void afterShutdownNowNothingIsRetried() {
    FakeTransport transport = test.connected();
    TestCall call = test.call();
    FakeStream<?> stream = transport.stream();
    ManagedChannel channel = test.channel();
    transport.streams.clear(); // what the shutdown would end first
    channel.shutdownNow();
    assertThat(stream.isNotProcessed(NotProcessed.NOT_SENT)).isFalse();
    assertThat(call.text()).isEqualTo("not processed");
  }

  @Test
  void commandsForAnAbandonedAttemptGoToTheNext() {
    TestCall call = streaming();
    FakeStream<?> left = stream();
    call.call.sendMessage("one");
    left.isNotProcessed(NotProcessed.REFUSED);
    call.call.sendMessage("two");
    assertThat(stream()).isNotSameAs(left);
    assertThat(stream().told).containsExactly("flush", "one", "flush", "two", "flush");
    left.cancel(Status.ABORTED); // as its loop would, of a cancel on its way
    assertThat(call.status()).isEqualTo(Status.ABORTED);
  }

  @Test
  void anAttemptThatWaitsKeepsItsDeadline() {
    test.connected();
    TestCall call = test.call(test.within(SECOND));
    FakeStream<?> left = stream();
    test.dial().goesAway();
    left.isNotProcessed(NotProcessed.NOT_SENT);
    assertThat(test.channel().pendingCalls()).isOne();
    test.advance(SECOND);
    assertThat(call.text()).contains("waiting for a connection");
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void anAttemptThatFindsNoConnectionEndsTheCall() {
    test.connected();
    TestCall call = test.call();
    FakeStream<?> left = stream();
    test.dial().goesAway();
    left.isNotProcessed(NotProcessed.NOT_SENT);
    test.dial().isRefused();
    assertThat(call.text()).contains("connection refused");
  }

  // What the listener hears.

  @Test
  void headersMessageAndEndOfAResponseAreDelivered() {
    test.connected();
    TestCall call = test.call();
    stream().answersHeaders();
    stream().answersLate("response", MessageEncoding.IDENTITY);
    assertThat(call.call.isResponseCompressed()).isFalse();
    stream().endsWith(Status.OK);
    assertThat(call.heard).containsExactly("headers", "response", "end");
    assertThat(stream().consumedBytes).isEqualTo("response".length());
  }

  /** Otherwise the windows of the stream would close for ever. */
  @Test
  void aResponseThatIsTakenWhileTheRequestIsStillReplayedCounts() {
    TestCall call = test.start(TestChannel.BIDI);
    call.call.request(1);
    call.call.sendMessage("one");
    test.dial().transport.duringSendOfNext = () -> stream().answers("response");
    test.dial().becomesReady();
    assertThat(call.heard).contains("response");
    assertThat(stream().consumedBytes).isEqualTo("response".length());
  }

  @Test
  void aSecondResponseToAUnaryCallIsAFault() {
    test.connected();
    TestCall call = test.call();
    stream().answers("one");
    stream().answers("two");
    assertThat(call.status())
        .hasToString(
            "UNIMPLEMENTED: the server sent more than one response message; this method allows one");
    assertThat(call.heard).containsExactly("one", "end");
  }

  @Test
  void aUnaryCallWithoutAResponseIsAFault() {
    test.connected();
    TestCall call = test.call();
    stream().endsWith(Status.OK);
    assertThat(call.status())
        .hasToString(
            "UNIMPLEMENTED: the server ended the call with OK but sent no response message");
    TestCall failed = test.call();
    stream().endsWith(Status.NOT_FOUND);
    assertThat(failed.status()).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void aStreamMayEndWithoutAMessage() {
    TestCall call = streaming();
    stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aResponseThatCannotBeReadEndsTheCall() {
    test.connected();
    TestCall call = test.call();
    stream().answersLate("unparsable", MessageEncoding.IDENTITY);
    assertThat(call.status())
        .hasToString("INTERNAL: a response message of test.Texts/UNARY cannot be parsed");
    TestCall refused = test.call();
    stream().answersLate("refused", MessageEncoding.IDENTITY);
    assertThat(refused.status()).hasToString("DATA_LOSS: refused");
    TestCall torn = test.call();
    stream().answersLate("no gzip", MessageEncoding.GZIP);
    assertThat(torn.isOver()).isTrue();
    assertThat(torn.call.isResponseCompressed()).isTrue();
  }

  @Test
  void aListenerThatThrowsEndsTheCall() {
    TestCall call = streaming();
    call.call.request(9);
    call.thrownByListener = Optional.of(new IllegalStateException("its fault"));
    stream().becomesReady();
    call.thrownByListener = Optional.empty();
    assertThat(call.status())
        .hasToString(
            "CANCELLED: a listener (of the application or an interceptor) threw an exception");
    assertThat(call.heard).endsWith("ready", "end");
  }

  @Test
  void anExceptionOfAListenerAtTheEndIsThrownToItsExecutor() {
    test.connected();
    List<Runnable> tasks = new ArrayList<>();
    TestCall call = test.call(CallOptions.DEFAULT.withExecutor(tasks::add));
    call.thrownByListener = Optional.of(new IllegalStateException("its fault"));
    stream().endsWith(Status.NOT_FOUND);
    assertThatThrownBy(() -> tasks.removeFirst().run())
        .isInstanceOf(ListenerFailure.class)
        .hasMessage("a listener threw an exception at the end of test.Texts/UNARY");
    assertThat(call.status()).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void afterTheEndNothingIsDeliveredAndAfterAFaultOnlyTheEnd() {
    TestCall call = streaming();
    stream().endsWith(Status.OK);
    stream().answersHeaders();
    assertThat(call.heard).containsExactly("ready", "end");
    List<Runnable> tasks = new ArrayList<>();
    TestCall broken = test.start(TestChannel.BIDI, CallOptions.DEFAULT.withExecutor(tasks::add));
    broken.thrownByListener = Optional.of(new IllegalStateException("its fault"));
    broken.throwsOnce = true;
    stream().events.add(new CallEvent.Headers(new Metadata()));
    tasks.removeFirst().run();
    assertThat(broken.heard).containsExactly("ready", "end");
  }

  @Test
  void serverEventsAreNotDelivered() {
    TestCall call = streaming();
    stream().events.add(new CallEvent.HalfClosed());
    stream().events.flush();
    assertThat(call.heard).containsExactly("ready");
  }

  @Test
  void ifTheExecutorRejectsATaskTheCallEndsOnTheCurrentThread() {
    test.connected();
    List<Runnable> tasks = new ArrayList<>();
    boolean[] full = {false};
    CallOptions options =
        CallOptions.DEFAULT.withExecutor(task -> {
          if (full[0]) {
            throw new RejectedExecutionException("full");
          }
          tasks.add(task);
        });
    TestCall call = test.call(options);
    full[0] = true;
    stream().answers("late");
    assertThat(call.status())
        .hasToString("CANCELLED: the executor of the client's call rejected a task");
    full[0] = false;
    TestCall reading = test.start(TestChannel.BIDI, options);
    tasks.removeFirst().run();
    stream().events.add(CallEvent.Message.parsed("unread", 1));
    full[0] = true;
    reading.thrownByListener = Optional.of(new IllegalStateException("its fault"));
    reading.call.request(1); // which would wake the reader
    assertThat(reading.isOver()).isTrue();
  }

  @Test
  void ifTheDeadlineTimerIsRefusedTheCallEnds() {
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    test.resolver.answer = Optional.empty();
    TestCall call = created(test.within(SECOND));
    assertThatThrownBy(call::start).isInstanceOf(RejectedExecutionException.class);
    assertThat(call.status()).hasToString("INTERNAL: the call cannot be started");
    TestCall unwatched = created(CallOptions.DEFAULT).start();
    assertThat(unwatched.isOver()).isFalse(); // it has no deadline to miss
  }

  @Test
  void ifTheTimerIsRefusedAnAttemptWithoutAStreamEnds() {
    test.connected();
    TestCall call = test.call(test.within(SECOND));
    FakeStream<?> left = stream();
    test.dial().goesAway();
    test.patientCall(); // for which the channel begins to connect
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    left.isNotProcessed(NotProcessed.NOT_SENT);
    assertThat(call.text()).contains("waiting for a connection");
  }

  @Test
  void furtherMessagesOfAServerStreamCanBeRequested() {
    test.connected();
    TestCall call = test.start(TestChannel.method(MethodType.SERVER_STREAMING)).asks("all");
    stream().answers("one");
    stream().answers("two");
    call.call.request(1);
    stream().endsWith(Status.OK);
    assertThat(call.heard).containsExactly("one", "two", "end");
  }
}
