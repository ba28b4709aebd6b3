package dev.gannet.client.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.FakeStream;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.OutlierDetectionSettings;
import dev.gannet.transport.NotProcessed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Calls keep all their rules where tracers watch them and a policy counts them; and each tracer
 * hears of one end.
 */
final class TracedCallTest extends OutgoingCallTest {
  private final List<Ends> tracers = new ArrayList<>();

  TracedCallTest() {
    test.tracers = List.of(call -> add(new OfCall()));
    test.policy =
        LoadBalancerProvider.outlierDetection(
            OutlierDetectionSettings.DEFAULT.with(
                OutlierDetectionSettings.FailurePercentage.DEFAULT),
            LoadBalancerProvider.pickFirst());
  }

  private <T extends Ends> T add(T tracer) {
    tracers.add(tracer);
    return tracer;
  }

  /** How often an end was told. */
  private static class Ends {
    final List<Status> ends = new ArrayList<>();
  }

  private final class OfCall extends Ends implements ClientCallTracer {
    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return add(new OfAttempt());
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {
      ends.add(status);
    }
  }

  private static final class OfAttempt extends Ends implements ClientStreamTracer {
    @Override
    public void onEnd(Status status, Metadata trailers) {
      ends.add(status);
    }
  }

  @AfterEach
  void everyTracerSeesOneEnd() {
    assertThat(tracers).allSatisfy(it -> assertThat(it.ends).hasSizeLessThanOrEqualTo(1));
  }

  @Test
  void theEndOfACallIsReportedOnceToEachTracer() {
    test.connected();
    assertThat(tracers).hasSize(2).allSatisfy(it -> assertThat(it.ends).containsExactly(Status.OK));
  }

  @Test
  void aTracerSeesTheTargetWithItsScheme() {
    List<String> targets = new ArrayList<>();
    test.tracers =
        List.of(call -> {
          targets.add(call.target() + " " + call.authority());
          return ClientCallTracer.none();
        });
    test.connected();
    assertThat(targets).containsExactly("test:///name name");
  }

  @Test
  void aTracerThatIsNoneCostsNothing() {
    test.tracers = List.of(call -> ClientCallTracer.none());
    test.connected();
    TestCall call = test.call();
    FakeStream<?> stream = test.dial().transport.stream();
    assertThat(stream.events.isTraced()).isFalse();
    stream.events.onHeadersSent(stream.connection(), "name");
    stream.events.onMessageSent(7, 7);
    assertThat(stream.isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    test.dial().transport.stream().answers("response");
    test.dial().transport.stream().endsWith(Status.OK);
    assertThat(call.status().isOk()).isTrue();
  }

  @Test
  void eventsOfAStreamAreReportedToTheAttempt() {
    test.connected();
    TestCall call = test.start(TestChannel.BIDI);
    call.call.request(1);
    FakeStream<?> stream = test.dial().transport.stream();
    stream.answersHeaders();
    stream.answers("response");
    call.call.cancel("enough");
    stream.endsWith(Status.CANCELLED);
    assertThat(tracers.getLast().ends).hasSize(1);
  }

  @Test
  void sentBytesAreReportedToTheAttempt() {
    test.connected();
    test.call();
    FakeStream<?> stream = test.dial().transport.stream();
    assertThat(stream.events.isTraced()).isTrue();
    stream.events.onHeadersSent(stream.connection(), "name");
    stream.events.onMessageSent(7, 7);
    stream.endsWith(Status.OK);
    assertThat(tracers.getLast().ends).containsExactly(Status.OK);
  }
}
