package dev.gannet.suites;

import static dev.gannet.suites.RecordingClientListener.Event.CLOSE;
import static dev.gannet.suites.RecordingClientListener.Event.HEADERS;
import static dev.gannet.suites.RecordingClientListener.Event.MESSAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import dev.gannet.server.Server;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said at one end is heard at the other: four kinds of calls, messages, metadata. */
@ParameterizedClass
@EnumSource
final class CallsTest {
  private static final Metadata.Key<String> TEXT = Metadata.Key.ascii("text");
  private static final Metadata.Key<byte[]> BYTES = Metadata.Key.binary("bytes-bin");

  /** For calls whose server begins only after them. */
  private static final CallOptions PATIENT = CallOptions.DEFAULT.withWaitForReady(true);

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();

  CallsTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private ManagedChannel serving(MethodDescriptor<String, String> method, HeldCalls handler) {
    simulation.with(method, handler).serve();
    return simulation.channel();
  }

  @Test
  void aUnaryCallHasOneRequestAndOneResponse() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "question");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("question");
    assertThat(held.only().halfCloses()).isOne();

    held.only().answers("answer");
    held.only().ends();
    simulation.run();

    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().events()).endsWith(HEADERS, MESSAGE, CLOSE);
    assertThat(held.only().completes()).isOne();
    assertThat(held.only().cancels()).isZero();
  }

  @Test
  void messagesOfAClientStreamKeepTheirOrder() {
    ManagedChannel channel = serving(Texts.CLIENT_STREAMING, held);
    MadeCall call = MadeCall.start(channel, Texts.CLIENT_STREAMING).wants(1).says("a", "b");
    simulation.run();
    assertThat(held.only().messages()).containsExactly("a", "b");
    assertThat(held.only().halfCloses()).isZero();

    call.says("c").halfCloses();
    simulation.run();
    held.only().answers("abc");
    held.only().ends();
    simulation.run();

    assertThat(held.only().messages()).containsExactly("a", "b", "c");
    assertThat(held.only().halfCloses()).isOne();
    assertThat(call.messages()).containsExactly("abc");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void messagesOfAServerStreamKeepTheirOrder() {
    ManagedChannel channel = serving(Texts.SERVER_STREAMING, held);
    MadeCall call = MadeCall.whole(channel, Texts.SERVER_STREAMING, "abc");
    simulation.run();
    held.only().answers("a", "b");
    simulation.run();
    assertThat(call.messages()).containsExactly("a", "b");
    assertThat(call.isClosed()).isFalse();

    held.only().answers("c");
    held.only().ends();
    simulation.run();

    assertThat(call.messages()).containsExactly("a", "b", "c");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void bothSidesCanAlternate() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(100);
    simulation.run();
    for (int turn = 0; turn < 10; turn++) {
      call.says("ping " + turn);
      simulation.run();
      assertThat(held.only().messages()).hasSize(turn + 1).endsWith("ping " + turn);
      held.only().answers("pong " + turn);
      simulation.run();
      assertThat(call.messages()).hasSize(turn + 1).endsWith("pong " + turn);
    }
    call.halfCloses();
    simulation.run();
    held.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aServerMayAnswerWithoutWaitingForTheEndOfTheRequests() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says("first");
    simulation.run();
    held.only().answers("enough");
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("enough");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(held.only().completes()).isOne();

    call.says("too late").halfCloses();
    simulation.run();
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().messages()).containsExactly("first");
  }

  @Test
  void emptyMessagesAreMessages() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "", "", "");
    simulation.run();
    held.only().answers("", "");
    held.only().ends();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("", "", "");
    assertThat(call.messages()).containsExactly("", "");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aStreamMayHaveNoMessagesAtAll() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI);
    simulation.run();
    assertThat(held.only().halfCloses()).isOne();
    held.only().ends();
    simulation.run();
    assertThat(call.messages()).isEmpty();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 16_379, 16_380, 65_530, 65_536, 1_048_571, 1_048_576, 4_194_304})
  void messagesOfAllLengthsArriveWhole(int length) {
    ManagedChannel channel = serving(Texts.BIDI, held);
    String message = Texts.ofLength(length);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, message, "end");
    simulation.run();
    held.only().answers(message, "end");
    held.only().ends();
    simulation.run();
    assertThat(held.only().messages().equals(List.of(message, "end"))).isTrue();
    assertThat(call.messages().equals(List.of(message, "end"))).isTrue();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void messagesArriveOnlyAsTheyAreRequested() {
    HeldCalls reluctant = new HeldCalls(0);
    ManagedChannel channel = serving(Texts.BIDI, reluctant);
    MadeCall call = MadeCall.start(channel, Texts.BIDI).says("a", "b", "c").halfCloses();
    simulation.run();
    assertThat(reluctant.only().messages()).isEmpty();
    reluctant.only().call().request(2);
    simulation.run();
    assertThat(reluctant.only().messages()).containsExactly("a", "b");
    assertThat(reluctant.only().halfCloses()).isZero();
    reluctant.only().call().request(1);
    simulation.run();
    assertThat(reluctant.only().halfCloses()).isOne();

    reluctant.only().answers("x", "y");
    reluctant.only().ends();
    simulation.run();
    assertThat(call.messages()).isEmpty();
    assertThat(call.isClosed()).isFalse();
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("x");
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("x", "y");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void metadataIsSentInBothDirections() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    MadeCall call =
        MadeCall.start(channel, Texts.UNARY, CallOptions.DEFAULT, metadata("request"))
            .wants(1)
            .says("")
            .halfCloses();
    simulation.run();
    assertMetadata(held.only().headers(), "request");

    held.only().call().sendHeaders(metadata("response"));
    held.only().answers("");
    held.only().call().close(Status.OK, metadata("end"));
    simulation.run();
    assertMetadata(call.heard().headers().orElseThrow(), "response");
    assertMetadata(call.heard().trailers(), "end");
  }

  @Test
  void headersAreSentOnceAndBeforeMessages() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI);
    simulation.run();
    held.only().call().sendHeaders(metadata("response"));
    assertThatThrownBy(() -> held.only().call().sendHeaders(metadata("second")))
        .isInstanceOf(IllegalStateException.class);
    held.only().answers("a");
    assertThatThrownBy(() -> held.only().call().sendHeaders(metadata("third")))
        .isInstanceOf(IllegalStateException.class);
    held.only().ends();
    simulation.run();
    assertMetadata(call.heard().headers().orElseThrow(), "response");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void closingWithANullStatusIsRefused() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI);
    simulation.run();
    assertThatThrownBy(() -> held.only().ends(nothing())).isInstanceOf(NullPointerException.class);
    held.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @SuppressWarnings("NullAway") // what a caller without its checks may do
  private static Status nothing() {
    return null;
  }

  @Test
  void metadataOfTheOptionsIsSentToo() {
    ManagedChannel channel = serving(Texts.UNARY, held);
    CallOptions options = CallOptions.DEFAULT.withMetadata(metadata("options"));
    MadeCall.whole(channel, Texts.UNARY, options, "");
    simulation.run();
    assertMetadata(held.only().headers(), "options");
  }

  @Test
  void aStatusWithoutHeadersOrMessagesIsSentAsTrailersOnly() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI);
    simulation.run();
    held.only()
        .call()
        .close(Status.NOT_FOUND.withDescription("nöthing 100%\n here"), metadata("end"));
    simulation.run();
    assertThat(call.heard().headers()).isEmpty();
    assertThat(call.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(call.words()).isEqualTo("nöthing 100%\n here");
    assertMetadata(call.heard().trailers(), "end");
  }

  @Test
  void headersOfAStreamLeaveBeforeItsFirstMessage() {
    ManagedChannel channel = serving(Texts.BIDI, held);
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().call().sendHeaders(metadata("early"));
    simulation.run();
    assertMetadata(call.heard().headers().orElseThrow(), "early");
  }

  @Test
  void aUnaryHandlerStartsWhenItsRequestIsWhole() {
    onHttp2Alone();
    ManagedChannel channel = serving(Texts.UNARY, held);
    MethodDescriptor<String, String> streamed = Texts.asIf(MethodType.BIDI_STREAMING, Texts.UNARY);
    MadeCall call = MadeCall.start(channel, streamed).says("first half");
    simulation.run();
    assertThat(held.all()).isEmpty();
    call.halfCloses();
    simulation.network().stall();
    simulation.run();
    assertThat(held.all()).isEmpty();
    simulation.network().resume();
    simulation.run();
    assertThat(held.only().messages()).containsExactly("first half");
  }

  @Test
  void aCallThatAClosingConnectionDoesNotCarryMovesToAnother() {
    Server closing = simulation.with(Texts.UNARY, BlockingHandlers.unary(it -> it + it)).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall.whole(channel, Texts.UNARY, "first");
    simulation.run();
    closing.shutdown(); // which some channels do not know yet
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, PATIENT, "second");
    simulation.serve();
    simulation.advance(Duration.ofSeconds(5));
    assertThat(call.messages()).containsExactly("secondsecond");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aStreamMovesToAnotherConnectionWithAllThatIsSent() {
    Server closing = simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    closing.shutdown();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, PATIENT).wants(9).says("early");
    simulation.serve();
    simulation.advance(Duration.ofSeconds(5));
    call.says("late").halfCloses();
    simulation.run();
    HeldCall moved = held.all().getLast();
    assertThat(moved.messages()).containsExactly("early", "late");
    assertThat(moved.halfCloses()).isOne();
    moved.answers("answer");
    moved.ends();
    simulation.run();
    assertThat(call.messages()).containsExactly("answer");
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aStreamingHandlerStartsWithTheHeaders() {
    ManagedChannel channel = serving(Texts.CLIENT_STREAMING, held);
    MadeCall.start(channel, Texts.CLIENT_STREAMING);
    simulation.run();
    assertThat(held.only().messages()).isEmpty();
    assertThat(held.only().readies()).isOne();
  }

  @Test
  void plainMethodsServeCalls() {
    AtomicInteger runs = new AtomicInteger();
    simulation.with(
        Texts.UNARY,
        BlockingHandlers.unary(request -> request + " heard " + runs.incrementAndGet()));
    Simulation.start(simulation.serverBuilder().dispatch(Dispatch.inline()));
    ManagedChannel channel = simulation.channelBuilder().directExecutor().build();
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "one");
    MadeCall second = MadeCall.whole(channel, Texts.UNARY, "two");
    simulation.run();
    assertThat(first.messages()).containsExactly("one heard 1");
    assertThat(second.messages()).containsExactly("two heard 2");
    assertThat(first.status()).isEqualTo(Status.OK);
  }

  @Test
  void manyCallsShareOneConnection() {
    onHttp2Alone();
    ManagedChannel channel = serving(Texts.UNARY, held);
    for (int i = 0; i < 50; i++) {
      MadeCall.whole(channel, Texts.UNARY, "call " + i);
    }
    simulation.run();
    assertThat(held.all()).hasSize(50);
    assertThat(simulation.network().openConnections()).isOne();
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  private static Metadata metadata(String value) {
    Metadata metadata = new Metadata();
    metadata.add(TEXT, value);
    metadata.add(TEXT, value + ", again");
    metadata.add(BYTES, new byte[] {0, -1, 127, 44, 61});
    metadata.add(BYTES, new byte[0]);
    return metadata;
  }

  private static void assertMetadata(Metadata metadata, String value) {
    assertThat(metadata.getAll(TEXT)).containsExactly(value, value + ", again");
    assertThat(metadata.getAll(BYTES))
        .containsExactly(new byte[] {0, -1, 127, 44, 61}, new byte[0]);
  }

  @Test
  void aServerThatAnswersEarlyIsStillToldTheEnd() {
    HeldCalls once = new HeldCalls(1);
    ManagedChannel channel = serving(Texts.BIDI, once);
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, "a", "b", "c");
    simulation.run();
    assertThat(once.only().messages()).containsExactly("a");
    once.only().ends();
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(once.only().completes()).isOne();
    assertThat(once.only().messages()).containsExactly("a");
  }

  /** For what a network does, or bytes have. */
  private void onHttp2Alone() {
    assumeTrue(medium == Medium.HTTP2);
  }
}
