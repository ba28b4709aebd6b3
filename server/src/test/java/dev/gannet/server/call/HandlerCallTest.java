package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallContext;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.protocol.ArraySource;
import dev.gannet.protocol.MessageEncoding;
import dev.gannet.protocol.MessageFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rules by which a handler speaks, and what it can ask its call. */
final class HandlerCallTest {
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void speakAgain() {
    LOG.setLevel(null);
  }

  private static TestCall unary() {
    return TestCall.unary().comes().asks("request");
  }

  @Test
  void aUnaryResponseIsFlushedByItsEnd() {
    TestCall call = unary();
    call.call().sendHeaders(new Metadata());
    call.call().sendMessage("response");
    call.closes(Status.OK);
    assertThat(call.stream.told).containsExactly("headers", "response", "close OK");
  }

  @Test
  void eachMessageOfAStreamIsFlushed() {
    TestCall call = TestCall.bidi().comes();
    call.call().sendHeaders(new Metadata());
    call.call().sendMessage("a");
    call.closes(Status.OK);
    assertThat(call.stream.told).containsExactly("headers", "flush", "a", "flush", "close OK");
  }

  @Test
  void headersAfterTheEndAreNotSent() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.call().sendHeaders(new Metadata());
    assertThat(call.stream.told).containsExactly("close OK");
    assertThat(call.call().hasSentHeaders()).isFalse();
  }

  @Test
  void headersAreSentOnceAndBeforeMessages() {
    TestCall call = TestCall.bidi().comes();
    call.call().sendMessage("a");
    assertThatThrownBy(() -> call.call().sendHeaders(new Metadata()))
        .isInstanceOf(IllegalStateException.class);
    TestCall other = TestCall.bidi().comes();
    other.call().sendHeaders(new Metadata());
    assertThatThrownBy(() -> other.call().sendHeaders(new Metadata()))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aSecondResponseOfAUnaryMethodIsAFault() {
    TestCall call = unary();
    call.call().sendMessage("a");
    assertThatThrownBy(() -> call.call().sendMessage("b"))
        .isInstanceOf(StatusException.class)
        .hasMessageContaining("more than one response message");
  }

  @Test
  @SuppressWarnings("NullAway") // what a handler without its checks may do
  void aNullResponseIsRefused() {
    TestCall call = unary();
    assertThatThrownBy(() -> call.call().sendMessage(null))
        .hasMessageContaining("returned or sent null instead of a response message");
  }

  @Test
  void okWithoutAResponseIsAFault() {
    TestCall call = unary();
    call.closes(Status.OK);
    assertThat(call.stream.told)
        .containsExactly(
            "close INTERNAL: the handler ended the call with OK and without a response");
    TestCall failing = unary();
    failing.closes(Status.NOT_FOUND);
    assertThat(failing.stream.told).containsExactly("close NOT_FOUND");
    TestCall stream = TestCall.bidi().comes();
    stream.closes(Status.OK);
    assertThat(stream.stream.told).containsExactly("close OK");
  }

  @Test
  void onlyTheFirstCloseHasAnEffect() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.closes(Status.ABORTED);
    call.call().sendMessage("too late");
    assertThat(call.stream.told).containsExactly("close OK");
    assertThat(call.call().isReady()).isFalse();
    assertThat(call.call().isCancelled()).isFalse();
  }

  @Test
  void nothingIsSentOnACancelledCall() {
    TestCall call = TestCall.bidi().comes();
    assertThat(call.call().isReady()).isTrue();
    call.isCutOff();
    call.call().sendMessage("too late");
    assertThat(call.stream.told).isEmpty();
    assertThat(call.call().isReady()).isFalse();
    assertThat(call.call().isCancelled()).isTrue();
  }

  @Test
  void aCallIsReadyIfItsStreamIs() {
    TestCall call = TestCall.bidi().comes();
    call.stream.ready = false;
    assertThat(call.call().isReady()).isFalse();
  }

  @Test
  void outputAfterTheResponseIsIgnored() {
    TestCall call = TestCall.bidi().comes();
    call.closes(Status.OK);
    call.hears("a").halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready");
    assertThat(call.stream.consumedBytes).isOne();
  }

  @Test
  void requestingZeroMessagesIsRefused() {
    TestCall call = TestCall.bidi().comes();
    assertThatThrownBy(() -> call.call().request(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aUnaryRequestWithoutAMessageIsAnsweredForTheHandler() {
    TestCall call = TestCall.unary().comes().halfCloses();
    assertThat(call.heard).containsExactly("begin", "ready");
    assertThat(call.stream.told)
        .containsExactly(
            "close UNIMPLEMENTED: the client half-closed without a request message;"
                + " this method needs one");
  }

  @Test
  void aCloseRejectedByTheLoopStillFreesTheSlot() {
    TestCall call = TestCall.bidi().comes();
    call.stream.thrownByClose = Optional.of(new RejectedExecutionException("no memory"));
    call.closes(Status.OK);
    assertThat(call.stream.handlersEnded).isOne();
  }

  @Test
  void responsesAreCompressedIfTheClientAcceptsIt() {
    TestCall call = TestCall.bidi().comes();
    call.stream.readsGzip = true;
    call.call().setCompression("gzip");
    call.call().sendHeaders(new Metadata());
    call.call().sendMessage("a");
    call.call().setMessageCompression(false);
    call.call().sendMessage("b");
    assertThat(call.stream.told)
        .containsExactly("headers gzip", "flush", "a in gzip", "flush", "b", "flush");
  }

  @Test
  void otherResponsesAreNotCompressed() {
    TestCall call = TestCall.bidi().comes();
    call.call().setCompression("gzip");
    call.call().setCompression("identity");
    call.call().sendMessage("a");
    assertThat(call.stream.told).containsExactly("a", "flush");
    assertThatThrownBy(() -> call.call().setCompression("gzip"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> call.call().setCompression("lzma"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHandlerSeesWhetherTheRequestWasCompressed() {
    TestCall call = TestCall.bidi().comes().hears("a");
    assertThat(call.call().context().isRequestCompressed()).isFalse();
    ByteBuffer frame =
        MessageFrame.compressed(
            MessageFrame.frame(
                TestCalls.method(MethodType.UNARY).requestMarshaller(), "zipped", ArraySource.HEAP),
            MessageEncoding.GZIP);
    frame.position(MessageFrame.PREFIX_BYTES);
    call.hearsUnread(frame.slice(), MessageEncoding.GZIP);
    assertThat(call.heard).endsWith("zipped");
    assertThat(call.call().context().isRequestCompressed()).isTrue();
  }

  @Test
  void theContextDescribesTheCall() {
    TestCall call = TestCall.bidi().comes();
    CallContext context = call.call().context();
    assertThat(context.authority()).isEqualTo("server");
    assertThat(context.deadline()).isEmpty();
    assertThat(context.peer()).hasToString("client/<unresolved>:1");
    assertThat(context.sslSession()).isEmpty();
    assertThat(context.requestHeaders()).isSameAs(call.stream.headers);
    assertThat(context.method().fullMethodName()).isEqualTo("pkg.Service/Method");
    assertThat(context.hasResponseHeaders()).isFalse();
    assertThat(context.responseHeaders()).isSameAs(context.responseHeaders());
    assertThat(context.hasResponseHeaders()).isFalse();
    context.responseHeaders().add(Metadata.Key.ascii("left"), "here");
    assertThat(context.hasResponseHeaders()).isTrue();
    assertThat(context.responseTrailers()).isSameAs(context.responseTrailers());
  }

  @Test
  void aCallThatIsClosedWithAStatusAloneSendsTheTrailersOfItsContext() {
    TestCall call = TestCall.bidi().comes();
    call.call().context().responseTrailers().add(Metadata.Key.ascii("left"), "here");
    call.call().close(Status.ABORTED);
    assertThat(call.stream.trailers.get(Metadata.Key.ascii("left"))).hasValue("here");
    TestCall without = TestCall.bidi().comes();
    without.call().close(Status.OK);
    assertThat(without.stream.told).last().isEqualTo("close " + Status.OK);
    without.call().close(Status.ABORTED);
    assertThat(without.stream.told).last().isEqualTo("close " + Status.OK);
  }

  @Test
  void theCallIsTheCurrentContextDuringItsEvents() {
    List<Object> current = new ArrayList<>();
    TestCall call =
        TestCall.unary().at("request", it -> current.add(CallContext.current().orElseThrow()));
    call.comes().asks("request");
    assertThat(current).containsExactly(call.call().context());
    assertThat(CallContext.current()).isEmpty();
  }

  @Test
  void aNewValueOfAKeyReplacesTheEarlierOne() {
    CallContext.Key<String> user = CallContext.Key.of("user");
    CallContext.Key<String> other = CallContext.Key.of("other");
    CallContext context = TestCall.bidi().comes().call().context();
    assertThat(context.value(user)).isEmpty();
    context.setValue(user, "a");
    context.setValue(other, "x");
    context.setValue(user, "b");
    assertThat(context.value(user)).hasValue("b");
    assertThat(context.value(other)).hasValue("x");
    assertThat(context.value(CallContext.Key.of("user"))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(MethodType.class)
  void aCallWhoseResponseCouldNotBeSentDoesNotEndWithOk(MethodType type) {
    TestCall call = TestCall.of(type);
    Status tooLong = Status.RESOURCE_EXHAUSTED.withDescription("too long");
    call.stream.thrownBySend = Optional.of(tooLong.asException());
    call.at(
        "half-close",
        its -> {
          assertThatThrownBy(() -> its.sendMessage("x")).isInstanceOf(StatusException.class);
          its.close(Status.OK, new Metadata());
        });
    call.comes();
    call.asks("q");
    assertThat(call.stream.told).containsExactly("close RESOURCE_EXHAUSTED: too long");
  }
}
