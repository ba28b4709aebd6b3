package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A call that is given up ends at once, at both ends, once. */
@ParameterizedClass
@EnumSource
final class CancellationTest {
  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private ManagedChannel channel;

  CancellationTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
    this.channel = simulation.channel();
  }

  @BeforeEach
  void serve() {
    simulation.with(Texts.BIDI, held).with(Texts.UNARY, held).serve();
    channel = simulation.channel();
  }

  @Test
  void theListenerGetsTextAndCauseOfTheCancellation() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).says("a");
    simulation.run();
    IllegalStateException cause = new IllegalStateException("bored");
    call.call().cancel("no longer wanted", cause);
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: no longer wanted");
    assertThat(call.status().cause()).containsSame(cause);
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().completes()).isZero();
    assertThat(held.only().call().isCancelled()).isTrue();
    assertThat(held.only().call().isReady()).isFalse();
  }

  @Test
  void aUnaryCallIsCancelledWhileItsHandlerRuns() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(held.only().cancels()).isOne();
    held.only().answers("too late");
    held.only().ends();
    simulation.run();
    assertThat(call.heard().closes()).isOne();
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void aCallMayBeCancelledBeforeThereIsAConnection() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    call.call().cancel("at once");
    simulation.run();
    assertThat(call.status()).hasToString("CANCELLED: at once");
    assertThat(call.heard().closes()).isOne();
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aCallCancelledBeforeItsRequestReachesNoHandler() {
    MadeCall first = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    MadeCall call = MadeCall.start(channel, Texts.UNARY);
    call.call().cancel("before its request");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(held.only().messages()).containsExactly("a");
    assertThat(first.isClosed()).isFalse();
  }

  @Test
  void aCallThatIsCancelledBeforeItsStartEndsAtItsStart() {
    ClientCall<String, String> call = channel.newCall(Texts.UNARY, CallOptions.DEFAULT);
    RecordingClientListener<String> listener = new RecordingClientListener<>();
    call.cancel("too early");
    call.cancel("again");
    simulation.run();
    call.start(listener);
    call.request(1);
    call.sendMessage("a");
    simulation.run();
    assertThat(listener.status()).hasToString("CANCELLED: too early");
    assertThat(listener.closes()).isOne();
    assertThat(held.all()).isEmpty();
    channel.shutdown();
    simulation.run();
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void childCallsAreCancelledWithTheirParent() {
    MadeCall parent = MadeCall.whole(channel, Texts.UNARY, "parent");
    simulation.run();
    MadeCall child = madeFor(held.only());
    simulation.run();
    parent.call().cancel("no longer wanted");
    simulation.run();
    assertThat(child.status())
        .hasToString("CANCELLED: the call was made by a handler whose own call was cancelled");
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
    MadeCall late = madeFor(held.all().getFirst());
    simulation.run();
    assertThat(late.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(held.all()).hasSize(2);
  }

  @Test
  void childCallsAreCancelledIfTheHandlerOfTheirParentFails() {
    onHttp2Alone();
    MadeCall parent = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    MadeCall child = madeFor(held.only());
    simulation.run();
    assertThat(child.isClosed()).isFalse();
    parent.says(Texts.UNPARSABLE);
    simulation.run();
    assertThat(parent.code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(child.code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void childCallsExceedTheDeadlineOfTheirParentToo() {
    MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "parent");
    simulation.run();
    MadeCall child = madeFor(held.only());
    simulation.run();
    simulation.advance(Duration.ofSeconds(2));
    assertThat(child.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aChildOfACancelledCallNeedsNoConnection() {
    onHttp2Alone();
    MadeCall parent = MadeCall.whole(channel, Texts.UNARY, "parent");
    simulation.run();
    parent.call().cancel("no longer wanted");
    simulation.run();
    ManagedChannel other = simulation.channel();
    List<MadeCall> made = new ArrayList<>();
    held.only().call().context().run(() -> made.add(MadeCall.whole(other, Texts.UNARY, "child")));
    simulation.run();
    assertThat(made.getFirst().code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(simulation.network().openConnections()).isOne();
  }

  @Test
  void cancellingAParentDoesNotAffectAChildThatHasEnded() {
    MadeCall parent = MadeCall.whole(channel, Texts.UNARY, "parent");
    simulation.run();
    MadeCall child = madeFor(held.only());
    simulation.run();
    held.all().getLast().answers("b");
    held.all().getLast().ends();
    simulation.run();
    parent.call().cancel("no longer wanted");
    simulation.run();
    assertThat(child.status()).isEqualTo(Status.OK);
    assertThat(child.heard().closes()).isOne();
  }

  @Test
  void detachedCallsContinueAfterTheirParentWasCancelled() throws Exception {
    MadeCall parent =
        MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ofSeconds(1)), "parent");
    simulation.run();
    List<MadeCall> made = new ArrayList<>();
    held.only()
        .call()
        .context()
        .call(() -> {
          CallContext.runDetached(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "detached")));
          return made.add(
              CallContext.callDetached(
                  () -> MadeCall.whole(channel, Texts.UNARY, "detached, too")));
        });
    simulation.run();
    simulation.advance(Duration.ofSeconds(2));
    assertThat(parent.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(made).hasSize(2).noneMatch(MadeCall::isClosed);
  }

  @Test
  void childCallsContinueAfterTheirParentWasAnswered() {
    MadeCall parent = MadeCall.whole(channel, Texts.UNARY, "parent");
    simulation.run();
    MadeCall child = madeFor(held.only());
    simulation.run();
    held.all().getFirst().answers("b");
    held.all().getFirst().ends();
    simulation.run();
    assertThat(parent.status()).isEqualTo(Status.OK);
    assertThat(child.isClosed()).isFalse();
    held.all().getLast().answers("c");
    held.all().getLast().ends();
    simulation.run();
    assertThat(child.messages()).containsExactly("c");
  }

  @Test
  void cancellationActionsRunOnceUnlessTheyWereRemoved() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    List<String> ran = new ArrayList<>();
    CallContext context = held.only().call().context();
    context.onCancelled(() -> {
      ran.add("first");
      throw new IllegalStateException("its own fault");
    });
    context.onCancelled(() -> ran.add("taken back")).close();
    context.onCancelled(() -> ran.add("third"));
    assertThat(ran).isEmpty();
    call.call().cancel("no longer wanted");
    simulation.run();
    assertThat(ran).containsExactly("first", "third");
    context.onCancelled(() -> ran.add("late"));
    assertThat(ran).containsExactly("first", "third", "late");
  }

  private MadeCall madeFor(HeldCall served) {
    List<MadeCall> made = new ArrayList<>();
    served.call().context().run(() -> made.add(MadeCall.whole(channel, Texts.UNARY, "child")));
    return made.getFirst();
  }

  @Test
  void messagesAfterCancelAreIgnored() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    call.call().cancel("at once");
    call.says("a", "b").wants(1).halfCloses();
    simulation.run();
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void cancellingTwiceKeepsTheFirstText() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    call.call().cancel("first");
    call.call().cancel("second");
    simulation.run();
    assertThat(call.words()).isEqualTo("first");
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void cancellingAfterTheEndDoesNothing() {
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    held.only().answers("b");
    held.only().ends();
    simulation.run();
    call.call().cancel("too late");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isZero();
  }

  @Test
  void cancellingDropsMessagesThatWereNotRequested() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().answers("a", "b");
    simulation.run();
    call.call().cancel("enough");
    call.wants(10);
    simulation.run();
    assertThat(call.messages()).isEmpty();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
  }

  @Test
  void cancellingEndsACallWhoseEndIsUnread() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.messages()).isEmpty();
    assertThat(call.status()).hasToString("CANCELLED: enough");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void cancellingDoesNothingAfterTheEndWasDelivered() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1);
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.run();
    call.call().cancel("too late");
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.code()).isEqualTo(Status.Code.OK);
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void aListenerThatThrowsCancelsItsCall() {
    ClientCall<String, String> call = channel.newCall(Texts.BIDI, CallOptions.DEFAULT);
    ThrowingListener listener = new ThrowingListener();
    call.start(listener);
    call.request(5);
    simulation.run();
    held.only().answers("a", "b");
    simulation.run();
    assertThat(listener.ends).isOne();
    assertThat(listener.messages).isOne();
    assertThat(listener.status.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(listener.status.cause()).containsInstanceOf(IllegalStateException.class);
    assertThat(held.only().cancels()).isOne();
  }

  @Test
  void aLostConnectionEndsItsCallsAtBothEnds() {
    onHttp2Alone();
    MadeCall streaming = MadeCall.start(channel, Texts.BIDI);
    MadeCall unary = MadeCall.whole(channel, Texts.UNARY, "a");
    simulation.run();
    simulation.network().cutAll("the cable was cut");
    simulation.run();
    assertThat(streaming.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(streaming.words()).contains("the cable was cut");
    assertThat(unary.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
    assertThat(simulation.network().openConnections()).isZero();
  }

  @Test
  void messagesQueuedWhenTheConnectionIsLostAreReleased() {
    onHttp2Alone();
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    simulation.network().stall();
    call.says(Texts.ofLength(3_000_000));
    held.only().answers(Texts.ofLength(3_000_000));
    simulation.run();
    simulation.network().cutAll("the cable was cut");
    simulation.network().resume();
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(held.only().cancels()).isOne();
    assertThat(simulation.network().bytesUnderWay()).isZero();
  }

  /** Breaks at its first message. */
  private static final class ThrowingListener implements ClientCall.Listener<String> {
    private int messages;
    private int ends;
    private Status status = Status.OK;

    @Override
    public void onMessage(String message) {
      messages++;
      throw new IllegalStateException("broken");
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      ends++;
      this.status = status;
    }
  }

  /** For what a network does, or bytes have. */
  private void onHttp2Alone() {
    assumeTrue(medium == Medium.HTTP2);
  }

  @Test
  void theHandlerSeesWhyItsCallWasCancelled() {
    MadeCall cancelled = MadeCall.start(channel, Texts.BIDI);
    MadeCall late = MadeCall.start(channel, Texts.BIDI, simulation.within(Duration.ofSeconds(1)));
    MadeCall open = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    cancelled.call().cancel("no longer wanted");
    simulation.run();
    simulation.advance(Duration.ofSeconds(1));
    List<Optional<Status.Code>> why =
        held.all().stream()
            .map(it -> it.call().context().cancellation().map(Status::code))
            .toList();
    assertThat(why)
        .containsExactly(
            Optional.of(Status.Code.CANCELLED),
            Optional.of(Status.Code.DEADLINE_EXCEEDED),
            Optional.empty());
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(open.isClosed()).isFalse();
  }
}
