package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Marshaller;
import dev.gannet.api.MessageSink;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryThrottling;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.protocol.MessageSizeLimit;
import dev.gannet.transport.CallMessages;
import dev.gannet.transport.NotProcessed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Where a channel's service config comes from, and how it meets the options of calls. */
class ServiceConfigsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Status BAD = Status.INTERNAL.withDescription("maxAttempts is missing");

  private final TestChannel test = new TestChannel();

  private static ServiceConfig all(MethodConfig.Builder config) {
    return ServiceConfig.builder().forAllMethods(config.build()).build();
  }

  private void byDefault(ServiceConfig config) {
    test.serviceConfigs = test.serviceConfigs.withDefault(config);
  }

  private static Resolution.Resolved endpoints() {
    return (Resolution.Resolved) TestResolver.endpoints(1);
  }

  private void resolverSays(ServiceConfig config) {
    test.resolver.answer = Optional.of(config.addTo(endpoints()));
  }

  private void resolverSaysNonsense() {
    test.resolver.answer = Optional.of(ServiceConfig.addInvalidTo(endpoints(), BAD));
  }

  private long timeoutMillis() {
    return test.dial().transport.stream()
        .start
        .deadline()
        .map(it -> Duration.ofNanos(it.remainingNanos()).toMillis())
        .orElse(-1L);
  }

  private static MethodConfig.Builder timeout(Duration timeout) {
    return MethodConfig.builder().timeout(timeout);
  }

  @Test
  void theShorterTimeoutApplies() {
    byDefault(all(timeout(SECOND)));
    test.connected();
    test.call();
    assertThat(timeoutMillis()).isEqualTo(1000);
    test.call(test.within(Duration.ofMillis(300)));
    assertThat(timeoutMillis()).isEqualTo(300);
    test.call(test.within(Duration.ofSeconds(9)));
    assertThat(timeoutMillis()).isEqualTo(1000);
  }

  @Test
  void theSmallerSizeLimitApplies() {
    byDefault(all(MethodConfig.builder().maxRequestMessageBytes(100).maxResponseMessageBytes(200)));
    test.connected();
    test.call(CallOptions.DEFAULT.withMaxInboundMessageBytes(150));
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(150);
    assertThat(test.dial().transport.stream().start.maxOutboundMessageBytes()).isEqualTo(100);
    test.call(CallOptions.DEFAULT.withMaxOutboundMessageBytes(50));
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(200);
    assertThat(test.dial().transport.stream().start.maxOutboundMessageBytes()).isEqualTo(50);
  }

  @Test
  void theDefaultOfResponsesIsNoLimitThatWasSet() {
    byDefault(all(MethodConfig.builder().maxResponseMessageBytes(16 << 20)));
    test.maxInboundMessageBytes = OptionalInt.empty();
    test.connected();
    test.call();
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(16 << 20);
    test.call(CallOptions.DEFAULT.withMaxInboundMessageBytes(150));
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(150);
  }

  @Test
  void aConfigWithoutALimitOfResponsesKeepsTheDefault() {
    byDefault(all(MethodConfig.builder().maxRequestMessageBytes(100)));
    test.maxInboundMessageBytes = OptionalInt.empty();
    test.connected();
    test.call();
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(4 << 20);
  }

  @Test
  void aLimitOfResponsesThatTheChannelSetsIsKeptBelowAHigherConfig() {
    byDefault(all(MethodConfig.builder().maxResponseMessageBytes(16 << 20)));
    test.connected();
    test.call();
    assertThat(test.dial().transport.stream().start.maxInboundMessageBytes()).isEqualTo(1 << 20);
  }

  @Test
  void aLimitIsThatOfTheConfigOnlyIfItIsSmallerOrReplacesTheDefault() {
    byDefault(all(MethodConfig.builder().maxRequestMessageBytes(100).maxResponseMessageBytes(200)));
    test.connected();
    test.call();
    assertThat(sizeLimits())
        .containsExactly(
            MessageSizeLimit.OF_REQUESTS_BY_CONFIG, MessageSizeLimit.OF_RESPONSES_BY_CONFIG);
    test.call(CallOptions.DEFAULT.withMaxInboundMessageBytes(200));
    assertThat(sizeLimits())
        .containsExactly(
            MessageSizeLimit.OF_REQUESTS_BY_CONFIG, MessageSizeLimit.OF_RECEIVED_RESPONSES);
    test.call(CallOptions.DEFAULT.withMaxOutboundMessageBytes(100));
    assertThat(sizeLimits())
        .containsExactly(
            MessageSizeLimit.OF_SENT_REQUESTS, MessageSizeLimit.OF_RESPONSES_BY_CONFIG);
  }

  @Test
  void aHigherLimitOfResponsesThanTheDefaultIsThatOfTheConfig() {
    byDefault(all(MethodConfig.builder().maxResponseMessageBytes(16 << 20)));
    test.maxInboundMessageBytes = OptionalInt.empty();
    test.connected();
    test.call();
    assertThat(sizeLimits())
        .containsExactly(
            MessageSizeLimit.OF_SENT_REQUESTS, MessageSizeLimit.OF_RESPONSES_BY_CONFIG);
  }

  private List<MessageSizeLimit> sizeLimits() {
    CallMessages messages = test.dial().transport.stream().start.messages();
    return List.of(messages.outboundLimit(), messages.inboundLimit());
  }

  @Test
  void waitForReadyOfTheCallHasPriority() {
    byDefault(all(MethodConfig.builder().waitForReady(true)));
    test.connector.refusesAtOnce = true;
    TestCall waiting = test.call();
    TestCall impatient = test.call(CallOptions.DEFAULT.withWaitForReady(false));
    test.advance(Duration.ofMillis(10));
    assertThat(waiting.isOver()).isFalse();
    assertThat(impatient.isOver()).isTrue();
  }

  @Test
  void theConfigOfAResolverAppliesToTheFirstCallsAsWell() {
    test.resolver.answer = Optional.empty();
    TestCall first = test.call();
    test.advance(Duration.ofMillis(400));
    test.resolver.last().listener.onResult(all(timeout(SECOND)).addTo(endpoints()));
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(600);
    test.advance(Duration.ofMillis(600));
    test.dial().transport.stream().endsWith(Status.DEADLINE_EXCEEDED);
    assertThat(first.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  /** A mixture of two configs would be one that nobody has written. */
  @Test
  void aCallKeepsTheConfigOfTheTimeWhenItWasMade() {
    resolverSays(all(timeout(SECOND)));
    test.connected();
    TestCall call = new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    test.resolver
        .last()
        .listener
        .onResult(all(MethodConfig.builder().maxRequestMessageBytes(1)).addTo(endpoints()));
    call.start();
    assertThat(timeoutMillis()).isEqualTo(1000);
    assertThat(test.dial().transport.stream().start.maxOutboundMessageBytes()).isGreaterThan(1);
    test.call();
    assertThat(timeoutMillis()).isEqualTo(-1);
    assertThat(test.dial().transport.stream().start.maxOutboundMessageBytes()).isEqualTo(1);
  }

  @Test
  void aTimeoutOfALateConfigCountsFromTheStartOfTheCall() {
    test.resolver.answer = Optional.empty();
    TestCall call = new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    test.advance(Duration.ofMillis(1500));
    call.start();
    call.asks("request");
    test.resolver.last().listener.onResult(all(timeout(SECOND)).addTo(endpoints()));
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(1000);
    test.advance(Duration.ofMillis(500));
    test.dial().transport.stream().answers("response");
    test.dial().transport.stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aCallThatALateConfigEndsSaysAfterWhatTime() {
    resolverSays(all(timeout(SECOND)));
    TestCall call = test.call();
    test.advance(SECOND);
    assertThat(call.text()).contains("deadline exceeded after 1 s, waiting for a connection");
  }

  @Test
  void aCallThatALateConfigEndsSaysItsTimeoutAndNotWhatWasLeftOfIt() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.advance(Duration.ofMillis(700));
    test.resolver.last().listener.onResult(all(timeout(SECOND)).addTo(endpoints()));
    test.advance(Duration.ofMillis(299));
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofMillis(1));
    assertThat(call.text()).contains("deadline exceeded after 1 s, waiting for a connection");
  }

  @Test
  void aConnectionLearnsTheTimeoutOfALateConfigAndNotWhatWasLeftOfIt() {
    test.resolver.answer = Optional.empty();
    test.call();
    test.advance(Duration.ofMillis(700));
    test.resolver.last().listener.onResult(all(timeout(SECOND)).addTo(endpoints()));
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(300);
    assertThat(test.dial().transport.stream().start.deadline().orElseThrow().timeout())
        .isEqualTo(SECOND);
  }

  @Test
  void aCallIsOverAtOnceIfItsConfigIsLaterThanTheTimeoutInIt() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.advance(Duration.ofMillis(500));
    test.resolver.last().listener.onResult(all(timeout(Duration.ofMillis(200))).addTo(endpoints()));
    test.advance(Duration.ZERO);
    assertThat(call.text()).contains("deadline exceeded after 200 ms, waiting for a connection");
  }

  @Test
  void theFirstCallsAreRetriedByTheConfigOfAResolver() {
    resolverSays(all(MethodConfig.builder().retryPolicy(RetryingCallTest.policy(2))));
    TestCall call = test.call();
    test.dial().becomesReady();
    test.dial().transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofSeconds(2));
    test.dial().transport.stream().endsWith(Status.ABORTED);
    assertThat(call.status()).isEqualTo(Status.ABORTED);
  }

  @Test
  void aTimeoutOfTheConfigEndsTheBackoffOfAFirstCall() {
    resolverSays(all(timeout(Duration.ofMillis(500)).retryPolicy(RetryingCallTest.policy(2))));
    TestCall call = test.call();
    test.dial().becomesReady();
    test.dial().transport.stream().endsWith(Status.UNAVAILABLE);
    test.advance(Duration.ofMillis(500));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  /** The timer finds the attempt running, and then waits for the lock under which it is dropped. */
  @Test
  @Timeout(30)
  void aTimeoutOfTheConfigEndsACallWhoseAttemptFailsInThatMoment() throws InterruptedException {
    resolverSays(all(timeout(SECOND).retryPolicy(RetryingCallTest.policy(2))));
    TestCall call = test.call();
    test.dial().becomesReady();
    List<Thread> timers = new ArrayList<>();
    test.pipes.timers = task -> timers.add(Thread.ofPlatform().start(task));
    test.pipes.atRandom =
        () -> {
          test.advance(SECOND);
          while (timers.stream().noneMatch(it -> it.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
          }
        };
    test.dial().transport.stream().endsWith(Status.UNAVAILABLE);
    for (Thread each : timers) {
      each.join();
    }
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void aTimeoutOfTheConfigThatHasPassedEndsACallThatLeavesItsStreamAfterwards() {
    resolverSays(all(timeout(SECOND)));
    TestCall call = test.patientCall();
    FakeTransport left = test.dial().becomesReady();
    test.advance(SECOND); // the stream is about to end the call
    test.dial().goesAway();
    assertThat(left.stream().isNotProcessed(NotProcessed.NOT_SENT)).isTrue();
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void theConfigOfTheResolverReplacesTheDefaultOne() {
    byDefault(all(timeout(SECOND)));
    resolverSays(all(timeout(Duration.ofSeconds(2))));
    test.connected();
    test.call();
    assertThat(timeoutMillis()).isEqualTo(2000);
  }

  @Test
  void theConfigOfTheResolverIsIgnoredIfTheLookUpIsOff() {
    byDefault(all(timeout(SECOND)));
    test.serviceConfigs = test.serviceConfigs.withoutLookUp();
    resolverSays(all(timeout(Duration.ofSeconds(2))));
    test.connected();
    test.call();
    assertThat(timeoutMillis()).isEqualTo(1000);
  }

  @Test
  void anInvalidConfigKeepsTheLastValidOne() {
    resolverSays(all(timeout(SECOND)));
    test.connected();
    test.resolver.last().listener.onResult(ServiceConfig.addInvalidTo(endpoints(), BAD));
    test.call();
    assertThat(timeoutMillis()).isEqualTo(1000);
    assertThat(test.resolver.last().rejections)
        .containsExactly("the resolver returned an invalid service config: maxAttempts is missing");
    test.resolver.last().listener.onResult(endpoints());
    test.call();
    assertThat(timeoutMillis()).isEqualTo(-1);
  }

  @Test
  void anInvalidConfigKeepsTheDefaultOne() {
    byDefault(all(timeout(SECOND)));
    resolverSaysNonsense();
    test.connected();
    test.call();
    assertThat(timeoutMillis()).isEqualTo(1000);
  }

  @Test
  void anInvalidFirstConfigFailsCallsWithTheReason() {
    resolverSaysNonsense();
    TestCall call = test.call();
    assertThat(call.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(call.text()).contains("invalid service config: maxAttempts is missing");
    assertThat(test.resolver.last().rejections).hasSize(1);
    resolverSays(ServiceConfig.EMPTY);
    TestCall patient = test.patientCall();
    test.advance(Duration.ofSeconds(2));
    test.dial().becomesReady();
    assertThat(patient.isOver()).isFalse();
  }

  @Test
  void aConfigSetsThePolicyOfTheChannel() {
    LoadBalancerProvider policy = LoadBalancerProvider.roundRobin();
    test.resolver.answer = Optional.of(TestResolver.endpoints(2));
    resolverWithTwo(ServiceConfig.builder().loadBalancer(policy).build());
    test.call();
    assertThat(test.connector.dials).hasSize(2); // pick_first would try one
    resolverWithTwo(ServiceConfig.builder().loadBalancer(policy).build());
    test.resolver.last().listener.onResult(test.resolver.answer.orElseThrow());
    assertThat(test.connector.dials).hasSize(2);
  }

  private void resolverWithTwo(ServiceConfig config) {
    test.resolver.answer =
        Optional.of(config.addTo((Resolution.Resolved) TestResolver.endpoints(2)));
  }

  @Test
  void aConfigWithTheSameThrottlingKeepsItsTokens() {
    MethodConfig retried = MethodConfig.builder().retryPolicy(RetryingCallTest.policy(5)).build();
    ServiceConfig.Builder config =
        ServiceConfig.builder().forAllMethods(retried).retryThrottling(RetryThrottling.of(2, 1));
    resolverSays(config.build());
    test.connected();
    TestCall first = test.call();
    test.dial().transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(first.isOver()).isTrue();
    test.resolver
        .last()
        .listener
        .onResult(config.forService("other", MethodConfig.EMPTY).build().addTo(endpoints()));
    test.call();
    test.dial().transport.stream().answers("response");
    test.dial().transport.stream().endsWith(Status.OK);
    TestCall next = test.call();
    test.dial().transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(next.isOver()).isTrue();
  }

  /** Has the resolver answer while the request is being measured. */
  private final class AnsweredMeanwhile implements Marshaller<String> {
    @Override
    public int sizeBytes(String message) {
      test.resolver.last().listener.onResult(endpoints());
      test.dial().becomesReady();
      return message.length();
    }

    @Override
    public void write(String message, MessageSink sink) {
      sink.reserve(message.length()).put(message.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String parse(ByteBuffer bytes) {
      return StandardCharsets.US_ASCII.decode(bytes).toString();
    }
  }

  @Test
  void aRequestMadeWhileTheConfigIsResolvedIsSentCompletely() {
    test.resolver.answer = Optional.empty();
    Marshaller<String> marshaller = new AnsweredMeanwhile();
    MethodDescriptor<String, String> method =
        MethodDescriptor.of(MethodType.UNARY, "test.Texts/Measured", marshaller, marshaller);
    test.start(method).asks("request");
    assertThat(test.dial().transport.stream().told)
        .containsSubsequence("request", "half-close", "flush");
  }
}
