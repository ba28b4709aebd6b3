package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two trackers of the same calls. */
final class CallTrackersTest {
  private final List<String> told = new ArrayList<>();

  /** One object for all calls. */
  private record Shared(String name, List<String> told) implements CallTracker, TrackedCall {
    @Override
    public TrackedCall onStarted(PickArgs call) {
      told.add(name + " started");
      return this;
    }

    @Override
    public void onEnded(Status status, Metadata trailers) {
      told.add(name + " ended " + status.code());
    }
  }

  private CallTracker shared(String name) {
    return new Shared(name, told);
  }

  /** An object for each call. */
  private CallTracker single(String name) {
    return call -> {
      told.add(name + " started");
      return (status, trailers) -> told.add(name + " ended " + status.code());
    };
  }

  private static void serve(CallTracker tracker) {
    tracker.onStarted(FakeChannel.ANY_CALL).onEnded(Status.OK, new Metadata());
  }

  @Test
  void bothTrackersAreNotifiedInTheirOrder() {
    serve(CallTracker.both(shared("a"), single("b")));
    assertThat(told).containsExactly("a started", "b started", "a ended OK", "b ended OK");
  }

  @Test
  void sharedTrackersAreCombinedWithoutAnObjectPerCall() {
    CallTracker three = CallTracker.both(CallTracker.both(shared("a"), shared("b")), shared("c"));
    assertThat(three.onStarted(FakeChannel.ANY_CALL)).isSameAs(three);
    told.clear();
    serve(three);
    assertThat(told)
        .containsExactly(
            "a started", "b started", "c started", "a ended OK", "b ended OK", "c ended OK");
  }

  static Stream<LoadBalancerProvider> trackingPolicies() {
    LoadBalancerProvider leastRequest = LoadBalancerProvider.leastRequest(2);
    LoadBalancerProvider weighted =
        LoadBalancerProvider.weightedRoundRobin(WeightedRoundRobinSettings.DEFAULT);
    OutlierDetectionSettings outliers =
        OutlierDetectionSettings.DEFAULT.with(OutlierDetectionSettings.FailurePercentage.DEFAULT);
    return Stream.of(
        leastRequest,
        weighted,
        LoadBalancerProvider.outlierDetection(outliers, LoadBalancerProvider.roundRobin()),
        LoadBalancerProvider.outlierDetection(outliers, leastRequest),
        LoadBalancerProvider.outlierDetection(outliers, weighted));
  }

  @ParameterizedTest
  @MethodSource("trackingPolicies")
  void builtInPoliciesTrackAllCallsOfAnEndpointWithOneObject(LoadBalancerProvider provider) {
    FakeChannel channel = new FakeChannel();
    provider.create(channel).onResolved(FakeChannel.endpoints("a"));
    TrackedCall first = channel.of("a").begins();
    assertThat(channel.of("a").begins()).isSameAs(first).isNotSameAs(TrackedCall.NONE);
  }

  @Test
  void aTrackerThatDoesNotFollowTheCallIsLeftOut() {
    CallTracker counts = call -> TrackedCall.NONE;
    CallTracker a = shared("a");
    assertThat(CallTracker.both(counts, a).onStarted(FakeChannel.ANY_CALL)).isSameAs(a);
    assertThat(CallTracker.both(a, counts).onStarted(FakeChannel.ANY_CALL)).isSameAs(a);
    assertThat(CallTracker.both(a, CallTracker.NONE)).isSameAs(a);
    assertThat(CallTracker.both(CallTracker.NONE, a)).isSameAs(a);
    assertThat(CallTracker.NONE.onStarted(FakeChannel.ANY_CALL)).isSameAs(TrackedCall.NONE);
  }

  @Test
  void ifOneTrackerThrowsTheOtherIsStillNotifiedOfTheEnd() {
    CallTracker bad =
        call ->
            (status, trailers) -> {
              throw new IllegalStateException("no end");
            };
    assertThatThrownBy(() -> serve(CallTracker.both(bad, shared("b")))).hasMessage("no end");
    assertThat(told).containsExactly("b started", "b ended OK");
  }

  @Test
  void ifTheSecondTrackerThrowsAtTheStartTheFirstIsToldTheEnd() {
    CallTracker bad =
        call -> {
          throw new IllegalStateException("no start");
        };
    assertThatThrownBy(() -> serve(CallTracker.both(shared("a"), bad))).hasMessage("no start");
    assertThat(told).containsExactly("a started", "a ended CANCELLED");
  }
}
