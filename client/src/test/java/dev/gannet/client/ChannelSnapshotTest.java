package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.journal.EventLog;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people and tools see of a channel. */
final class ChannelSnapshotTest {
  private final TestChannel test = new TestChannel();

  private SubchannelSnapshot subchannel() {
    return test.channel().snapshot().subchannels().getFirst();
  }

  @Test
  void callsAreCountedByHowTheyEnd() {
    FakeTransport transport = test.connected();
    test.call();
    transport.stream().endsWith(Status.NOT_FOUND);
    test.call();
    transport.stream().isNotProcessed(NotProcessed.REFUSED);
    assertThat(test.channel().snapshot().calls())
        .isEqualTo(new ChannelCallCounts(new ChannelCallCounts.Values(3, 0, 1, 1, 1, 0, 0, 1, 0)));
    test.channel().shutdown();
    test.call();
    assertThat(test.channel().snapshot().calls())
        .isEqualTo(new ChannelCallCounts(new ChannelCallCounts.Values(4, 1, 1, 2, 1, 0, 0, 1, 0)));
  }

  @Test
  void attemptsAreCountedByTheReasonOfTheirStart() {
    MethodConfig retried = MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build();
    MethodConfig hedged = MethodConfig.builder().hedgingPolicy(HedgingPolicy.of(3)).build();
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(
                ServiceConfig.builder()
                    .forMethod(TestChannel.UNARY.fullMethodName(), retried)
                    .forMethod(TestChannel.BIDI.fullMethodName(), hedged)
                    .build());
    FakeTransport transport = test.connected();
    test.call();
    transport.stream().endsWith(Status.UNAVAILABLE);
    test.advance(Duration.ofSeconds(2));
    transport.stream().isNotProcessed(NotProcessed.REFUSED);
    transport.stream().endsWith(Status.OK);
    test.start(TestChannel.BIDI);
    test.advance(Duration.ZERO);
    ChannelCallCounts calls = test.channel().snapshot().calls();
    assertThat(calls.started()).isEqualTo(3);
    assertThat(calls.retries()).isOne();
    assertThat(calls.transparentRetries()).isOne();
    assertThat(calls.hedges()).isEqualTo(2);
    assertThat(calls.attempts()).isEqualTo(transport.streams.size());
  }

  @Test
  void callsThatAreRefusedHaveNoAttempts() {
    test.connected();
    test.start(TestChannel.BIDI);
    test.channel().shutdown();
    for (int i = 0; i < 5; i++) {
      test.call();
    }
    ChannelCallCounts calls = test.channel().snapshot().calls();
    assertThat(calls.started()).isEqualTo(7);
    assertThat(calls.refused()).isEqualTo(5);
    assertThat(calls.attempts()).isEqualTo(2);
  }

  @Test
  void callsThatEndAsTheyAreStartedCountAsRefused() {
    test.connected();
    test.call(test.within(Duration.ZERO));
    TestCall cancelled =
        new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    cancelled.call.cancel("not needed");
    cancelled.start();
    ChannelCallCounts calls = test.channel().snapshot().calls();
    assertThat(calls.started()).isEqualTo(3);
    assertThat(calls.refused()).isEqualTo(2);
    assertThat(calls.failed()).isEqualTo(2);
    assertThat(calls.attempts()).isOne();
  }

  @Test
  void picksThatFailAreCounted() {
    test.call();
    test.dial().isRefused();
    test.call();
    ChannelCallCounts calls = test.channel().snapshot().calls();
    assertThat(calls.failedPicks()).isEqualTo(2);
    assertThat(calls.failed()).isEqualTo(2);
    assertThat(subchannel().connectsFailed()).isOne();
    assertThat(subchannel().state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
  }

  @Test
  void callsThatWaitAreShown() {
    test.call();
    ChannelSnapshot snapshot = test.channel().snapshot();
    assertThat(snapshot.pendingCalls()).isOne();
    assertThat(snapshot.state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(snapshot.target()).isEqualTo("test:///name");
    assertThat(snapshot.maxConnectionsPerSubchannel()).isOne();
  }

  @Test
  void connectionsAreShownWithTheirPhases() {
    test.call();
    test.dial().opens();
    assertThat(subchannel().connections().getFirst().phase())
        .isEqualTo(ChannelConnectionSnapshot.Phase.STARTING);
    test.dial().then.onMaxConcurrentStreams(100);
    test.dial().then.onReady();
    test.dial().transport.callsWaiting = 3;
    ChannelConnectionSnapshot ready = subchannel().connections().getFirst();
    assertThat(ready.phase()).isEqualTo(ChannelConnectionSnapshot.Phase.READY);
    assertThat(ready.maxConcurrentStreams()).hasValue(100);
    assertThat(ready.callsWaiting()).isEqualTo(3);
    assertThat(ready.remoteAddress()).isEqualTo(TestResolver.address(1));
    test.dial().goesAway();
    assertThat(subchannel().connections().getFirst().phase())
        .isEqualTo(ChannelConnectionSnapshot.Phase.DRAINING);
    test.dial().isGone("done");
    assertThat(subchannel().connections()).isEmpty();
    assertThat(subchannel().connectsSucceeded()).isOne();
  }

  @Test
  void withoutAServersLimitMaxConcurrentStreamsIsEmpty() {
    test.connected();
    assertThat(subchannel().connections().getFirst().maxConcurrentStreams()).isEmpty();
  }

  @Test
  void eventsTellWhatHappenedToTheChannelAndToItsSubchannels() {
    test.call();
    test.dial().isRefused();
    assertThat(test.channel().snapshot().trace().events())
        .extracting(ChannelEvent::description)
        .contains("channel to test:///name made", "channel is CONNECTING");
    ChannelEvent failed = subchannel().trace().events().getLast();
    assertThat(failed.severity()).isEqualTo(ChannelEvent.Severity.WARNING);
    assertThat(failed.description()).contains("connection refused");
    assertThat(test.channel().snapshot().trace().events())
        .anyMatch(it -> it.subchannelId().isPresent());
  }

  /** A policy that writes into the trace when it is made, and as a child does. */
  private record Telling(String text) implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "telling";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      ForwardingContext ofChild = () -> context;
      ofChild.trace(text);
      if (text.equals("about to fail")) {
        throw new IllegalStateException("a bug");
      }
      return LoadBalancerProvider.pickFirst().create(context);
    }
  }

  private List<String> eventsOf(String who) {
    return test.channel().snapshot().trace().events().stream()
        .filter(it -> it.severity() == ChannelEvent.Severity.INFO)
        .map(ChannelEvent::description)
        .filter(it -> it.startsWith(who + ": "))
        .map(it -> it.substring(who.length() + 2))
        .toList();
  }

  @Test
  void aResolverMayWriteIntoTheTrace() {
    test.connected();
    test.resolver.last().context.trace("asks another server");
    assertThat(eventsOf("the resolver for 'test'")).containsExactly("asks another server");
  }

  @ParameterizedTest
  @ValueSource(strings = {"chooses zone a", "about to fail"})
  void aPolicyMayWriteIntoTheTraceAlsoBeforeItThrows(String text) {
    test.policy = new Telling(text);
    test.call();
    assertThat(eventsOf("the load-balancing policy telling")).containsExactly(text);
  }

  @Test
  void aLongTextOfAPolicyIsCutBetweenCharacters() {
    String letters = "a".repeat(199);
    test.policy = new Telling(letters + "\uD83D\uDE00");
    test.call();
    assertThat(eventsOf("the load-balancing policy telling")).containsExactly(letters);
    EventLog log = new EventLog();
    log.addTold("it", "b".repeat(201));
    assertThat(log.kept().events().getFirst().description()).isEqualTo("it: " + "b".repeat(200));
  }

  private List<String> events() {
    return test.channel().snapshot().trace().events().stream()
        .map(it -> it.severity() + " " + it.description())
        .toList();
  }

  private void resolverSays(ServiceConfig config) {
    test.resolver.answer = Optional.of(config.addTo(endpoints()));
    test.resolver.last().listener.onResult(test.resolver.answer.get());
  }

  private static Resolution.Resolved endpoints() {
    return (Resolution.Resolved) TestResolver.endpoints(1);
  }

  @Test
  void anotherServiceConfigIsAnEventAndTheSameOneIsNot() {
    test.connected();
    assertThat(events()).noneMatch(it -> it.contains("config"));
    ServiceConfig config = ServiceConfig.builder().healthCheckService("test.Texts").build();
    resolverSays(config);
    resolverSays(config);
    assertThat(events())
        .filteredOn(it -> it.contains("config"))
        .singleElement()
        .asString()
        .startsWith("INFO service config changed: ")
        .contains("healthCheckService=test.Texts");
    resolverSays(ServiceConfig.EMPTY);
    assertThat(events()).filteredOn(it -> it.contains("service config changed")).hasSize(2);
  }

  @Test
  void aServiceConfigThatIsRejectedIsAnEventWithTheReason() {
    test.connected();
    Status why = Status.UNAVAILABLE.withDescription("bad json");
    test.resolver.last().listener.onResult(ServiceConfig.addInvalidTo(endpoints(), why));
    assertThat(events())
        .contains(
            "WARNING service config rejected, the previous one stays in use: UNAVAILABLE: bad json");
  }

  @Test
  void anotherPolicyIsAnEventWhenItIsInUse() {
    test.connected();
    resolverSays(ServiceConfig.builder().loadBalancer(LoadBalancerProvider.roundRobin()).build());
    String changed = "INFO load-balancing policy changed: from pick_first to round_robin";
    assertThat(events()).doesNotContain(changed);
    test.dial().becomesReady();
    assertThat(events()).contains(changed);
    test.channel().enterIdle();
    test.call();
    assertThat(events()).filteredOn(it -> it.contains("policy changed")).hasSize(1);
  }

  @Test
  void aFailureOfTheChannelIsAnEventWithTheReason() {
    test.call();
    test.dial().isRefused();
    assertThat(events())
        .filteredOn(it -> it.startsWith("WARNING channel is TRANSIENT_FAILURE: "))
        .singleElement()
        .asString()
        .contains("connection refused");
  }

  @Test
  void eventsAreBoundedWhateverTheirReason() {
    test.resolver.answer = Optional.of(TestResolver.failure("x".repeat(10_000)));
    test.call();
    assertThat(events())
        .filteredOn(it -> it.contains("xxx"))
        .hasSize(2)
        .allMatch(it -> it.length() < 300);
  }

  @Test
  void onlyTheLastEventsAreKept() {
    EventLog log = new EventLog();
    for (int i = 0; i < 40; i++) {
      log.add(EventLog.Severity.INFO, "event " + i);
    }
    assertThat(log.kept().logged()).isEqualTo(40);
    assertThat(log.kept().events()).hasSize(32);
    assertThat(log.kept().events().getFirst().description()).isEqualTo("event 8");
  }

  @Test
  void allNumbersAreDifferent() {
    test.connected();
    ChannelSnapshot channel = test.channel().snapshot();
    assertThat(subchannel().id()).isNotEqualTo(channel.id());
    assertThat(subchannel().connections().getFirst().id())
        .isNotEqualTo(channel.id())
        .isNotEqualTo(subchannel().id());
  }

  @Test
  void aSubchannelThatIsGoneIsNotShown() {
    test.connected();
    test.channel().enterIdle();
    assertThat(subchannel().state()).isEqualTo(ConnectivityState.SHUTDOWN);
    test.dial().isGone("done");
    assertThat(test.channel().snapshot().subchannels()).isEmpty();
    test.advance(Duration.ofSeconds(1));
  }
}
