package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.api.engine.Backoff;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientTransport;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Calls that wait for a stream, of which one cannot be started; and calls that began without a
 * pool.
 */
final class ConnectionPoolTest {
  private final TestChannel test = new TestChannel();
  private final PendingCalls pending = new PendingCalls();
  private final SubchannelOwner channel = new SubchannelOwner(test, pending);
  private final ManagedSubchannel subchannel =
      new ManagedSubchannel(
          test.settings(),
          channel,
          Runnable::run,
          Endpoint.of(TestResolver.address(1)),
          (it, state) -> {},
          CallTracker.NONE);
  private final Pick.Use pick = Pick.use(subchannel);
  private final AdditionalConnection additional =
      new AdditionalConnection(test.settings(), channel.tasks, new Backoff(), subchannel);
  private final SubchannelConnection opened =
      new SubchannelConnection(
          test.settings(),
          subchannel.endpoint(),
          channel.health,
          subchannel,
          subchannel.newAttempt(additional));
  private final ConnectionPool pool =
      new ConnectionPool(() -> 1, CallTracker.NONE, pending, additional, System::nanoTime);

  /** Why calls have failed. */
  private final List<Status> failures = new ArrayList<>();

  /** Whether an attempt that is made to fail has neither a stream nor an end yet. */
  private boolean unstarted = true;

  private final List<String> started = new ArrayList<>();

  ConnectionPoolTest() {
    opened.onOpened(new FakeTransport());
    assertThat(pool.afterAdding(opened)).isSameAs(pool);
    opened.onMaxConcurrentStreams(0);
  }

  /** An attempt, and what happens when it is to start. */
  private final class Starting implements PendingAttempt {
    private final Runnable then;
    private CallTracker tracker = CallTracker.NONE;

    Starting(Runnable then) {
      this.then = then;
    }

    @Override
    public MethodDescriptor<?, ?> method() {
      return TestChannel.UNARY;
    }

    @Override
    public CallOptions options() {
      return CallOptions.DEFAULT;
    }

    @Override
    public Metadata headers() {
      return new Metadata();
    }

    @Override
    public int previousAttempts() {
      return 0;
    }

    @Override
    public boolean hasSeveralMessages() {
      return false;
    }

    @Override
    public boolean hasEnded() {
      return false;
    }

    @Override
    public boolean waitsForReady() {
      return false;
    }

    @Override
    public boolean bindToConfig() {
      return true;
    }

    @Override
    public void onWaited(long sinceNanos) {}

    @Override
    public void startOn(ClientTransport transport, @Nullable CallTracker tracker, Pick.Use pick) {
      this.tracker = Objects.requireNonNull(tracker);
      then.run();
    }

    @Override
    public boolean failBeforeStart(Status why) {
      failures.add(why);
      return unstarted;
    }

    @Override
    public void failForGood(Status why) {
      failures.add(why);
    }
  }

  private void waits(Runnable then) {
    Starting attempt = new Starting(then);
    pending.add(attempt, 0);
    assertThat(pool.startPending(attempt, pick)).isTrue();
  }

  private void fails() {
    throw new IllegalStateException("cannot start");
  }

  @Test
  void aWaitingCallThatCannotStartDoesNotPreventOthers() {
    waits(this::fails);
    waits(() -> started.add("next"));
    opened.onMaxConcurrentStreams(2);
    pool.startWaiting();
    assertThat(started).containsExactly("next");
  }

  @Test
  void aStreamThatIsFreeWhileACallCannotStartIsUsed() {
    waits(() -> {
      opened.onMaxConcurrentStreams(2);
      pool.startWaiting();
      fails();
    });
    waits(() -> started.add("next"));
    opened.onMaxConcurrentStreams(1);
    pool.startWaiting();
    assertThat(started).containsExactly("next");
  }

  @Test
  void aCallThatCannotStartFailsAndGivesItsStreamBack() {
    waits(this::fails);
    waits(() -> started.add("next"));
    opened.onMaxConcurrentStreams(1);
    pool.startWaiting();
    assertThat(failures)
        .singleElement()
        .satisfies(why -> {
          assertThat(why.code()).isEqualTo(Status.Code.INTERNAL);
          assertThat(why.cause()).get().asString().contains("cannot start");
        });
    assertThat(started).containsExactly("next");
  }

  @Test
  void aCallThatThrowsAfterItsStartKeepsItsStream() {
    unstarted = false;
    waits(this::fails);
    waits(() -> started.add("next"));
    opened.onMaxConcurrentStreams(1);
    pool.startWaiting();
    assertThat(started).isEmpty();
    opened.onMaxConcurrentStreams(2);
    pool.startWaiting();
    assertThat(started).containsExactly("next");
  }

  /** An attempt whose events nobody needs. */
  private record Unheard() implements ClientCallEventListener {
    @Override
    public void add(CallEvent event) {}

    @Override
    public void flush() {}

    @Override
    public boolean isMessageRequested() {
      return false;
    }

    @Override
    public Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why) {
      return Optional.empty();
    }
  }

  private boolean hasRoom() {
    return pool.start(new Starting(() -> {}), pick);
  }

  /** The listener of a call that has begun in the pool. */
  private TrackedCallListener begins() {
    Starting attempt = new Starting(() -> {});
    assertThat(pool.start(attempt, pick)).isTrue();
    return Objects.requireNonNull(
        TrackedCallListener.begin(new Unheard(), attempt.tracker, pick.callTracker(), attempt));
  }

  @Test
  void aCallThatBeganWithoutAPoolHasAStreamUntilItsEnd() {
    opened.onMaxConcurrentStreams(1);
    ClientCallEventListener counted = pool.count(opened, new Unheard());
    assertThat(hasRoom()).isFalse();
    counted.add(CallEvent.Closed.atOnce(Status.OK));
    assertThat(hasRoom()).isTrue();
  }

  @Test
  void aCallThatBeganInThePoolIsNotCountedAgain() {
    opened.onMaxConcurrentStreams(2);
    TrackedCallListener begun = begins();
    assertThat(pool.count(opened, begun)).isSameAs(begun);
    assertThat(hasRoom()).isTrue();
    assertThat(hasRoom()).isFalse();
  }

  @Test
  void aCallThatBeganInAnEarlierPoolHasOneListenerMoreAtMost() {
    opened.onMaxConcurrentStreams(1);
    ConnectionPool later =
        new ConnectionPool(() -> 1, CallTracker.NONE, pending, additional, System::nanoTime)
            .afterAdding(opened);
    ClientCallEventListener counted = later.count(opened, begins());
    assertThat(counted)
        .isInstanceOfSatisfying(
            TrackedCallListener.class, it -> assertThat(it.attempt()).isEqualTo(new Unheard()));
    counted.add(CallEvent.Closed.atOnce(Status.OK));
    assertThat(later.start(new Starting(() -> {}), pick)).isTrue();
  }

  @Test
  void aCallOfAConnectionThatHasGoneAwayIsNotCounted() {
    assertThat(pool.afterRemoving(opened)).isSameAs(pool);
    Unheard call = new Unheard();
    assertThat(pool.count(opened, call)).isSameAs(call);
  }
}
