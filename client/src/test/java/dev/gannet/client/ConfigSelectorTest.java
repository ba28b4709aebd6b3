package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallOptions;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.EndpointChooser;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.LoadBalancerProvider;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.ReadyEndpoint;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.ConfigSelection;
import dev.gannet.client.config.ConfigSelector;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A resolver can have the settings of each call chosen by what is known of the call. */
final class ConfigSelectorTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Metadata.Key<String> TIER = Metadata.Key.ascii("tier");
  private static final CallOptions.Key<Integer> SERVER = CallOptions.Key.of("server", 0);

  private static final ConfigSelection RETRIES =
      ConfigSelection.use(MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build());

  private final TestChannel test = new TestChannel();

  /** The tiers of the calls that were asked about. */
  private final List<String> asked = new ArrayList<>();

  private static Resolution.Resolved endpoints(int number) {
    return (Resolution.Resolved) TestResolver.endpoints(number);
  }

  private static ConfigSelection timeout(Duration timeout) {
    return ConfigSelection.use(MethodConfig.builder().timeout(timeout).build());
  }

  /** Gold calls may take two seconds, others one. */
  private ConfigSelection byTier(ConfigSelector.Args call) {
    String tier = call.headers().get(TIER).orElse("none");
    asked.add(tier);
    return timeout(tier.equals("gold") ? SECOND.multipliedBy(2) : SECOND);
  }

  private void resolverSays(ConfigSelector selector) {
    test.resolver.answer = Optional.of(selector.addTo(endpoints(1)));
  }

  private void resolverNowSays(ConfigSelector selector) {
    test.resolver.last().listener.onResult(selector.addTo(endpoints(1)));
  }

  private TestCall call(String tier, CallOptions options) {
    return call(TestChannel.UNARY, tier, options);
  }

  private TestCall call(MethodDescriptor<String, String> method, String tier, CallOptions options) {
    TestCall call = new TestCall(test.channel().newCall(method, options));
    Metadata headers = new Metadata();
    headers.set(TIER, tier);
    call.call.start(call, headers);
    return call.asks("request");
  }

  private TestCall call(String tier) {
    return call(tier, CallOptions.DEFAULT);
  }

  private FakeStream<?> stream() {
    return test.dial().transport.stream();
  }

  private long timeoutMillis() {
    return stream()
        .start
        .deadline()
        .map(it -> Duration.ofNanos(it.remainingNanos()).toMillis())
        .orElse(-1L);
  }

  @Test
  void theSettingsOfACallCanDependOnItsHeaders() {
    resolverSays(this::byTier);
    test.connected();
    call("gold");
    assertThat(timeoutMillis()).isEqualTo(2000);
    call("silver");
    assertThat(timeoutMillis()).isEqualTo(1000);
    call("gold", test.within(Duration.ofMillis(300))); // the shorter one applies, as always
    assertThat(timeoutMillis()).isEqualTo(300);
  }

  @Test
  void theSettingsOfACallCanDependOnItsMethodAndItsOptions() {
    resolverSays(call -> {
      boolean isPatient =
          call.method().equals(TestChannel.BIDI) && call.options().waitForReady().orElse(false);
      return timeout(isPatient ? SECOND.multipliedBy(2) : SECOND);
    });
    test.connected();
    CallOptions patient = CallOptions.DEFAULT.withWaitForReady(true);
    call(TestChannel.BIDI, "gold", patient);
    assertThat(timeoutMillis()).isEqualTo(2000);
    call(TestChannel.BIDI, "gold", CallOptions.DEFAULT);
    assertThat(timeoutMillis()).isEqualTo(1000);
    call(TestChannel.UNARY, "gold", patient);
    assertThat(timeoutMillis()).isEqualTo(1000);
  }

  @Test
  void theTimeoutThatWasChosenEndsACallWithoutAConnection() {
    resolverSays(this::byTier);
    test.connector.refusesAtOnce = true;
    TestCall call = call("gold", CallOptions.DEFAULT.withWaitForReady(true));
    test.advance(Duration.ofMillis(1999));
    assertThat(call.isOver()).isFalse();
    test.advance(Duration.ofMillis(1));
    assertThat(call.status().code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
  }

  @Test
  void callsOfOneMethodAreRetriedOrNotByTheirHeaders() {
    resolverSays(call -> call.headers().get(TIER).isPresent() ? RETRIES : timeout(SECOND));
    test.connected();
    TestCall plain = test.call();
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(plain.status().code()).isEqualTo(Status.Code.UNAVAILABLE);
    TestCall retried = call("gold");
    stream().endsWith(Status.UNAVAILABLE);
    assertThat(retried.isOver()).isFalse();
    test.advance(SECOND.multipliedBy(2));
    stream().answers("response");
    stream().endsWith(Status.OK);
    assertThat(retried.status()).isEqualTo(Status.OK);
  }

  @Test
  void oneAnswerHoldsForAllAttemptsOfACall() {
    resolverSays(call -> {
      asked.add("once");
      return RETRIES;
    });
    FakeTransport transport = test.connected();
    asked.clear();
    call("gold");
    transport.stream().isNotProcessed(NotProcessed.REFUSED);
    transport.stream().endsWith(Status.UNAVAILABLE);
    test.advance(SECOND.multipliedBy(2));
    assertThat(transport.streams).hasSize(4);
    assertThat(asked).containsExactly("once");
  }

  @Test
  void aSelectorCanSayThatACallWaitsForReady() {
    ConfigSelection patient =
        ConfigSelection.use(MethodConfig.builder().waitForReady(true).build());
    resolverSays(call -> call.headers().get(TIER).isPresent() ? patient : timeout(SECOND));
    test.connector.refusesAtOnce = true;
    TestCall waiting = call("gold");
    TestCall impatient = test.call();
    test.advance(Duration.ofMillis(10));
    assertThat(waiting.isOver()).isFalse();
    assertThat(impatient.isOver()).isTrue();
  }

  @Test
  void aCallThatIsRefusedIsNotSent() {
    Status why = Status.PERMISSION_DENIED.withDescription("no gold left");
    resolverSays(
        call -> call.headers().get(TIER).isPresent() ? ConfigSelection.fail(why) : timeout(SECOND));
    FakeTransport transport = test.connected();
    TestCall refused = call("gold", CallOptions.DEFAULT.withWaitForReady(true));
    assertThat(refused.status().code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    assertThat(refused.text()).isEqualTo("no gold left");
    TestCall streaming = call(TestChannel.BIDI, "gold", CallOptions.DEFAULT);
    assertThat(streaming.text()).isEqualTo("no gold left");
    assertThat(transport.streams).hasSize(1); // that of the first call
    assertThat(test.channel().snapshot().calls().failed()).isEqualTo(2);
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void aCallThatWaitsForTheFirstResultCanBeRefusedByIt() {
    test.resolver.answer = Optional.empty();
    TestCall refused = call("gold", CallOptions.DEFAULT.withWaitForReady(true));
    resolverNowSays(call -> ConfigSelection.fail(Status.UNAVAILABLE.withDescription("closed")));
    assertThat(refused.text()).isEqualTo("closed");
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void aStatusThatOnlyServersMayUseIsReplaced() {
    resolverSays(call -> ConfigSelection.fail(Status.NOT_FOUND.withDescription("no such tier")));
    TestCall call = call("gold");
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.text())
        .startsWith("the config selector of the resolver for 'test' failed")
        .contains("no such tier");
  }

  @Test
  void aSelectionFailsWithAStatusOtherThanOk() {
    assertThatThrownBy(() -> ConfigSelection.fail(Status.OK))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSelectorThatThrowsFailsTheCallAndIsNamed() {
    IllegalStateException cause = new IllegalStateException("tiers are not loaded");
    resolverSays(call -> {
      throw cause;
    });
    TestCall call = call("gold", CallOptions.DEFAULT.withWaitForReady(true));
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.text())
        .startsWith("the config selector of the resolver for 'test' failed")
        .contains("tiers are not loaded");
    assertThat(call.status().cause()).containsSame(cause);
  }

  @Test
  void aSelectorThatReturnsNullFailsTheCallAndIsNamed() {
    resolverSays(call -> Nulls.none());
    TestCall call = call("gold");
    assertThat(call.status().code()).isEqualTo(Status.Code.INTERNAL);
    assertThat(call.text())
        .isEqualTo("the config selector of the resolver for 'test' failed: it returned null");
  }

  @Test
  void callsThatWaitForTheFirstResultAreAskedAboutOnce() {
    test.resolver.answer = Optional.empty();
    call("silver");
    test.advance(Duration.ofMillis(400));
    resolverNowSays(this::byTier);
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(600); // counted from the start of the call
    assertThat(asked).containsExactly("silver");
  }

  @Test
  void anotherSelectorAppliesToNewCallsAndNotToThoseThatWait() {
    resolverSays(this::byTier);
    call("gold");
    TestCall made = new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    resolverNowSays(call -> timeout(SECOND.multipliedBy(5)));
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(2000);
    made.start().asks("request"); // it keeps that of the time when it was made
    assertThat(timeoutMillis()).isEqualTo(1000);
    call("gold");
    assertThat(timeoutMillis()).isEqualTo(5000);
    assertThat(asked).containsExactly("gold", "none");
  }

  @Test
  void aResultWithoutASelectorWithdrawsIt() {
    resolverSays(this::byTier);
    test.connected();
    test.resolver.last().listener.onResult(endpoints(1));
    call("gold");
    assertThat(timeoutMillis()).isEqualTo(-1);
  }

  @Test
  void anInvalidServiceConfigKeepsTheSelector() {
    resolverSays(this::byTier);
    test.connected();
    ConfigSelector other = call -> timeout(SECOND.multipliedBy(5));
    Resolution.Resolved invalid =
        ServiceConfig.addInvalidTo(
            other.addTo(endpoints(1)), Status.INTERNAL.withDescription("nonsense"));
    test.resolver.last().listener.onResult(invalid);
    call("gold");
    assertThat(timeoutMillis()).isEqualTo(2000);
  }

  @Test
  void theSelectorIsIgnoredIfTheLookUpIsOff() {
    test.serviceConfigs = test.serviceConfigs.withoutLookUp();
    resolverSays(this::byTier);
    test.connected();
    call("gold");
    assertThat(timeoutMillis()).isEqualTo(-1);
  }

  @Test
  void theSelectorReplacesWhatTheServiceConfigSaysAboutMethods() {
    ServiceConfig config =
        ServiceConfig.builder()
            .forAllMethods(MethodConfig.builder().timeout(Duration.ofMillis(100)).build())
            .loadBalancer(LoadBalancerProvider.roundRobin())
            .build();
    ConfigSelector selector = this::byTier;
    test.resolver.answer = Optional.of(selector.addTo(config.addTo(endpoints(2))));
    call("gold");
    assertThat(test.connector.dials).hasSize(2); // by the policy of the service config
    test.dial().becomesReady();
    assertThat(timeoutMillis()).isEqualTo(2000);
  }

  @Test
  void aPolicyCanChooseByTheOptionsThatTheSelectorAdds() {
    test.policy = new ByOption();
    ConfigSelection.Use first = ConfigSelection.use(MethodConfig.EMPTY);
    ConfigSelector selector =
        call -> first.withOption(SERVER, call.headers().get(TIER).map(Integer::parseInt).orElse(0));
    test.resolver.answer = Optional.of(selector.addTo(endpoints(2)));
    call("1", CallOptions.DEFAULT.withOption(SERVER, 0));
    List<FakeTransport> servers =
        List.copyOf(test.connector.dials).stream().map(FakeConnector.Dial::becomesReady).toList();
    call("1");
    call("0");
    call("1");
    assertThat(servers.get(0).streams).hasSize(1);
    assertThat(servers.get(1).streams).hasSize(3);
  }

  /** gRFC A31: otherwise the old picker would get an option that only the new one knows. */
  @Test
  void aNewSelectorIsUsedWhenThePolicyKnowsItsResult() {
    List<TestCall> during = new ArrayList<>();
    List<Optional<String>> health = new ArrayList<>();
    test.policy =
        new ByNumberOfServers(context -> {
          health.add(context.healthCheckService());
          during.add(test.call()); // as another thread may do at this moment
        });
    test.resolver.answer = Optional.of(allTo(0, "old"));
    TestCall before = test.call();
    assertThat(before.text()).isEqualTo("server 0");
    test.resolver.last().listener.onResult(allTo(1, "new"));
    assertThat(during).extracting(TestCall::text).containsExactly("server 0", "server 0");
    assertThat(test.call().text()).isEqualTo("server 1");
    assertThat(health).containsExactly(Optional.of("old"), Optional.of("new"));
  }

  private static Resolution.Resolved allTo(int server, String health) {
    ConfigSelector selector =
        call -> ConfigSelection.use(MethodConfig.EMPTY).withOption(SERVER, server);
    ServiceConfig config = ServiceConfig.builder().healthCheckService(health).build();
    return selector.addTo(config.addTo(endpoints(server + 1)));
  }

  /** Says to which server a call would go; something happens before it knows the new ones. */
  private record ByNumberOfServers(Consumer<LoadBalancer.Context> meanwhile)
      implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "by_number_of_servers";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new LoadBalancer() {
        @Override
        public void onResolved(Resolution.Resolved resolved) {
          meanwhile.accept(context);
          int known = resolved.endpoints().size();
          context.updateState(
              ConnectivityState.READY,
              args -> {
                int server = args.options().option(SERVER);
                String text = server < known ? "server " + server : "unknown server";
                return Pick.drop(Status.UNAVAILABLE.withDescription(text));
              });
        }

        @Override
        public void onResolutionFailed(Status why) {}

        @Override
        public void exitIdle() {}

        @Override
        public void shutdown() {}
      };
    }
  }

  /** As another thread would, that makes the channel READY while this one asks the selector. */
  @Test
  void aConnectionThatBecomesReadyWhileTheSelectorIsAskedIsUsed() {
    test.resolver.answer = Optional.empty();
    call("gold");
    resolverNowSays(call -> {
      asked.add("once");
      test.dial().becomesReady();
      return timeout(SECOND);
    });
    assertThat(test.dial().transport.streams).hasSize(1);
    assertThat(timeoutMillis()).isEqualTo(1000);
    assertThat(asked).containsExactly("once");
    assertThat(test.channel().pendingCalls()).isZero();
  }

  @Test
  void aCallThatIsCancelledWhileTheSelectorIsAskedIsNotSent() {
    List<TestCall> made = new ArrayList<>();
    resolverSays(call -> {
      made.forEach(it -> it.call.cancel("not needed"));
      return RETRIES;
    });
    FakeTransport transport = test.connected();
    made.add(new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT)));
    made.getFirst().start();
    assertThat(made.getFirst().text()).isEqualTo("not needed");
    assertThat(transport.streams).hasSize(1); // that of the first call
  }

  /** Sends a call to the endpoint that its option says. */
  private record ByOption() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "by_option";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return LoadBalancer.overReadyEndpoints(context, new Chooser());
    }

    private record Chooser() implements EndpointChooser<CallTracker> {
      @Override
      public CallTracker newTracker(Endpoint endpoint) {
        return CallTracker.NONE;
      }

      @Override
      public Picker among(List<ReadyEndpoint<CallTracker>> ready) {
        return ready.size() < 2
            ? Picker.queueing()
            : args -> ready.get(args.options().option(SERVER)).picker().pick(args);
      }
    }
  }
}
