package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCall;
import dev.gannet.api.Dispatch;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls whose executor takes no more end all the same. */
final class RefusingExecutorsTest {
  private final Simulation simulation = new Simulation();
  private final HeldCalls held = new HeldCalls(0);
  private final Closable closable = new Closable();
  private int failures;

  /** Runs tasks on the loop until it is shut down. */
  private final class Closable implements Executor {
    private boolean closed;
    private Throwable fault = new RejectedExecutionException("shut down");

    @Override
    public void execute(Runnable task) {
      if (closed) {
        switch (fault) {
          case Error error -> throw error;
          case RuntimeException exception -> throw exception;
          default -> throw new AssertionError(fault);
        }
      }
      simulation.loop().execute(task);
    }
  }

  private static Stream<Throwable> faults() {
    return Stream.of(
        new RejectedExecutionException("shut down"),
        new IllegalStateException("closed"),
        new OutOfMemoryError("unable to create native thread"));
  }

  private MadeCall callWithAnAnswerThatNobodyAskedFor() {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable));
    simulation.run();
    held.only().answers("a");
    held.only().ends();
    simulation.run();
    assertThat(call.isClosed()).isFalse();
    return call;
  }

  @Test
  void ifItsExecutorRejectsTasksARequestingClientGetsTheRest() {
    MadeCall call = callWithAnAnswerThatNobodyAskedFor();
    closable.closed = true;
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().closes()).isOne();
  }

  @Test
  void ifItsExecutorRejectsTasksAClientIsStillToldTheEnd() {
    MadeCall call = callWithAnAnswerThatNobodyAskedFor();
    closable.closed = true;
    call.call().cancel("enough");
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(call.heard().closes()).isOne();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whateverAnExecutorThrowsIsARefusal(Throwable fault) {
    MadeCall call = callWithAnAnswerThatNobodyAskedFor();
    closable.closed = true;
    closable.fault = fault;
    call.wants(1);
    simulation.run();
    assertThat(call.messages()).containsExactly("a");
    assertThat(call.heard().closes()).isOne();
  }

  @ParameterizedTest
  @MethodSource("faults")
  void otherWaitingCallsStartAlthoughOneIsRejected(Throwable fault) {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall refused =
        MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable));
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    closable.closed = true;
    closable.fault = fault;
    simulation.run();
    assertThat(refused.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(refused.heard().closes()).isOne();
    held.all().getLast().ends(Status.ABORTED);
    simulation.run();
    assertThat(other.status()).isEqualTo(Status.ABORTED);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void otherWaitingCallsFailAlthoughOneIsRejected(Throwable fault) {
    ManagedChannel channel = simulation.channel();
    MadeCall refused =
        MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable));
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    closable.closed = true;
    closable.fault = fault;
    simulation.run();
    assertThat(refused.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(refused.heard().closes()).isOne();
    assertThat(other.code()).isEqualTo(Status.Code.UNAVAILABLE);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void otherWaitingCallsEndWithTheirChannelAlthoughOneIsRejected(Throwable fault) {
    ManagedChannel channel = simulation.channel();
    MadeCall refused =
        MadeCall.start(channel, Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable));
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    closable.closed = true;
    closable.fault = fault;
    channel.shutdownNow();
    simulation.run();
    assertThat(refused.heard().closes()).isOne();
    assertThat(other.heard().closes()).isOne();
    assertThat(channel.isTerminated()).isTrue();
  }

  /** Its end is told where the executor refused, which may be the connection's own thread. */
  private final class FailingAtItsEnd implements ClientCall.Listener<String> {
    @Override
    public void onClose(Status status, Metadata trailers) {
      failures++;
      throw new IllegalStateException("no end is welcome");
    }
  }

  private void startsFailing(ManagedChannel channel) {
    channel
        .newCall(Texts.BIDI, CallOptions.DEFAULT.withExecutor(closable))
        .start(new FailingAtItsEnd());
  }

  @Test
  void aListenerThatThrowsAtItsEndDoesNotAffectOtherCalls() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    MadeCall other = MadeCall.start(channel, Texts.BIDI);
    startsFailing(channel);
    simulation.run();
    closable.closed = true;
    held.all().getLast().ends();
    simulation.run();
    assertThat(failures).isOne();
    assertThat(other.isClosed()).isFalse();
    held.all().getFirst().ends(Status.ABORTED);
    simulation.run();
    assertThat(other.status()).isEqualTo(Status.ABORTED);
  }

  @Test
  void listenersThatThrowAtTheirEndsDoNotKeepTheChannelOpen() {
    simulation.with(Texts.BIDI, held).serve();
    ManagedChannel channel = simulation.channel();
    for (int i = 0; i < 3; i++) {
      startsFailing(channel);
    }
    simulation.run();
    closable.closed = true;
    channel.shutdownNow();
    simulation.run();
    assertThat(failures).isEqualTo(3);
    assertThat(channel.isTerminated()).isTrue();
  }

  @Test
  void aServerCallWhoseExecutorRejectsItsTasksIsEnded() {
    simulation.with(Texts.BIDI, held);
    Simulation.start(simulation.serverBuilder().dispatch(Dispatch.on(closable)));
    ManagedChannel channel = simulation.channel();
    MadeCall call = MadeCall.start(channel, Texts.BIDI).wants(1).says("a");
    simulation.run();
    closable.closed = true;
    held.only().call().request(1);
    simulation.run();
    assertThat(call.code()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    assertThat(call.heard().closes()).isOne();
  }
}
