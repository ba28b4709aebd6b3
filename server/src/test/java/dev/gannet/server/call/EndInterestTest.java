package dev.gannet.server.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ForwardingServerCallListener;
import dev.gannet.api.ServerCall;
import dev.gannet.api.Status;
import dev.gannet.transport.CallEvent;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nobody is woken to hear that an answer has left unless the listener does something then. */
final class EndInterestTest {
  private static class Deaf implements ServerCall.Listener<String> {}

  private static class Hearing extends Deaf {
    @Override
    public void onComplete() {}
  }

  private static final class Heir extends Hearing {}

  @Test
  void aListenerIsInterestedIfItsClassOverridesTheEvent() {
    assertThat(EndInterest.of(new Deaf())).isFalse();
    assertThat(EndInterest.of(new Hearing())).isTrue();
    assertThat(EndInterest.of(new Heir())).isTrue();
  }

  private static class Passing extends ForwardingServerCallListener<String> {
    Passing(ServerCall.Listener<String> delegate) {
      super(delegate);
    }
  }

  private static final class PassingAndHearing extends Passing {
    PassingAndHearing(ServerCall.Listener<String> delegate) {
      super(delegate);
    }

    @Override
    public void onComplete() {
      super.onComplete();
    }
  }

  @Test
  void aForwardingListenerIsInterestedIfItsDelegateIs() {
    assertThat(EndInterest.of(new Passing(new Passing(new Deaf())))).isFalse();
    assertThat(EndInterest.of(new Passing(new Passing(new Hearing())))).isTrue();
  }

  @Test
  void aForwardingListenerIsInterestedIfItOverridesTheEvent() {
    assertThat(EndInterest.of(new Passing(new PassingAndHearing(new Deaf())))).isTrue();
  }

  @Test
  void aListenerWithoutInterestIsNotWoken() {
    AtomicInteger tasks = new AtomicInteger();
    Executor counting =
        task -> {
          tasks.incrementAndGet();
          task.run();
        };
    IncomingCall<String, String> call = TestCalls.beginningWith(() -> {}, new OnExecutor(counting));
    call.flush();
    call.add(CallEvent.Closed.atOnce(Status.OK));
    call.flush();
    assertThat(tasks).hasValue(1);
  }
}
