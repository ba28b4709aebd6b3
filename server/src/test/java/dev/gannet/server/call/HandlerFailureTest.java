package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Deadline;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.MessageEncoding;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of a call whose handler throws, or cannot be heard. */
final class HandlerFailureTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");

  private final Records records = new Records();

  private static final class Records extends Handler {
    private final List<LogRecord> all = new ArrayList<>();
    private boolean broken;

    @Override
    public void publish(LogRecord record) {
      if (broken) {
        throw new IllegalStateException("the disk is full");
      }
      all.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    private String only() {
      assertThat(all).hasSize(1);
      return all.getFirst().getMessage();
    }
  }

  @BeforeEach
  void listen() {
    LOG.setUseParentHandlers(false);
    LOG.setLevel(Level.ALL);
    LOG.addHandler(records);
  }

  @AfterEach
  void stopListening() {
    LOG.removeHandler(records);
    LOG.setLevel(null);
    LOG.setUseParentHandlers(true);
  }

  private static TestCall failingAt(String event, RuntimeException thrown) {
    return TestCall.bidi()
        .at(
            event,
            call -> {
              throw thrown;
            });
  }

  @Test
  void aStatusExceptionEndsTheCallWithItsStatus() {
    TestCall call = failingAt("a", Status.ABORTED.withDescription("no").asException());
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close ABORTED: no");
    assertThat(call.call().isCancelled()).isTrue();
    assertThat(records.all).isEmpty();
  }

  @Test
  void otherExceptionsAreLogged() {
    TestCall call = failingAt("a", new IllegalStateException("a secret"));
    call.comes().hears("a");
    assertThat(call.stream.told)
        .containsExactly(
            "close UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(records.only())
        .isEqualTo(
            "the handler or an interceptor of pkg.Service/Method threw an exception; the client"
                + " gets UNKNOWN");
    assertThat(records.all.getFirst().getLevel()).isEqualTo(Level.WARNING);
    assertThat(records.all.getFirst().getThrown()).hasMessage("a secret");
  }

  @Test
  void aFailureAfterACancellationIsLoggedForDebuggingOnly() {
    TestCall call = failingAt("cancel", new IllegalStateException("closed"));
    call.comes().isCutOff();
    assertThat(records.all.getFirst().getLevel()).isEqualTo(Level.FINE);
    assertThat(call.stream.handlersEnded).isOne();
  }

  private static TestCall withDeadline(TestCall call, long nanosLeft) {
    call.stream.deadline = Optional.of(Deadline.after(Duration.ofNanos(nanosLeft), () -> 0));
    return call;
  }

  private static RuntimeException lateInnerCall() {
    return StatusException.ofCall(
        TestCalls.method(MethodType.UNARY),
        Status.DEADLINE_EXCEEDED,
        new Metadata(),
        new Metadata());
  }

  @Test
  void exceptionsAfterTheDeadlineAreDeadlineExceeded() {
    for (RuntimeException thrown :
        List.of(
            lateInnerCall(),
            new IllegalStateException("interrupted"),
            Status.ABORTED.asException())) {
      TestCall call = withDeadline(failingAt("a", thrown), 0);
      call.comes().hears("a");
      assertThat(call.stream.told)
          .containsExactly(
              "close DEADLINE_EXCEEDED: the handler failed after the deadline had passed");
    }
    assertThat(records.all).hasSize(3).allMatch(it -> it.getLevel().equals(Level.FINE));
  }

  @Test
  void exceptionsBeforeTheDeadlineAreUnknown() {
    TestCall call = withDeadline(failingAt("a", lateInnerCall()), 1);
    call.comes().hears("a");
    assertThat(call.stream.told.getFirst()).startsWith("close UNKNOWN");
  }

  @Test
  void exceptionsAfterTheCancellationAreCancelled() {
    TestCall call = failingAt("cancel", Status.ABORTED.asException());
    call.comes().isCutOff();
    assertThat(call.stream.told)
        .containsExactly("close CANCELLED: the call was cancelled before the handler failed");
    assertThat(records.only()).contains("the call's status is CANCELLED");
  }

  @Test
  void theStatusOfAnInnerCallIsNotPassedToTheClient() {
    StatusException inner =
        StatusException.ofCall(
            TestCalls.method(MethodType.UNARY), Status.NOT_FOUND, new Metadata(), new Metadata());
    TestCall call = failingAt("a", inner);
    call.comes().hears("a");
    assertThat(call.stream.told)
        .containsExactly(
            "close UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(records.only()).contains("its own call of pkg.Service/Method failed");
  }

  @Test
  void aFailureIsSentWithTheTrailersOfTheContext() {
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  it.context().responseTrailers().add(TEXT, "left");
                  throw Status.ABORTED.asException();
                });
    call.comes().hears("a");
    assertThat(call.stream.told.getFirst()).startsWith("close ABORTED").contains("text=left");
  }

  @Test
  void aHandlerThatThrowsInStartCallFails() {
    TestCall call = failingAt("begin", new IllegalStateException("at once"));
    call.comes().hears("a").halfCloses();
    assertThat(call.stream.told)
        .containsExactly(
            "close UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(call.heard).containsExactly("begin");
    call.hasLeft();
    assertThat(call.heard).containsExactly("begin");
  }

  @Test
  void aHandlerThatThrowsInStartCallAfterItHasAnsweredIsNotStartedAgain() {
    TestCall call =
        TestCall.bidi()
            .at(
                "begin",
                it -> {
                  it.close(Status.OK, new Metadata());
                  throw new IllegalStateException("a mistake");
                });
    call.comes().hears("a").halfCloses().hasLeft();
    assertThat(call.heard).containsExactly("begin");
    assertThat(call.stream.told).containsExactly("close OK");
  }

  @Test
  void theExceptionThatAlreadyClosedTheCallCancelsItWhenThrown() {
    Status status = Status.ABORTED.withDescription("both ways");
    List<String> ran = new ArrayList<>();
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  it.context().onCancelled(() -> ran.add("action"));
                  it.close(status, new Metadata());
                  throw status.asException();
                });
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close ABORTED: both ways");
    assertThat(ran).containsExactly("action");
  }

  @Test
  void anExceptionThatClosedTheCallAsAnotherStatusCancelsItWhenThrown() {
    IllegalStateException thrown = new IllegalStateException("a secret");
    List<String> ran = new ArrayList<>();
    TestCall call =
        TestCall.bidi()
            .at(
                "a",
                it -> {
                  it.context().onCancelled(() -> ran.add("action"));
                  ServerCall.closeWith(it, thrown); // as blocking handlers do
                  throw thrown;
                });
    call.comes().hears("a");
    assertThat(call.stream.told)
        .containsExactly(
            "close UNKNOWN: a handler or interceptor threw an exception; the server's log has it");
    assertThat(ran).containsExactly("action");
  }

  private static TestCall closedAndThrown(Status status, RuntimeException thrown) {
    return TestCall.bidi()
        .at(
            "a",
            it -> {
              it.close(status, new Metadata());
              throw thrown;
            })
        .comes()
        .hears("a");
  }

  @Test
  void theLogNamesTheStatusThatAnInterceptorMadeOfAnException() {
    closedAndThrown(Status.INTERNAL, new IllegalStateException("a secret"));
    assertThat(records.only()).endsWith("threw an exception; the client gets INTERNAL");
  }

  @Test
  void anExceptionAfterASuccessIsLoggedAsSuch() {
    TestCall call = closedAndThrown(Status.OK, new IllegalStateException("too late"));
    assertThat(call.stream.told).containsExactly("close OK");
    assertThat(records.only()).endsWith("threw an exception after the call was closed with OK");
  }

  @Test
  void exceptionsAfterAnotherResponseAreIgnored() {
    TestCall call = closedAndThrown(Status.OK, Status.ABORTED.asException());
    assertThat(call.stream.told).containsExactly("close OK");
    assertThat(call.call().isCancelled()).isFalse();
  }

  @Test
  void aRequestThatCannotBeParsedEndsTheCall() {
    TestCall call = TestCall.bidi().comes();
    call.hearsUnread(TestCalls.UNPARSABLE, MessageEncoding.IDENTITY);
    assertThat(call.stream.told)
        .containsExactly("close INTERNAL: the request message cannot be parsed");
  }

  @Test
  void aRequestThatCannotBeDecompressedEndsTheCall() {
    TestCall call = TestCall.bidi().comes();
    call.hearsUnread("no gzip", MessageEncoding.GZIP);
    assertThat(call.stream.told.getFirst()).startsWith("close INTERNAL").contains("decompressed");
  }

  @Test
  void aResponseThatCannotBeWrittenEndsTheCallFromAnyThread() {
    TestCall call = TestCall.bidi().comes();
    call.stream.thrownBySend =
        Optional.of(
            Status.INTERNAL
                .withDescription("unwritable")
                .withCause(new IOException())
                .asException());
    assertThatThrownBy(() -> call.call().sendMessage("a")).isInstanceOf(StatusException.class);
    assertThat(call.stream.told).containsExactly("close INTERNAL: unwritable");
    assertThat(records.only()).contains("cannot be written");
  }

  @Test
  @SuppressWarnings("NullAway") // a mistake of a handler
  void aMissingResponseEndsTheCallFromAnyThread() {
    TestCall call = TestCall.bidi().comes();
    assertThatThrownBy(() -> call.call().sendMessage(null)).isInstanceOf(StatusException.class);
    assertThat(call.stream.told)
        .containsExactly(
            "close INTERNAL: the handler of pkg.Service/Method returned or sent null instead of a"
                + " response message");
  }

  @Test
  void aSecondResponseOfOneEndsTheCallFromAnyThread() {
    TestCall call = TestCall.unary().comes().asks("a");
    call.call().sendMessage("b");
    assertThatThrownBy(() -> call.call().sendMessage("c")).isInstanceOf(StatusException.class);
    assertThat(call.stream.told.getLast()).startsWith("close INTERNAL").contains("more than one");
  }

  @Test
  void insideAnEventAFailedSendEndsTheCallThroughTheHandlersException() {
    TestCall call = TestCall.bidi().at("a", it -> it.sendMessage("b"));
    call.stream.thrownBySend =
        Optional.of(Status.INTERNAL.withDescription("unwritable").asException());
    call.comes().hears("a");
    assertThat(call.stream.told).containsExactly("close INTERNAL: unwritable");
  }

  @Test
  void aFailureDuringAWaitOfTheHandlerFailsTheStream() {
    TestCall call =
        TestCall.bidi()
            .at("ready", it -> it.awaitEvent(() -> false))
            .at(
                "a",
                it -> {
                  throw Status.ABORTED.asException();
                });
    call.comesWith("a");
    assertThat(call.stream.told).containsExactly("fail ABORTED");
    assertThat(call.heard).containsExactly("begin", "ready", "a");
  }

  @Test
  void anExceptionWithStatusOkIsNoSuccess() {
    TestCall call =
        TestCall.bidi()
            .at("ready", it -> it.awaitEvent(() -> false))
            .at(
                "a",
                it -> {
                  throw Status.OK.asException();
                });
    call.comesWith("a");
    assertThat(call.stream.told)
        .containsExactly("fail INTERNAL: the handler threw a StatusException with status OK");
  }

  @Test
  void aHandlerThatWaitsOutsideOfAnEventEndsTheCall() throws InterruptedException {
    TestCall call = TestCall.bidi().comes();
    call.call().awaitEvent(() -> false);
    assertThat(call.stream.told)
        .containsExactly(
            "close INTERNAL: the handler waits for a message of its client on a thread on which none"
                + " can arrive; the server's log says what to change");
    assertThat(records.only()).contains("on the thread on which Gannet called the interceptor");
  }

  @Test
  void aRejectedCallIsLoggedOnceWithItsMethod() {
    TestCall call = TestCall.bidi().comes();
    call.refusing = true;
    call.hears("request");
    call.isCutOff();
    assertThat(records.only())
        .startsWith(
            "the executor rejected a call of "
                + call.call().method().fullMethodName()
                + ", which ends with RESOURCE_EXHAUSTED: ");
  }

  @Test
  void aRejectionThatCannotBeLoggedEndsTheCall() {
    TestCall call = TestCall.bidi().comes();
    call.refusing = true;
    records.broken = true;
    call.hears("request");
    assertThat(call.stream.told.getLast()).startsWith("fail RESOURCE_EXHAUSTED");
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void aRejectionAfterTheResponseEndsNothing() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.refusing = true;
    call.hears("request");
    assertThat(call.stream.told).containsExactly("close OK");
    assertThat(call.stream.handlersEnded).isOne();
    assertThat(records.all).isEmpty();
  }
}
