package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ClientCall;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A sender is told to wait if the peer does not read; the bytes in flight are bounded. */
final class BackPressureTest {
  private static final int MESSAGE_BYTES = 10_000;
  private static final int MAX_MESSAGES = 10_000;

  /** A stream's window, what its sender may queue, the two messages at the edges. */
  private static final int MAX_UNTAKEN_BYTES = (1 << 20) + (64 << 10) + 2 * MESSAGE_BYTES;

  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls(0);
  private ManagedChannel channel = simulation.channel();

  @BeforeEach
  void serve() {
    simulation.with(Texts.BIDI, held).serve();
    channel = simulation.channel();
  }

  /** Sends while it may, letting what was sent arrive each time; returns how many it were. */
  private int sendWhileReady(BooleanSupplier ready, Consumer<String> sender, int from) {
    int sent = from;
    while (ready.getAsBoolean() && sent < MAX_MESSAGES) {
      sender.accept(sent++ + Texts.ofLength(MESSAGE_BYTES));
      simulation.run();
    }
    assertThat(sent).as("it never has to wait").isLessThan(MAX_MESSAGES);
    return sent;
  }

  @Test
  void aServerIsNotReadyIfTheClientDoesNotRead() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    HeldCall served = held.only();
    int sent = sendWhileReady(served.call()::isReady, served::answers, 0);
    assertThat(sent * MESSAGE_BYTES).isLessThan(MAX_UNTAKEN_BYTES);
    assertThat(call.messages()).isEmpty();
    int readies = served.readies();

    call.wants(sent);
    simulation.run();
    assertThat(call.messages()).hasSize(sent);
    assertThat(served.call().isReady()).isTrue();
    assertThat(served.readies()).isGreaterThan(readies);
    assertThat(inOrder(call.messages())).isTrue();
  }

  @Test
  void aCallThatHasEndedIsNotReady() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    assertThat(call.call().isReady()).isTrue();
    held.only().ends(Status.ABORTED);
    simulation.run();
    assertThat(call.call().isReady()).isFalse();
    call.says("too late");
    assertThat(call.call().isReady()).isFalse();
    assertThat(held.only().call().isReady()).isFalse();
  }

  @Test
  void requestingMoreThanMaxIntMessagesDoesNotOverflow() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(Integer.MAX_VALUE).wants(1);
    simulation.run();
    HeldCall served = held.only();
    served.call().request(Integer.MAX_VALUE);
    served.call().request(1);
    call.says("to the server");
    served.answers("to the client");
    simulation.run();
    assertThat(served.messages()).containsExactly("to the server");
    assertThat(call.messages()).containsExactly("to the client");
  }

  @Test
  void aClientIsNotReadyIfTheServerDoesNotRead() {
    MadeCall made = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    ClientCall<String, String> call = made.call();
    int sent = sendWhileReady(call::isReady, call::sendMessage, 0);
    assertThat(sent * MESSAGE_BYTES).isLessThan(MAX_UNTAKEN_BYTES);
    assertThat(held.only().messages()).isEmpty();
    int readies = readiesOf(made);

    held.only().call().request(sent);
    simulation.run();
    assertThat(held.only().messages()).hasSize(sent);
    assertThat(call.isReady()).isTrue();
    assertThat(readiesOf(made)).isGreaterThan(readies);
    assertThat(inOrder(held.only().messages())).isTrue();
  }

  @Test
  void aSlowReaderGetsEverythingInTheEnd() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    HeldCall served = held.only();
    int sent = 0;
    for (int round = 0; round < 20; round++) {
      sent = sendWhileReady(served.call()::isReady, served::answers, sent);
      call.wants(30);
      simulation.run();
      assertThat(call.messages()).hasSize(Math.min(sent, (round + 1) * 30));
    }
    served.ends();
    call.wants(MAX_MESSAGES);
    simulation.run();
    assertThat(call.messages()).hasSize(sent);
    assertThat(inOrder(call.messages())).isTrue();
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void anUnreadStreamDoesNotBlockOtherStreams() {
    MadeCall idle = MadeCall.start(channel, Texts.BIDI);
    simulation.run();
    HeldCall served = held.only();
    sendWhileReady(served.call()::isReady, served::answers, 0);

    MadeCall busy = MadeCall.start(channel, Texts.BIDI).wants(MAX_MESSAGES);
    simulation.run();
    HeldCall busyServed = held.all().getLast();
    for (int i = 0; i < 1000; i++) {
      busyServed.answers(i + Texts.ofLength(MESSAGE_BYTES));
      simulation.run();
    }
    busyServed.ends();
    simulation.run();
    assertThat(busy.messages()).hasSize(1000);
    assertThat(busy.status().isOk()).isTrue();
    assertThat(idle.isClosed()).isFalse();
  }

  @Test
  void manyUnreadStreamsStayWithinTheConnectionsWindow() {
    for (int i = 0; i < 10; i++) {
      MadeCall.start(channel, Texts.BIDI);
    }
    simulation.run();
    int sent = 0;
    for (HeldCall served : held.all()) {
      sent += sendWhileReady(served.call()::isReady, served::answers, 0);
    }
    assertThat(sent).isGreaterThan(0);
    assertThat((long) sent * MESSAGE_BYTES).isLessThan(10L * MAX_UNTAKEN_BYTES);

    MadeCall last = MadeCall.start(channel, Texts.BIDI).wants(1);
    simulation.run();
    held.all().getLast().answers("still heard");
    simulation.run();
    assertThat(last.messages()).containsExactly("still heard");
  }

  @Test
  void bytesOfACancelledStreamAreGivenBackToTheConnection() {
    for (int i = 0; i < 40; i++) {
      MadeCall call = MadeCall.start(channel, Texts.BIDI);
      simulation.run();
      HeldCall served = held.all().getLast();
      sendWhileReady(served.call()::isReady, served::answers, 0);
      sendWhileReady(call.call()::isReady, call.call()::sendMessage, 0);
      call.call().cancel("enough");
      simulation.run();
      assertThat(served.cancels()).isOne();
    }
    MadeCall last = MadeCall.start(channel, Texts.BIDI).wants(1).says("up");
    simulation.run();
    held.all().getLast().call().request(1);
    held.all().getLast().answers("down");
    simulation.run();
    assertThat(last.messages()).containsExactly("down");
    assertThat(held.all().getLast().messages()).containsExactly("up");
    assertThat(simulation.network().connectAttempts()).isOne();
  }

  @Test
  void aSenderWaitsWhenTheWireIsFull() {
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(MAX_MESSAGES);
    simulation.run();
    simulation.network().stall();
    HeldCall served = held.only();
    int sent = sendWhileReady(served.call()::isReady, served::answers, 0);
    assertThat(simulation.network().bytesUnderWay()).isLessThan(400_000);
    assertThat(sent * MESSAGE_BYTES).isLessThan(400_000);

    simulation.network().resume();
    simulation.run();
    assertThat(call.messages()).hasSize(sent);
    assertThat(served.call().isReady()).isTrue();
  }

  private static int readiesOf(MadeCall call) {
    return (int)
        call.heard().events().stream().filter(RecordingClientListener.Event.READY::equals).count();
  }

  private static boolean inOrder(Iterable<String> messages) {
    int next = 0;
    for (String message : messages) {
      if (!message.startsWith(next++ + "m")) {
        return false;
      }
    }
    return true;
  }
}
