package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a policy's tracker hears of an attempt, beside what the attempt itself is told. */
final class TrackedCallListenerTest {
  private final List<String> told = new ArrayList<>();
  private Optional<RetryTarget> next = Optional.empty();

  private final ClientCallEventListener attempt =
      new ClientCallEventListener() {
        @Override
        public void add(CallEvent event) {
          told.add(event.getClass().getSimpleName());
        }

        @Override
        public void flush() {
          told.add("flush");
        }

        @Override
        public boolean isMessageRequested() {
          return true;
        }

        @Override
        public Optional<RetryTarget> onNotProcessed(NotProcessed how, Status why) {
          return next;
        }
      };

  private final CallTracker tracker =
      new CallTracker() {
        @Override
        public void onStarted() {
          told.add("started");
        }

        @Override
        public void onEnded(Status status, Metadata trailers) {
          told.add("ended " + status.code());
        }
      };

  private final TrackedCallListener tracked = new TrackedCallListener(attempt, tracker);

  @Test
  void aBeginningAndAnEndAreToldBeforeTheAttemptHearsOfIt() {
    tracked.begin();
    tracked.add(new CallEvent.Headers(new Metadata()));
    tracked.add(new CallEvent.Closed(Status.NOT_FOUND, new Metadata()));
    tracked.flush();
    assertThat(told).containsExactly("started", "Headers", "ended NOT_FOUND", "Closed", "flush");
  }

  @Test
  void anEndIsToldOnce() {
    tracked.end(Status.CANCELLED);
    tracked.end(Status.OK);
    tracked.add(new CallEvent.Closed(Status.OK, new Metadata()));
    assertThat(told).containsExactly("ended CANCELLED", "Closed");
  }

  @Test
  void anAttemptThatIsLeftForAnotherHasEnded() {
    assertThat(tracked.onNotProcessed(NotProcessed.REFUSED, Status.UNAVAILABLE)).isEmpty();
    assertThat(told).isEmpty();
    next =
        Optional.of(
            new RetryTarget() {
              @Override
              public void send(Consumer<ClientStream<?>> command) {}

              @Override
              public void cancel(Status status) {}
            });
    assertThat(tracked.onNotProcessed(NotProcessed.REFUSED, Status.UNAVAILABLE)).isPresent();
    assertThat(told).containsExactly("ended UNAVAILABLE");
  }

  @Test
  void aTrackerThatThrowsHarmsNoCall() {
    TrackedCallListener bad =
        new TrackedCallListener(
            attempt,
            new CallTracker() {
              @Override
              public void onStarted() {
                throw new IllegalStateException("no start");
              }

              @Override
              public void onEnded(Status status, Metadata trailers) {
                throw new IllegalStateException("no end");
              }
            });
    bad.begin();
    bad.add(new CallEvent.Closed(Status.OK, new Metadata()));
    assertThat(told).containsExactly("Closed");
    assertThat(bad.isTraced()).isFalse();
    assertThat(bad.isMessageRequested()).isTrue();
  }
}
