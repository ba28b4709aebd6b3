package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallFailure;
import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.config.ConfigSelection;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.RetryPolicy;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.client.retry.Pushback;
import dev.gannet.client.settings.RetrySettings;
import dev.gannet.transport.NotProcessed;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a call that has failed tells of how it came to that. */
final class FailedCallTest {
  private static final Endpoint FIRST = Endpoint.of(TestResolver.address(1));
  private static final Endpoint SECOND = Endpoint.of(TestResolver.address(2));
  private static final RetryPolicy RETRIED_AFTER_FOUR_SECONDS =
      RetryPolicy.of(4, Status.Code.UNAVAILABLE)
          .withInitialBackoff(Duration.ofSeconds(4))
          .withMaxBackoff(Duration.ofSeconds(4));

  /** A pushback by which no further attempt follows. */
  private static final Duration NO_MORE = Duration.ofSeconds(-1);

  private final TestChannel test = new TestChannel();

  private static CallFailure failureOf(TestCall call) {
    return call.status().failure().orElseThrow();
  }

  @Test
  void aCallWithoutAConnectionNamesTheTargetAndTheAddressThatFailed() {
    TestCall call = test.call();
    test.dial().isRefused();
    CallFailure failure = failureOf(call);
    assertThat(failure.target()).isEqualTo("test:///name");
    assertThat(failure.addresses()).hasSize(1);
    assertThat(failure.addresses().getFirst().error()).startsWith("connection refused");
    assertThat(failure.attempts().getLast().server()).isEmpty();
    assertThat(call.status().asException())
        .hasMessageContaining("test:///name")
        .hasMessageContaining("server1");
    assertThat(call.status().asException().failure()).hasValue(failure);
  }

  @Test
  void anExceptionTextContainsTheErrorOnce() {
    TestCall call = test.call();
    test.dial().isRefused();
    String message = String.valueOf(call.status().asException().getMessage());
    String error = failureOf(call).addresses().getFirst().error();
    assertThat(message.indexOf(error)).isNotNegative().isEqualTo(message.lastIndexOf(error));
    assertThat(message).doesNotContain("resolver", "attempt");
  }

  @Test
  void anExceptionTextCountsTheAddressesThatItDoesNotNameOnce() {
    test.resolver.answer = Optional.of(TestResolver.endpoints(18));
    TestCall call = test.call();
    for (int i = 0; i < 18; i++) {
      test.dial(i).isRefused();
    }
    String message = String.valueOf(call.status().asException().getMessage());
    assertThat(message).containsOnlyOnce("no connection to 2 other addresses");
    assertThat(message).containsOnlyOnce("server3/").containsOnlyOnce("server18/");
    assertThat(message).doesNotContain("server1/", "server2/");
  }

  @Test
  void timeInTheResolverAndTimeInTheQueueAreReportedSeparately() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call(test.within(Duration.ofSeconds(5)));
    test.advance(Duration.ofSeconds(2));
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(3));
    CallFailure failure = failureOf(call);
    assertThat(failure.inResolver()).isEqualTo(Duration.ofSeconds(2));
    assertThat(failure.inQueue()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure.onWire()).isEmpty();
  }

  @Test
  void allResolutionsWithoutAnAnswerCountAsTimeInTheResolver() {
    test.resolver.answer = Optional.empty();
    TestCall call =
        test.call(
            test.within(Duration.ofSeconds(60)).withWaitForReady(true)); // 30 s, backoff, 29 s
    test.advance(Duration.ofSeconds(60));
    CallFailure failure = failureOf(call);
    assertThat(failure.inResolver())
        .isBetween(Duration.ofMillis(58_799), Duration.ofMillis(59_201));
    assertThat(failure.inResolver().plus(failure.inQueue())).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void aResultThatNobodyAwaitsIsNoTimeInTheResolver() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call(test.within(Duration.ofSeconds(15)));
    test.advance(Duration.ofMillis(5));
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(10));
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(5));
    assertThat(failureOf(call).inResolver()).isEqualTo(Duration.ofMillis(5));
  }

  @Test
  void aResolutionWhileAddressesAreKnownIsNoTimeInTheResolver() {
    test.connected();
    test.resolver.answer = Optional.empty();
    test.dial().isLost();
    TestCall call = test.call(test.within(Duration.ofSeconds(5)));
    test.advance(Duration.ofSeconds(5));
    assertThat(failureOf(call).inResolver()).isZero();
    assertThat(failureOf(call).inQueue()).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aCallDoesNotCountEarlierResolutions() {
    test.resolver.answer = Optional.empty();
    test.call(test.within(Duration.ofSeconds(10)).withWaitForReady(true));
    test.advance(Duration.ofSeconds(8));
    TestCall call = test.call(test.within(Duration.ofSeconds(5)));
    test.advance(Duration.ofSeconds(1));
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(4));
    assertThat(failureOf(call).inResolver()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void theTimeInTheResolverEndsWhenTheChannelBecomesIdle() {
    test.resolver.answer = Optional.empty();
    test.channel().connect();
    test.advance(Duration.ofSeconds(1));
    test.channel().enterIdle();
    test.advance(Duration.ofSeconds(1));
    TestCall call = test.call(test.within(Duration.ofSeconds(2)));
    test.advance(Duration.ofSeconds(2));
    assertThat(failureOf(call).inResolver()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void theTimeOnTheWireIsReportedIfALateConfigHasSetTheOnlyDeadline() {
    ServiceConfig config =
        ServiceConfig.builder()
            .forAllMethods(MethodConfig.builder().timeout(Duration.ofSeconds(5)).build())
            .build();
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(1));
    Resolution.Resolved endpoints = (Resolution.Resolved) TestResolver.endpoints(1);
    test.resolver.last().listener.onResult(config.addTo(endpoints));
    test.dial().becomesReady();
    test.advance(Duration.ofSeconds(2));
    test.dial().transport.stream().endsWith(lostAt(1));
    CallFailure failure = failureOf(call);
    assertThat(failure.inResolver()).isEqualTo(Duration.ofSeconds(1));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(2));
  }

  @Test
  void timeOnTheWireOfACallWithoutADeadlineIsReported() {
    test.connected();
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(2));
    test.dial().transport.stream().endsWith(lostAt(1));
    CallFailure failure = failureOf(call);
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(2));
    assertThat(failure).asString().contains("wire 2000 ms");
  }

  /** How a call ends whose connection to this server is lost. */
  private static Status lostAt(int server) {
    Status lost = Status.UNAVAILABLE.withDescription("lost");
    return lost.withFailure(
        CallFailure.of(CallFailure.Attempt.of(lost).withServer(TestResolver.address(server))));
  }

  /** How a call of another channel has ended, whose server was lost. */
  private static Status ofAnotherChannel() {
    TestChannel other = new TestChannel();
    FakeTransport transport = other.connected();
    TestCall call = other.call();
    transport.stream().endsWith(lostAt(1));
    assertThat(failureOf(call).attempts().getLast().server()).hasValue(TestResolver.address(1));
    return call.status();
  }

  private static void assertNamesNoServer(TestCall call) {
    assertThat(failureOf(call).attempts())
        .singleElement()
        .satisfies(it -> assertThat(it.server()).isEmpty());
    assertThat(call.status().asException())
        .hasMessageContaining("lost")
        .hasMessageNotContaining("server1");
  }

  @Test
  void theServerOfACallOfTheCredentialsIsNotNamed() {
    test.connected();
    StatusException inner = ofAnotherChannel().asException();
    CallCredentials failing = request -> CompletableFuture.failedFuture(inner);
    TestCall call = test.call(CallOptions.DEFAULT.withCallCredentials(failing));
    assertNamesNoServer(call);
    assertThat(call.status().cause()).containsSame(inner);
  }

  @Test
  void aCodeWithoutDetailsGetsNoneFromACallOfTheCredentials() {
    test.connected();
    Status inner = Status.INTERNAL.withFailure(ofAnotherChannel().failure().orElseThrow());
    CallCredentials failing = request -> CompletableFuture.failedFuture(inner.asException());
    TestCall call = test.call(CallOptions.DEFAULT.withCallCredentials(failing));
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.status().failure()).isEmpty();
  }

  /** The policy's picker passes on the status of the resolver. */
  @Test
  void theServerOfACallOfTheResolverIsNotNamed() {
    test.policy = LoadBalancerProvider.roundRobin();
    test.resolver.answer = Optional.of(Resolution.failed(ofAnotherChannel()));
    assertNamesNoServer(test.call());
  }

  @Test
  void theServerOfACallOfTheConfigSelectorIsNotNamed() {
    Status inner = ofAnotherChannel();
    ConfigSelector selector = asked -> ConfigSelection.fail(inner);
    test.resolver.answer =
        Optional.of(selector.addTo((Resolution.Resolved) TestResolver.endpoints(1)));
    assertNamesNoServer(test.call());
  }

  /** Its only attempt was on the first server, which had this time. */
  private static void assertNamesTheServer(TestCall call, Duration onWire) {
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts())
        .singleElement()
        .satisfies(it -> assertThat(it.server()).hasValue(TestResolver.address(1)));
    assertThat(failure.onWire()).hasValue(onWire);
    assertThat(call.status().asException())
        .hasMessageContaining("on " + TestResolver.address(1))
        .hasMessageContaining("wire " + onWire.toMillis() + " ms");
  }

  @Test
  void anEndOfWhichTheConnectionKnowsNoDetailsNamesItsServer() {
    FakeTransport transport = test.connected();
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(2));
    transport.stream().endsWith(Status.UNAVAILABLE.withDescription("busy"));
    assertNamesTheServer(call, Duration.ofSeconds(2));
  }

  @Test
  void aDeadlineThatOvertakesTheServersEndNamesTheServer() {
    FakeTransport transport = test.connected();
    TestCall call = test.start(TestChannel.BIDI, test.within(Duration.ofSeconds(3)));
    transport.stream().answers("unread");
    transport.stream().endsWith(Status.OK);
    test.advance(Duration.ofSeconds(3));
    assertThat(call.text()).contains("waiting for the application to read the response");
    assertNamesTheServer(call, Duration.ofSeconds(3));
  }

  @Test
  void theServerOfACallOfTheMarshallerIsNotNamed() {
    FakeTransport transport = test.connected();
    Status inner =
        Status.UNAVAILABLE.withFailure(
            CallFailure.of(
                CallFailure.Attempt.of(Status.UNAVAILABLE).withServer(TestResolver.address(2))));
    transport.thrownBySendOfNext = Optional.of(inner.asException());
    TestCall call = test.start(TestChannel.UNARY);
    test.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> call.asks("request")).isInstanceOf(StatusException.class);
    assertNamesTheServer(call, Duration.ofSeconds(1));
  }

  @Test
  void theAttemptsOfACallAreReportedInTheirOrder() {
    test.connected();
    TestCall call = test.call(test.within(Duration.ofSeconds(5)));
    FakeTransport transport = test.dial().transport;
    transport.stream().isNotProcessed(NotProcessed.REFUSED);
    test.advance(Duration.ofSeconds(1));
    transport.stream()
        .endsWith(
            Status.UNAVAILABLE
                .withDescription("lost")
                .withFailure(
                    CallFailure.of(
                        CallFailure.Attempt.of(Status.UNAVAILABLE.withDescription("lost"))
                            .withServer(TestResolver.address(1))
                            .withResetCode("CANCEL")
                            .withGoAway("NO_ERROR: bye"))));
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts().stream().map(it -> it.status().description().orElse("")))
        .containsExactly("not processed", "lost");
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(1));
    assertThat(failure.toString())
        .contains("RST_STREAM CANCEL")
        .contains("GOAWAY NO_ERROR: bye")
        .contains("wire 1000 ms");
  }

  @Test
  void aStatusOfTheServerContainsNoCallFailure() {
    test.connected();
    TestCall call = test.call();
    test.dial().transport.stream().endsWith(Status.NOT_FOUND);
    assertThat(call.status().failure()).isEmpty();
    assertThat(call.status().asException()).hasMessage("NOT_FOUND");
  }

  @Test
  void aStatusThatIsPassedOnContainsNoCallFailure() {
    TestCall call = test.call();
    test.dial().isRefused();
    assertThat(call.status().asException().passOn().failure()).isEmpty();
  }

  /** The addresses that a call names which now runs into its deadline. */
  private List<SocketAddress> addressesNamed() {
    TestCall call = test.call(test.within(Duration.ofMillis(1)).withWaitForReady(true));
    test.advance(Duration.ofMillis(1));
    return failureOf(call).addresses().stream().map(CallFailure.AddressFailure::address).toList();
  }

  private void resolves(Endpoint... endpoints) {
    Resolution now = Resolution.of(List.of(endpoints));
    test.resolver.answer = Optional.of(now);
    if (!test.resolver.made.isEmpty()) {
      test.resolver.last().listener.onResult(now);
    }
  }

  @Test
  void anAddressThatIsNoLongerResolvedIsNoLongerReported() {
    test.policy = LoadBalancerProvider.roundRobin();
    resolves(FIRST, SECOND);
    test.channel().connect();
    test.connector.dials.getFirst().isRefused();
    FakeTransport transport = test.connector.dials.getLast().becomesReady();
    TestCall before = test.call();
    transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(failureOf(before).addresses()).hasSize(1);
    resolves(SECOND);
    TestCall after = test.call();
    transport.stream().endsWith(Status.UNAVAILABLE);
    assertThat(failureOf(after).addresses()).isEmpty();
  }

  @Test
  void anAddressThatIsResolvedInAnotherWayIsStillReported() {
    test.policy = LoadBalancerProvider.roundRobin();
    resolves(FIRST);
    test.channel().connect();
    test.dial().isRefused();
    resolves(FIRST.withAddresses(List.of(TestResolver.address(1), TestResolver.address(2))));
    assertThat(addressesNamed()).containsExactly(TestResolver.address(1));
    ServiceConfig other =
        ServiceConfig.builder().loadBalancer(LoadBalancerProvider.leastRequest(2)).build();
    test.resolver
        .last()
        .listener
        .onResult(other.addTo((Resolution.Resolved) TestResolver.endpoints(1)));
    assertThat(addressesNamed()).containsExactly(TestResolver.address(1));
  }

  @Test
  void anAddressOfTwoEndpointsIsReportedAsLongAsOneHasIt() {
    test.policy = LoadBalancerProvider.roundRobin();
    resolves(FIRST, FIRST.withAuthority("other"));
    test.channel().connect();
    test.connector.dials.getFirst().isRefused();
    test.connector.dials.getLast().isRefused();
    resolves(FIRST);
    assertThat(addressesNamed()).containsExactly(TestResolver.address(1));
    resolves(SECOND);
    assertThat(addressesNamed()).isEmpty();
  }

  @Test
  void noAddressIsReportedAfterTheChannelWasIdle() {
    test.patientCall();
    test.dial().isRefused();
    assertThat(addressesNamed()).hasSize(1);
    test.resolver.answer = Optional.empty();
    test.channel().enterIdle();
    assertThat(addressesNamed()).isEmpty();
  }

  @Test
  void anAddressThatBecameReachableIsNoLongerReported() {
    test.call();
    test.dial().isRefused();
    TestCall patient = test.patientCall();
    test.advance(Duration.ofSeconds(2));
    test.dial().becomesReady().stream().endsWith(Status.UNAVAILABLE);
    assertThat(failureOf(patient).addresses()).isEmpty();
  }

  private void connectWithRetries(RetryPolicy policy) {
    connectWith(MethodConfig.builder().retryPolicy(policy).build());
  }

  private void connectWith(MethodConfig methods) {
    ServiceConfig config = ServiceConfig.builder().forAllMethods(methods).build();
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(config)
            .with(RetrySettings.DEFAULT.withMaxAttempts(100));
    test.connected();
  }

  @Test
  void theLastOfManyAttemptsHasItsNumber() {
    connectWithRetries(
        RetryPolicy.of(100, Status.Code.UNAVAILABLE)
            .withInitialBackoff(Duration.ofSeconds(1))
            .withMaxBackoff(Duration.ofSeconds(1)));
    TestCall call = test.call();
    for (int i = 1; i <= 100; i++) {
      test.dial().transport.stream().endsWith(Status.UNAVAILABLE.withDescription("busy " + i));
      test.advance(Duration.ofSeconds(2));
    }
    assertThat(call.status().asException())
        .hasMessageContaining("attempts 32 to 99 omitted; ")
        .hasMessageContaining("attempt 100 on server1/<unresolved>:1: UNAVAILABLE: busy 100");
    assertThat(failureOf(call).attemptCount()).isEqualTo(100);
    assertThat(failureOf(call).attempts()).hasSize(32);
  }

  @Test
  void anAttemptWithoutAResponseInTimeNamesItsServer() {
    connectWithRetries(
        RETRIED_AFTER_FOUR_SECONDS.withPerAttemptReceiveTimeout(Duration.ofSeconds(1)));
    TestCall call = test.call(test.within(Duration.ofSeconds(3)));
    test.advance(Duration.ofSeconds(3));
    assertThat(failureOf(call).inBackoff()).isEqualTo(Duration.ofSeconds(2));
    assertThat(call.status().asException()).hasMessageContaining("perAttemptRecvTimeout");
    assertNamesTheServer(call, Duration.ofSeconds(1));
  }

  @Test
  void anAttemptThatWaitedForAConnectionTooLongNamesNoServer() {
    connectWithRetries(
        RETRIED_AFTER_FOUR_SECONDS.withPerAttemptReceiveTimeout(Duration.ofSeconds(1)));
    test.dial().isLost();
    TestCall call = test.call(test.within(Duration.ofSeconds(3)).withWaitForReady(true));
    test.advance(Duration.ofSeconds(3));
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts())
        .singleElement()
        .satisfies(it -> assertThat(it.server()).isEmpty());
    assertThat(failure.onWire()).isEmpty();
  }

  private static Metadata pushback(Duration time) {
    Metadata trailers = new Metadata();
    trailers.add(Pushback.KEY, Long.toString(time.toMillis()));
    return trailers;
  }

  /** The server refuses the current attempt, and asks for this time before the next. */
  private void refuses(Duration pushback) {
    test.dial().transport.stream().endsWith(lostAt(1), pushback(pushback));
  }

  @Test
  void timeInBackoffIsNotOnTheWire() {
    connectWithRetries(RETRIED_AFTER_FOUR_SECONDS);
    TestCall call = test.call(test.within(Duration.ofSeconds(10)));
    for (int i = 0; i < 2; i++) {
      refuses(Duration.ofSeconds(4));
      test.advance(Duration.ofSeconds(4));
    }
    test.advance(Duration.ofSeconds(2));
    refuses(NO_MORE);
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts()).hasSize(3);
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(8));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(2));
    assertThat(call.status().asException())
        .hasMessageContaining("backoff 8000 ms")
        .hasMessageContaining("wire 2000 ms");
    assertThat(failure).asString().contains("backoff 8000 ms; wire 2000 ms");
  }

  @Test
  void theBackoffOfThePolicyCountsUntilTheNextAttempt() {
    connectWithRetries(RETRIED_AFTER_FOUR_SECONDS);
    TestCall call = test.call(test.within(Duration.ofSeconds(10)));
    test.dial().transport.stream().endsWith(lostAt(1));
    test.advance(Duration.ofSeconds(5));
    refuses(NO_MORE);
    CallFailure failure = failureOf(call);
    assertThat(failure.inBackoff()).isBetween(Duration.ofMillis(3200), Duration.ofMillis(4800));
    assertThat(failure.inBackoff().plus(failure.onWire().orElseThrow()))
        .isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void aDeadlineInABackoffEndsIt() {
    connectWithRetries(RETRIED_AFTER_FOUR_SECONDS);
    TestCall call = test.call(test.within(Duration.ofSeconds(3)));
    test.advance(Duration.ofSeconds(1));
    refuses(Duration.ofSeconds(4));
    test.advance(Duration.ofSeconds(2));
    CallFailure failure = failureOf(call);
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(2));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(1));
  }

  @Test
  void aWaitForAConnectionAfterABackoffIsInTheQueue() {
    connectWithRetries(RETRIED_AFTER_FOUR_SECONDS);
    TestCall call = test.call(test.within(Duration.ofSeconds(10)).withWaitForReady(true));
    refuses(Duration.ofSeconds(4));
    test.dial().isLost();
    test.advance(Duration.ofSeconds(10));
    CallFailure failure = failureOf(call);
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(4));
    assertThat(failure.inResolver().plus(failure.inQueue())).isEqualTo(Duration.ofSeconds(6));
    assertThat(failure.onWire()).hasValue(Duration.ZERO);
  }

  @Test
  void theDelayOfHedgingIsNoBackoffWhileAnAttemptIsUnderWay() {
    HedgingPolicy hedged =
        HedgingPolicy.of(3)
            .withHedgingDelay(Duration.ofSeconds(1))
            .withNonFatalStatusCodes(List.of(Status.Code.UNAVAILABLE));
    connectWith(MethodConfig.builder().hedgingPolicy(hedged).build());
    TestCall call = test.call(test.within(Duration.ofSeconds(10)));
    FakeStream<?> first = test.dial().transport.stream();
    test.advance(Duration.ofSeconds(1));
    FakeStream<?> second = test.dial().transport.stream();
    first.endsWith(lostAt(1), pushback(Duration.ofSeconds(5)));
    test.advance(Duration.ofSeconds(2));
    second.endsWith(lostAt(1), pushback(Duration.ofSeconds(3)));
    test.advance(Duration.ofSeconds(3));
    refuses(NO_MORE);
    CallFailure failure = failureOf(call);
    assertThat(failure.attempts()).hasSize(3);
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(3));
  }

  @Test
  void timeInCredentialsIsNotOnTheWire() {
    CompletableFuture<Metadata> answer = new CompletableFuture<>();
    FakeTransport transport = test.connected();
    TestCall call =
        test.call(test.within(Duration.ofSeconds(10)).withCallCredentials(request -> answer));
    test.advance(Duration.ofSeconds(3));
    answer.complete(new Metadata());
    test.advance(Duration.ofSeconds(2));
    transport.stream().endsWith(lostAt(1));
    CallFailure failure = failureOf(call);
    assertThat(failure.inCredentials()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure.onWire()).hasValue(Duration.ofSeconds(2));
    assertThat(call.status().asException()).hasMessageContaining("credentials 3000 ms");
  }

  @Test
  void aDeadlineEndsTheTimeInCredentials() {
    test.connected();
    CallOptions options = test.within(Duration.ofSeconds(4));
    TestCall call = test.call(options.withCallCredentials(request -> new CompletableFuture<>()));
    test.advance(Duration.ofSeconds(4));
    CallFailure failure = failureOf(call);
    assertThat(failure.inCredentials()).isEqualTo(Duration.ofSeconds(4));
    assertThat(failure.inQueue()).isZero();
    assertThat(failure.onWire()).isEmpty();
  }

  @Test
  void credentialsOfEachAttemptCount() {
    connectWithRetries(RETRIED_AFTER_FOUR_SECONDS);
    List<CompletableFuture<Metadata>> answers = new ArrayList<>();
    CallCredentials late =
        request -> {
          answers.add(new CompletableFuture<>());
          return answers.getLast();
        };
    TestCall call = test.call(test.within(Duration.ofSeconds(20)).withCallCredentials(late));
    for (int i = 0; i < 3; i++) {
      test.advance(Duration.ofSeconds(1));
      answers.getLast().complete(new Metadata());
      refuses(i < 2 ? Duration.ofSeconds(4) : NO_MORE);
      test.advance(Duration.ofSeconds(4));
    }
    CallFailure failure = failureOf(call);
    assertThat(failure.inCredentials()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure.inBackoff()).isEqualTo(Duration.ofSeconds(8));
    assertThat(failure.onWire()).hasValue(Duration.ZERO);
  }
}
