package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelState;
import dev.gannet.client.resolver.Attributes;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.net.SocketAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A channel's states, what makes it resolve and connect, and what its users' parts may do wrong.
 */
final class ChannelCoreTest {
  private static final Duration BACKOFF = Duration.ofMillis(1201);

  /** How long a channel may look for calls whose request is not sent yet. */
  private static final Duration LOOK = Duration.ofMillis(100);

  private final TestChannel test = new TestChannel();

  /** Whatever happened: shut down at once, a channel ends its calls and leaves nothing behind. */
  @AfterEach
  void aChannelEnds() {
    test.channel().shutdownNow();
    for (FakeConnector.Dial dial : List.copyOf(test.connector.dials)) {
      dial.then.onNotOpened("taken back");
      dial.isGone("closed");
    }
    assertThat(test.channel().isTerminated()).isTrue();
    assertThat(test.channel().pendingCalls()).isZero();
    assertThat(test.resolver.made).allMatch(it -> it.shutDown);
    test.advance(Duration.ofSeconds(1));
    assertThat(test.loop.pendingTasks()).isZero();
  }

  private ConnectivityState state() {
    return test.channel().state();
  }

  private void assertServed() {
    TestCall call = test.call();
    if (state() != ConnectivityState.READY) {
      test.dial().becomesReady();
    }
    FakeTransport transport = test.dial().transport;
    transport.stream().answers("served");
    transport.stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);
  }

  @Test
  void aChannelWithoutCallsResolvesNothing() {
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.resolver.made).isEmpty();
    assertThat(test.channel()).hasToString("ManagedChannel(test:///name)");
    assertThat(test.channel().authority()).isEqualTo("name");
  }

  @Test
  void theFirstCallResolvesAndConnectsAndIsPendingMeanwhile() {
    TestCall call = test.call();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(test.channel().pendingCalls()).isOne();
    test.advance(Duration.ofSeconds(3));
    test.call();
    assertThat(test.channel().pendingCalls()).isEqualTo(2);
    assertThat(test.channel().longestPending()).isEqualTo(Duration.ofSeconds(3));
    FakeTransport transport = test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    assertThat(test.channel().pendingCalls()).isZero();
    assertThat(test.channel().longestPending()).isZero();
    assertThat(transport.streams).hasSize(2);
    assertThat(call.isOver()).isFalse();
    assertServed();
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void aLostConnectionLeavesTheChannelIdleUntilTheNextCall() {
    test.connected();
    test.dial().isLost();
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    test.advance(Duration.ofHours(1));
    assertThat(test.connector.dials).hasSize(1);
    assertThat(test.resolver.last().refreshes).isOne();
    assertServed();
    assertThat(test.connector.dials).hasSize(2);
  }

  @Test
  void aCallThatFindsAConnectionGoneWaitsForTheNext() {
    test.connected();
    TestCall call = test.start(TestChannel.BIDI);
    test.dial().goesAway();
    TestCall next = test.call();
    assertThat(next.isOver()).isFalse();
    assertThat(test.connector.dials).hasSize(2);
    test.dial().isRefused();
    assertThat(next.text()).startsWith("cannot connect to test:///name: connection refused");
    assertThat(call.isOver()).isFalse();
  }

  @Test
  void inTransientFailureCallsFailAtOnceUnlessTheyWaitForReady() {
    test.call();
    TestCall patient = test.patientCall();
    test.dial().isRefused();
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(patient.isOver()).isFalse();
    assertThat(test.call().status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    test.advance(BACKOFF);
    test.dial().becomesReady().stream().answers("at last");
    assertThat(patient.heard).containsExactly("at last");
  }

  @Test
  void aWaitForReadyCallAfterTheBackoffConnectsAgain() {
    test.call();
    test.dial().isRefused();
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    test.patientCall();
    assertThat(test.connector.dials).hasSize(2);
  }

  @Test
  void ifTheBackoffTimerIsRefusedAllPendingCallsFail() {
    TestCall patient = test.patientCall();
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    test.dial().isRefused();
    assertThat(patient.text()).startsWith("connection refused");
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.connector.dials).hasSize(1);
    test.pipes.refused.clear();
    assertServed();
  }

  // The resolver.

  @Test
  void aResolverThatFailsFailsTheCallsThatWait() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    TestCall call = test.call();
    assertThat(call.text()).isEqualTo("cannot connect to test:///name: no such name");
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(test.resolver.last().shutDown).isTrue();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    assertServed();
    assertThat(test.resolver.made).hasSize(2);
  }

  @Test
  void aResolverThatFailsIsAskedAgainForCallsThatWaitOrHaveFailed() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    TestCall patient = test.patientCall();
    assertThat(test.call().isOver()).isTrue();
    test.advance(BACKOFF);
    assertThat(test.resolver.last().refreshes).isOne();
    test.resolver.answer = Optional.of(TestResolver.endpoints(1));
    test.advance(Duration.ofSeconds(2));
    assertThat(test.resolver.made).hasSize(1);
    test.dial().becomesReady().stream().answers("at last");
    assertThat(patient.heard).containsExactly("at last");
  }

  @Test
  void aResolverMayReportAResultUnasked() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    test.patientCall();
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    test.advance(LOOK);
    assertThat(test.loop.pendingTasks()).isZero(); // nobody asks again
    test.resolver.last().listener.onResult(TestResolver.failure("later"));
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void aResolverThatAnswersNothingFailsAfterHalfAMinute() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(29));
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofSeconds(1));
    assertThat(call.text()).contains("the resolver for 'test' did not answer within 30 s");
    test.resolver.last().listener.onResult(TestResolver.endpoints(1)); // late is better than never
    assertThat(test.connector.dials).hasSize(1);
  }

  @Test
  void aCallAfterALossDoesNotWaitForTheResolver() {
    test.connected();
    test.dial().isLost();
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    assertThat(test.resolver.last().refreshes).isEqualTo(2); // the first was answered
    assertThat(test.connector.dials).hasSize(2);
    test.dial().becomesReady();
    assertThat(call.isOver()).isFalse();
    assertThat(test.dial().transport.streams).hasSize(1);
  }

  @Test
  void aCallAfterALossFailsOnlyWhenTheResolverHasAnsweredToo() {
    test.connected();
    test.dial().isLost();
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.dial().isRefused();
    assertThat(call.isOver()).isFalse();
    test.resolver.last().listener.onResult(TestResolver.endpoints(TestResolver.address(2)));
    assertThat(call.isOver()).isFalse();
    test.dial().isRefused();
    assertThat(call.text()).startsWith("cannot connect to test:///name: connection refused");
    assertThat(test.connector.dials).hasSize(3);
  }

  @Test
  void anEmptyOrNullResultIsAFailure() {
    test.resolver.answer = Optional.of(Resolution.of(List.of()));
    assertThat(test.call().text()).contains("the resolver for 'test' found no endpoints");
    test.resolver.last().listener.onResult(Nulls.none());
    assertThat(test.call().text()).contains("the resolver for 'test' returned null as its result");
  }

  @Test
  void aResolverThatThrowsHasFailedAndIsReplacedByANewOne() {
    test.resolver.thrown = Optional.of(new LinkageError("no file"));
    TestCall call = test.call();
    assertThat(call.text()).contains("the resolver for 'test' failed: no file");
    assertThat(call.status().cause()).containsInstanceOf(LinkageError.class);
    assertThat(test.resolver.last().shutDown).isTrue();
    test.call();
    test.resolver.thrown = Optional.empty();
    test.advance(BACKOFF);
    test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
    assertThat(test.resolver.made).hasSize(2);
  }

  /** The timer of one request has fired, but its task waits; meanwhile it is asked again. */
  @Test
  void aTimerThatComesLateIsNotThatOfTheNextRequest() {
    List<Runnable> fired = new ArrayList<>();
    test.pipes.timers = fired::add;
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.advance(Duration.ofSeconds(31));
    test.resolver
        .last()
        .listener
        .onResult(Resolution.failed(Status.UNAVAILABLE.withDescription("late")));
    call.text();
    test.pipes.timers = Runnable::run;
    test.advance(BACKOFF);
    TestCall next = test.call();
    fired.forEach(Runnable::run);
    assertThat(next.isOver()).isFalse();
  }

  @Test
  void aResolverThatThrowsOnRefreshIsAskedAgain() {
    test.connected();
    test.dial().isLost();
    test.resolver.thrown = Optional.of(new LinkageError("no file"));
    test.call();
    test.dial().becomesReady(); // by the address of before
    test.dial().isLost();
    test.resolver.thrown = Optional.empty();
    assertServed();
    assertThat(test.resolver.made).hasSize(1);
  }

  @Test
  void aProviderThatMakesNoResolverHasFailed() {
    test.resolver.makesNothing = true;
    assertThat(test.call().text()).contains("the resolver for 'test' was not created");
    test.resolver.makesNothing = false;
    test.advance(BACKOFF);
    assertServed();
  }

  @Test
  void ifTheTimerIsRefusedAResolverMayTakeAnyTime() {
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.pipes.refused.clear();
    test.advance(Duration.ofHours(1));
    assertThat(call.isOver()).isFalse();
    test.resolver.last().listener.onResult(TestResolver.endpoints(1));
    test.dial().becomesReady();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void ifTheResolversBackoffTimerIsRefusedAllPendingCallsFail() {
    test.pipes.refused.add(FakePipes.Service.SCHEDULE);
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    TestCall patient = test.patientCall();
    assertThat(patient.text()).contains("no such name");
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void aResolversTasksRunOneAtATimeWithItsMethodsAndNotAfterItsEnd() {
    test.connected();
    TestResolver.Made resolver = test.resolver.last();
    List<String> ran = new ArrayList<>();
    resolver.context.execute(() -> {
      resolver.context.execute(() -> ran.add("second"));
      ran.add("first");
    });
    assertThat(ran).containsExactly("first", "second");
    resolver.context.schedule(() -> ran.add("third"), Duration.ofSeconds(1));
    resolver.context.schedule(() -> ran.add("cancelled"), Duration.ofSeconds(1)).close();
    resolver.context.schedule(() -> ran.add("late"), Duration.ofSeconds(2));
    resolver.context.schedule(() -> ran.add("never"), ChronoUnit.FOREVER.getDuration());
    assertThat(resolver.context.nanoTime()).isEqualTo(test.loop.nanoTime());
    test.advance(Duration.ofSeconds(1));
    assertThat(ran).containsExactly("first", "second", "third");
    test.channel().enterIdle();
    assertThat(resolver.shutDown).isTrue();
    resolver.context.schedule(() -> ran.add("too late"), Duration.ofSeconds(1));
    resolver.context.execute(() -> ran.add("too late"));
    test.advance(Duration.ofDays(1));
    assertThat(ran).containsExactly("first", "second", "third");
  }

  @Test
  void aResolverGetsWhatAnEarlierOneHasKept() {
    Attributes.Key<Integer> percentile = Attributes.Key.of("percentile");
    Attributes.Key<String> version = Attributes.Key.of("version");
    test.connected();
    assertThat(test.resolver.last().context.kept(percentile)).isEmpty();
    test.resolver.last().context.keep(percentile, 6);
    test.resolver.last().context.keep(version, "etag");
    test.resolver.last().context.keep(percentile, 7);
    test.channel().enterIdle();
    test.call();
    assertThat(test.resolver.made).hasSize(2);
    assertThat(test.resolver.last().context.kept(percentile)).contains(7);
    assertThat(test.resolver.last().context.kept(version)).contains("etag");
  }

  @Test
  void aResolversTaskRunsAfterTheMethodThatCausesIt() {
    test.connected();
    TestResolver.Made resolver = test.resolver.last();
    List<String> ran = new ArrayList<>();
    resolver.context.execute(() -> {
      resolver.listener.onResult(Resolution.of(List.of())); // is rejected when this has ended
      ran.add("rejections " + resolver.rejections.size());
    });
    assertThat(ran).containsExactly("rejections 0");
    assertThat(resolver.rejections).containsExactly("the resolver for 'test' found no endpoints");
  }

  @Test
  void aTaskOfAResolverThatThrowsIsAFailureOfTheResolver() {
    test.resolver.answer = Optional.empty();
    TestCall call = test.call();
    test.resolver
        .last()
        .context
        .execute(() -> {
          throw new IllegalStateException("no file");
        });
    assertThat(call.text()).contains("the resolver for 'test' failed: no file");
  }

  @Test
  void aResolverLearnsThatItsResultIsNotUsed() {
    test.connected();
    TestResolver.Made resolver = test.resolver.last();
    resolver.listener.onResult(TestResolver.endpoints(2));
    resolver.listener.onResult(TestResolver.failure("later"));
    assertThat(resolver.rejections).isEmpty();
    resolver.listener.onResult(Resolution.of(List.of()));
    assertThat(resolver.rejections).containsExactly("the resolver for 'test' found no endpoints");
  }

  @Test
  void resultsOfAResolverAfterItsShutdownAreIgnored() {
    test.connected();
    TestResolver.Made resolver = test.resolver.last();
    test.channel().shutdownNow();
    resolver.listener.onResult(TestResolver.endpoints(2));
    assertThat(test.connector.dials).hasSize(1);
  }

  // The policy.

  /** A policy that connects to all, and is otherwise made of what a test gives it. */
  private static final class TestPolicy implements LoadBalancer {
    private final Context context;
    private final BiConsumer<Context, Resolution.Resolved> onResolved;
    private int exits;
    private boolean shutDown;
    private Optional<RuntimeException> thrownByShutdown = Optional.empty();

    TestPolicy(Context context, BiConsumer<Context, Resolution.Resolved> onResolved) {
      this.context = context;
      this.onResolved = onResolved;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      onResolved.accept(context, resolved);
    }

    @Override
    public void onResolutionFailed(Status why) {}

    @Override
    public void exitIdle() {
      exits++;
    }

    @Override
    public void shutdown() {
      assertThat(shutDown).isFalse();
      shutDown = true;
      if (thrownByShutdown.isPresent()) {
        throw thrownByShutdown.get();
      }
    }
  }

  private record TestPolicies(Function<LoadBalancer.Context, LoadBalancer> maker)
      implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "mine";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return maker.apply(context);
    }
  }

  @SuppressWarnings("NullAway.Init") // when the channel makes it
  private TestPolicy policy;

  private Optional<RuntimeException> thrownByPolicy = Optional.empty();

  private void usePolicy(BiConsumer<LoadBalancer.Context, Resolution.Resolved> onResolved) {
    test.policy = new TestPolicies(context -> policy = new TestPolicy(context, onResolved));
  }

  private void usePicker(Picker picker) {
    usePolicy((context, resolved) -> context.updateState(ConnectivityState.READY, picker));
  }

  private static Endpoint endpoint(int number) {
    return Endpoint.of(TestResolver.address(number));
  }

  private static void connectsTo(
      LoadBalancer.Context context, SocketAddress address, Subchannel.Listener listener) {
    context.createSubchannel(Endpoint.of(address), listener).connect();
  }

  @Test
  void aPolicyThatThrowsIsShutDownAndLaterReplacedByANewOne() {
    thrownByPolicy = Optional.of(new IllegalStateException("out of weights"));
    usePolicy((context, resolved) -> {
      if (thrownByPolicy.isPresent()) {
        throw thrownByPolicy.get();
      }
      connectsTo(
          context,
          TestResolver.address(1),
          (it, now) ->
              context.updateState(
                  now.connectivity(),
                  now == SubchannelState.READY ? Picker.using(it) : Picker.queueing()));
    });
    TestCall call = test.call();
    assertThat(call.text()).isEqualTo("the load-balancing policy mine failed: out of weights");
    assertThat(call.status().cause()).isEqualTo(thrownByPolicy);
    assertThat(state()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    TestPolicy first = policy;
    first.context.updateState(ConnectivityState.READY, Picker.queueing()); // has no say any more
    first.context.refreshNameResolution();
    first.context.createSubchannel(endpoint(1), (it, now) -> {}).connect();
    assertThat(first.shutDown).isTrue();
    assertThat(test.call().isOver()).isTrue();
    assertThat(test.connector.dials).isEmpty();
    thrownByPolicy = Optional.empty();
    test.advance(BACKOFF);
    assertThat(policy).isNotSameAs(first);
    test.dial().becomesReady();
    assertServed();
  }

  @Test
  void aPolicyThatThrowsAlsoInItsShutdownHasFailedOnce() {
    usePolicy((context, resolved) -> {
      policy.thrownByShutdown = Optional.of(new IllegalStateException("out of order"));
      throw new IllegalStateException("out of weights");
    });
    TestCall call = test.call();
    assertThat(call.text()).isEqualTo("the load-balancing policy mine failed: out of weights");
    assertThat(policy.shutDown).isTrue();
    TestPolicy first = policy;
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
    assertThat(policy).isSameAs(first);
  }

  @Test
  void aTaskThatAPolicySchedulesForeverNeverRuns() {
    List<String> ran = new ArrayList<>();
    usePolicy((context, resolved) -> {
      context.schedule(() -> ran.add("forever"), ChronoUnit.FOREVER.getDuration());
      context.schedule(() -> ran.add("at once"), ChronoUnit.FOREVER.getDuration().negated());
    });
    test.call();
    assertThat(state()).isEqualTo(ConnectivityState.CONNECTING); // it has not failed
    test.advance(Duration.ofDays(365));
    assertThat(ran).containsExactly("at once");
  }

  @Test
  void afterAPolicyHasThrownAChannelWithoutWaitingCallsIsIdle() {
    usePolicy((context, resolved) -> {
      throw new IllegalStateException("out of weights");
    });
    test.call();
    test.advance(BACKOFF);
    assertThat(state()).isEqualTo(ConnectivityState.IDLE);
  }

  @Test
  void aPolicyThatThrowsInAStateListenerLosesItsConnections() {
    usePolicy((context, resolved) ->
        connectsTo(
            context,
            TestResolver.address(1),
            (it, now) -> {
              if (now == SubchannelState.READY) {
                throw new IllegalStateException("never ready");
              }
            }));
    TestCall call = test.call();
    test.dial().becomesReady();
    assertThat(call.text()).endsWith("mine failed: never ready");
    assertThat(test.dial().transport.shutdowns).isPositive();
  }

  @Test
  void aProviderThatCreatesNoPolicyFailsTheCalls() {
    test.policy = new TestPolicies(context -> Nulls.none());
    assertThat(test.call().text()).endsWith("mine failed: its provider returned null");
    test.policy =
        new TestPolicies(context -> {
          throw new IllegalArgumentException();
        });
    ManagedChannel other = test.anotherChannel();
    TestCall call = new TestCall(other.newCall(TestChannel.UNARY, CallOptions.DEFAULT)).start();
    assertThat(call.text()).endsWith("mine failed: java.lang.IllegalArgumentException");
    other.shutdownNow();
  }

  @Test
  void aPickerThatThrowsOrReturnsNullFailsOnlyItsCall() {
    usePicker(args -> {
      throw new IllegalStateException("no dice");
    });
    Status status = test.call().status();
    assertThat(status)
        .hasToString("INTERNAL: the picker of the load-balancing policy mine failed: no dice");
    assertThat(status.cause()).containsInstanceOf(IllegalStateException.class);
    policy.context.updateState(ConnectivityState.READY, args -> Nulls.none());
    assertThat(test.patientCall().text()).endsWith("mine failed: it returned null");
  }

  @Test
  void aCallThatThePolicyLetsWaitNamesThePolicy() {
    usePicker(args -> Pick.queue());
    TestCall call = test.call(test.within(Duration.ofSeconds(1)));
    test.advance(Duration.ofSeconds(1));
    assertThat(call.text())
        .startsWith(
            "deadline exceeded after 1 s, waiting for a connection to test:///name that the"
                + " load-balancing policy mine chooses");
  }

  @Test
  void theStatusOfACallThatWaitsNeedsNoFurtherPick() {
    AtomicInteger picks = new AtomicInteger();
    usePicker(args -> {
      picks.incrementAndGet();
      return Pick.queue();
    });
    TestCall call = test.call(test.within(Duration.ofSeconds(1)));
    int before = picks.get();
    test.advance(Duration.ofSeconds(1));
    assertThat(call.text()).contains("that the load-balancing policy mine chooses");
    Status why = Status.UNAVAILABLE.withDescription("no route");
    policy.context.updateState(
        ConnectivityState.TRANSIENT_FAILURE,
        args -> {
          picks.incrementAndGet();
          return Pick.fail(why);
        });
    TestCall patient = test.call(test.within(Duration.ofSeconds(1)).withWaitForReady(true));
    assertThat(picks).hasValue(before + 2); // one at its start, and one when it waits
    test.advance(Duration.ofSeconds(1));
    assertThat(patient.text()).contains("no route");
    assertThat(picks).hasValue(before + 2);
  }

  @Test
  void aPickerMayDropCallsThatWaitForReady() {
    usePicker(args -> Pick.drop(Status.RESOURCE_EXHAUSTED));
    assertThat(test.patientCall().status()).isEqualTo(Status.RESOURCE_EXHAUSTED);
  }

  /** gRFC A54: applications act on these codes, which say something about their data. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "FAILED_PRECONDITION",
        "ABORTED",
        "OUT_OF_RANGE",
        "DATA_LOSS"
      })
  void codesThatOnlyServersMayUseBecomeInternalInAPicker(Status.Code code) {
    Status why = code.toStatus().withDescription("no");
    String told = "INTERNAL: the load-balancing policy failed: " + code + ": no";
    usePicker(args -> Pick.fail(why));
    assertThat(test.call().status()).hasToString(told);
    policy.context.updateState(ConnectivityState.READY, args -> Pick.drop(why));
    assertThat(test.call().status()).hasToString(told);
  }

  @ParameterizedTest
  @EnumSource(
      names = {
        "CANCELLED",
        "UNKNOWN",
        "PERMISSION_DENIED",
        "RESOURCE_EXHAUSTED",
        "UNIMPLEMENTED",
        "INTERNAL",
        "UNAUTHENTICATED"
      })
  void otherCodesOfAPickerBecomeTheStatusOfTheCall(Status.Code code) {
    Status why = code.toStatus().withDescription("no");
    usePicker(args -> Pick.fail(why));
    assertThat(test.call().status()).isEqualTo(why);
  }

  @Test
  void aPickerSeesMethodHeadersAndOptionsOfTheCall() {
    CallOptions.Key<String> key = CallOptions.Key.of("shard", "");
    usePicker(args -> {
      String seen = args.method().fullMethodName() + args.headers() + args.options().option(key);
      return Pick.drop(Status.UNAUTHENTICATED.withDescription(seen));
    });
    assertThat(test.call(CallOptions.DEFAULT.withOption(key, "seven")).text())
        .contains("test.Texts/UNARY")
        .endsWith("seven");
  }

  @Test
  void aSubchannelThatTheChannelDidNotCreateEndsTheCallWithInternal() {
    usePolicy((context, resolved) ->
        context.updateState(ConnectivityState.READY, Picker.using(new Foreign())));
    assertThat(test.patientCall().status())
        .hasToString(
            "INTERNAL: the load-balancing policy picked a subchannel that the channel did not"
                + " create");
  }

  private record Foreign() implements Subchannel {
    @Override
    public <Q, R> Registration watch(MethodDescriptor<Q, R> method, Q request, Watcher<R> watcher) {
      throw new UnsupportedOperationException("nobody asks");
    }

    @Override
    public Endpoint endpoint() {
      return Endpoint.of(TestResolver.address(1));
    }

    @Override
    public void connect() {}

    @Override
    public void shutdown() {}
  }

  @Test
  void aCallForASubchannelThatIsNotReadyWaitsUntilItIs() {
    usePolicy((context, resolved) -> {
      Subchannel only = context.createSubchannel(endpoint(1), (it, now) -> {});
      only.connect();
      context.updateState(ConnectivityState.READY, Picker.using(only));
    });
    TestCall call = test.call();
    assertThat(test.channel().pendingCalls()).isOne();
    test.dial().becomesReady().stream().answers("yes"); // the policy publishes nothing
    assertThat(call.heard).containsExactly("yes");
  }

  @Test
  void aPickerReadsTheAttributesOfTheSubchannelsEndpoint() {
    Attributes.Key<String> zone = Attributes.Key.of("zone");
    Endpoint endpoint =
        Endpoint.of(TestResolver.address(1)).withAttributes(Attributes.EMPTY.with(zone, "eu"));
    List<Subchannel> made = new ArrayList<>();
    usePolicy((context, resolved) -> {
      made.add(context.createSubchannel(endpoint, (it, now) -> {}));
      made.add(context.createSubchannel(endpoint(2), (it, now) -> {}));
      context.updateState(
          ConnectivityState.READY,
          args -> Pick.fail(Status.ABORTED.withDescription(made.get(0).attributes().toString())));
    });
    assertThat(test.call().text()).endsWith("ABORTED: {zone=eu}");
    assertThat(made.get(1).attributes()).isEqualTo(Attributes.EMPTY);
  }

  @Test
  void aSubchannelWithSeveralAddressesIsAFaultOfThePolicy() {
    Endpoint both = Endpoint.of(List.of(TestResolver.address(1), TestResolver.address(2)));
    usePolicy((context, resolved) -> context.createSubchannel(both, (it, now) -> {}).connect());
    assertThat(test.call().text()).contains("the endpoint has several addresses: ");
    assertThat(test.connector.dials).isEmpty();
  }

  @Test
  void aCallTellsAnIdlePolicyToExitIdleOnce() {
    usePolicy(
        (context, resolved) -> context.updateState(ConnectivityState.IDLE, Picker.queueing()));
    test.call();
    assertThat(policy.exits).isOne();
    policy.context.updateState(ConnectivityState.IDLE, Picker.queueing());
    assertThat(policy.exits).isOne();
    test.call();
    assertThat(policy.exits).isEqualTo(2);
    policy.context.updateState(ConnectivityState.TRANSIENT_FAILURE, Picker.failing(Status.ABORTED));
    policy.context.updateState(ConnectivityState.IDLE, Picker.queueing());
    assertThat(policy.exits).isEqualTo(2); // nobody waits
    assertThat(policy.context.target()).isEqualTo("test:///name");
  }

  @Test
  void aPolicyThatPublishesNullAsPickerHasFailed() {
    usePolicy((context, resolved) -> context.updateState(ConnectivityState.READY, Nulls.none()));
    assertThat(test.call().text()).endsWith("mine failed: picker");
  }

  @Test
  void roundRobinUsesAllReadyConnectionsInTurn() {
    test.policy = new EveryAddressInTurn.Found();
    test.resolver.answer = Optional.of(TestResolver.endpoints(2));
    test.call();
    test.connector.dials.forEach(FakeConnector.Dial::becomesReady);
    for (int i = 0; i < 4; i++) {
      test.call();
    }
    assertThat(test.connector.dials)
        .extracting(it -> it.transport.streams.size())
        .containsExactlyInAnyOrder(3, 2);
    test.connector.dials.getFirst().isLost();
    assertThat(test.connector.dials).hasSize(3);
    test.call();
    assertThat(state()).isEqualTo(ConnectivityState.READY);
  }

  // Its end.

  @Test
  void withoutCallsShutdownTerminatesTheChannelAtOnce() {
    test.channel().shutdown();
    assertThat(test.channel().isShutdown()).isTrue();
    assertThat(test.channel().isTerminated()).isTrue();
    assertThat(state()).isEqualTo(ConnectivityState.SHUTDOWN);
    assertThat(test.call().text()).isEqualTo("the channel is shut down");
  }

  @Test
  void withCallsShutdownTerminatesTheChannelAfterTheLastOne() {
    FakeTransport transport = test.connected();
    TestCall call = test.call();
    test.channel().shutdown();
    assertThat(transport.shutdowns).isZero();
    assertThat(state()).isEqualTo(ConnectivityState.SHUTDOWN);
    transport.stream().endsWith(Status.ABORTED);
    assertThat(call.status()).isEqualTo(Status.ABORTED);
    assertThat(transport.shutdowns).isOne();
    assertThat(test.channel().isTerminated()).isFalse();
    test.dial().isLost();
    assertThat(test.channel().isTerminated()).isTrue();
  }

  @Test
  void shutdownNowEndsCallsInEveryState() {
    FakeTransport transport = test.connected();
    TestCall underWay = test.call();
    TestCall unsent = test.start(TestChannel.UNARY);
    test.advance(Duration.ofMillis(100));
    TestCall unsentSinceJustNow = test.start(TestChannel.UNARY);
    test.dial().goesAway();
    TestCall pending = test.patientCall();
    test.channel().shutdownNow();
    for (TestCall call : List.of(underWay, unsent, unsentSinceJustNow, pending)) {
      assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
    }
    assertThat(transport.endings).hasSize(1);
  }

  @Test
  void afterShutdownTheResolverIsNotAskedAgain() {
    test.resolver.answer = Optional.of(TestResolver.failure("no such name"));
    TestCall patient = test.patientCall();
    test.channel().shutdown();
    patient.call.cancel("enough");
    assertThat(test.channel().isTerminated()).isTrue();
    test.advance(LOOK);
    assertThat(test.loop.pendingTasks()).isZero();
  }

  @Test
  void shutdownCanBeRepeatedAfterAnException() {
    FakeTransport transport = test.connected();
    transport.thrownByShutdown = Optional.of(new IllegalStateException("not now"));
    assertThatThrownBy(() -> test.channel().shutdown()).hasMessage("not now");
    transport.thrownByShutdown = Optional.empty();
    test.channel().shutdown();
    assertThat(transport.shutdowns).isEqualTo(2);
  }

  @Test
  void aCallThatFindsTheChannelClosedWhileItBeginsEnds() {
    usePicker(args -> {
      test.channel().shutdownNow();
      return Pick.queue();
    });
    TestCall call = test.start(TestChannel.UNARY);
    assertThat(call.text()).isEqualTo("the channel was closed before the call ended");
  }

  @Test
  void aCallRefusedAfterShutdownDoesNotKeepTheChannelOpen() {
    test.connected();
    TestCall call = test.call();
    test.channel().shutdown();
    assertThat(test.call().text()).isEqualTo("the channel is shut down");
    call.call.cancel("enough");
    assertThat(test.dial().transport.shutdowns).isOne();
  }

  @Test
  void aSubchannelOfAPolicyThatHasEndedIsShutDownAtOnce() {
    usePolicy((context, resolved) -> {
      context.updateState(ConnectivityState.READY, args -> Pick.queue());
      context.createSubchannel(endpoint(1), (it, now) -> {});
      throw new IllegalStateException("behind what it has asked for");
    });
    test.call();
    assertThat(test.connector.dials).isEmpty();
    test.channel().shutdownNow();
    assertThat(test.channel().isTerminated()).isTrue();
  }
}
