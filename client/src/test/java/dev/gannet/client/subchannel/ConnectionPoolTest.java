package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.FakeTransport;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.tasks.Backoff;
import dev.gannet.transport.ClientTransport;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Calls that wait for a stream, of which one cannot be started. */
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
  private final AdditionalConnection additional =
      new AdditionalConnection(test.settings(), channel.tasks, new Backoff(), subchannel);
  private final ConnectAttempt opened = subchannel.newAttempt(additional);
  private final ConnectionPool pool =
      new ConnectionPool(() -> 1, CallTracker.NONE, pending, additional, System::nanoTime);

  /** Why calls have failed. */
  private final List<Status> failures = new ArrayList<>();

  /** Whether an attempt that is made to fail has neither a stream nor an end yet. */
  private boolean unstarted = true;

  private final List<String> started = new ArrayList<>();

  ConnectionPoolTest() {
    assertThat(pool.with(new FakeTransport(), opened)).isSameAs(pool);
    opened.onMaxConcurrentStreams(0);
  }

  /** An attempt, and what happens when it is to start. */
  private final class Starting implements PendingAttempt {
    private final Runnable then;

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
    public void onConfig() {}

    @Override
    public void onWaited(long sinceNanos) {}

    @Override
    public void startOn(ClientTransport transport, @Nullable CallTracker tracker) {
      then.run();
    }

    @Override
    public boolean failBeforeStart(Status why) {
      failures.add(why);
      return unstarted;
    }

    @Override
    public void drop(Status why) {
      failures.add(why);
    }
  }

  private void waits(Runnable then) {
    Starting attempt = new Starting(then);
    pending.add(attempt, 0);
    assertThat(pool.startPending(attempt)).isTrue();
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
}
