package dev.gannet.client.subchannel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.Nulls;
import dev.gannet.client.TestChannel;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.transport.CallEvent;
import dev.gannet.transport.ClientCallEventListener;
import dev.gannet.transport.ClientStream;
import dev.gannet.transport.NotProcessed;
import dev.gannet.transport.RetryTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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

  private record AnyCall() implements PickArgs {
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
  }

  private @Nullable TrackedCallListener begin(CallTracker tracker) {
    return TrackedCallListener.begin(attempt, tracker, new AnyCall());
  }

  private TrackedCallListener tracked() {
    return Objects.requireNonNull(
        begin(call -> {
          told.add("started " + call.method().fullMethodName());
          return (status, trailers) -> told.add("ended " + status.code());
        }));
  }

  @Test
  void startAndEndAreReportedBeforeTheAttemptGetsThem() {
    TrackedCallListener tracked = tracked();
    tracked.add(new CallEvent.Headers(new Metadata()));
    tracked.add(CallEvent.Closed.received(Status.NOT_FOUND, new Metadata()));
    tracked.flush();
    assertThat(told)
        .containsExactly(
            "started test.Texts/UNARY", "Headers", "ended NOT_FOUND", "Closed", "flush");
  }

  @Test
  void theEndIsReportedOnce() {
    TrackedCallListener tracked = tracked();
    told.clear();
    tracked.end(Status.CANCELLED);
    tracked.end(Status.OK);
    tracked.add(CallEvent.Closed.received(Status.OK, new Metadata()));
    assertThat(told).containsExactly("ended CANCELLED", "Closed");
  }

  @Test
  void anAttemptReplacedByAnotherIsReportedAsEnded() {
    TrackedCallListener tracked = tracked();
    told.clear();
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
  void withoutATrackedCallThereIsNoListener() {
    assertThat(begin(CallTracker.NONE)).isNull();
    assertThat(begin(call -> TrackedCall.NONE)).isNull();
  }

  @Test
  void aTrackerThatThrowsDoesNotAffectTheCall() {
    TrackedCallListener bad =
        Objects.requireNonNull(
            begin(call ->
                (status, trailers) -> {
                  throw new IllegalStateException("no end");
                }));
    bad.add(CallEvent.Closed.received(Status.OK, new Metadata()));
    assertThat(told).containsExactly("Closed");
    assertThat(bad.isTraced()).isFalse();
    assertThat(bad.isMessageRequested()).isTrue();
  }

  @Test
  void aTrackerThatCannotStartIsNotNotifiedOfTheEnd() {
    assertThat(
            begin(call -> {
              throw new IllegalStateException("no start");
            }))
        .isNull();
    assertThat(begin(call -> Nulls.none())).isNull();
  }
}
