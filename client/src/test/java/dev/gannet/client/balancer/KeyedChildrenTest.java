package dev.gannet.client.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.Status;
import dev.gannet.client.TestCall;
import dev.gannet.client.TestChannel;
import dev.gannet.client.TestResolver;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.client.resolver.Resolution;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A policy with several children hears of all of them at once, and leaves none open. */
final class KeyedChildrenTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Status WHY = Status.UNAVAILABLE.withDescription("no such name");

  private final FakeChannel channel = new FakeChannel();
  private final List<String> heard = new ArrayList<>();

  /** A policy of an application: publishes what the test says, and notes what it is told. */
  private final class Child implements LoadBalancerProvider, LoadBalancer {
    private final String name;
    private Optional<Context> context = Optional.empty();
    private Runnable atEach = () -> {};

    Child(String name) {
      this.name = name;
    }

    void is(ConnectivityState state) {
      context.orElseThrow().updateState(state, Picker.failing(WHY.withDescription(name)));
    }

    private void hear(String what) {
      heard.add(name + " " + what);
      atEach.run();
    }

    @Override
    public String policyName() {
      return name;
    }

    @Override
    public LoadBalancer create(Context made) {
      context = Optional.of(made);
      hear("begins");
      return this;
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      hear("gets " + resolved.endpoints().size());
    }

    @Override
    public void onResolutionFailed(Status why) {
      hear("fails to resolve");
    }

    @Override
    public boolean onNoEndpoints(Status why) {
      hear("has none");
      return !name.equals("stubborn");
    }

    @Override
    public void exitIdle() {
      hear("exits idle");
    }

    @Override
    public void shutdown() {
      hear("ends");
    }
  }

  private final Child a = new Child("a");
  private final Child b = new Child("b");
  private final Child c = new Child("c");
  private Runnable atCallback = () -> {};
  private KeyedChildren<String> children = new KeyedChildren<>(channel, this::callback);

  private void callback() {
    heard.add("callback");
    atCallback.run();
  }

  private void keepsRemoved() {
    children = new KeyedChildren<>(channel, MINUTE, this::callback);
  }

  private static Map<String, LoadBalancerProvider> each(Child... wanted) {
    Map<String, LoadBalancerProvider> map = new LinkedHashMap<>();
    for (Child child : wanted) {
      map.put(child.name, child);
    }
    return map;
  }

  /** Has these children, and what has happened so far is over and not looked at. */
  private void begin(Child... wanted) {
    children.use(each(wanted));
    eventIsOver();
    heard.clear();
  }

  private void eventIsOver() {
    channel.loop.runUntilIdle();
  }

  @Test
  void childrenBeginInTheirOrderAndAreConnectingUntilTheyPublish() {
    children.use(each(b, a));
    eventIsOver();
    assertThat(heard).containsExactly("b begins", "a begins", "callback");
    assertThat(children.keys()).containsExactly("b", "a").isUnmodifiable();
    assertThat(children.state("a")).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(children.picker("a").pick(FakeChannel.ANY_CALL)).isInstanceOf(Pick.Queue.class);
  }

  @Test
  void oneCallbackFollowsAnEventHoweverManyChildrenPublish() {
    begin(a, b);
    a.atEach = () -> a.is(ConnectivityState.TRANSIENT_FAILURE);
    b.atEach =
        () -> {
          b.is(ConnectivityState.CONNECTING);
          b.is(ConnectivityState.READY);
        };
    children.onResolutionFailed(WHY);
    children.onResolved("b", FakeChannel.endpoints("x"));
    assertThat(heard).doesNotContain("callback");
    eventIsOver();
    assertThat(heard)
        .containsExactly("a fails to resolve", "b fails to resolve", "b gets 1", "callback");
    assertThat(children.state("a")).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(children.state("b")).isEqualTo(ConnectivityState.READY);
    assertThat(FakeChannel.textOf(children.picker("b").pick(FakeChannel.ANY_CALL))).endsWith("b");
    assertThat(channel.states).isEmpty(); // publishing is for the owner
  }

  @Test
  void theBestStateOfTheChildrenIsThatOfAll() {
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    begin(a, b, c);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.CONNECTING);
    a.is(ConnectivityState.TRANSIENT_FAILURE);
    b.is(ConnectivityState.IDLE);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.CONNECTING);
    c.is(ConnectivityState.READY);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.READY);
    c.is(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.IDLE);
    b.is(ConnectivityState.SHUTDOWN);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
  }

  @Test
  void aChildThatHasFailedCountsAsFailedUntilItIsReadyOrIdle() {
    begin(a, b);
    a.is(ConnectivityState.TRANSIENT_FAILURE);
    b.is(ConnectivityState.TRANSIENT_FAILURE);
    a.is(ConnectivityState.CONNECTING);
    assertThat(children.state("a")).isEqualTo(ConnectivityState.CONNECTING);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
    a.is(ConnectivityState.READY);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.READY);
    a.is(ConnectivityState.CONNECTING);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.CONNECTING);

    a.is(ConnectivityState.TRANSIENT_FAILURE);
    a.is(ConnectivityState.IDLE);
    a.is(ConnectivityState.CONNECTING);
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.CONNECTING);
  }

  @Test
  void onlyChildrenThatAreWantedCount() {
    begin(a, b);
    a.is(ConnectivityState.READY);
    b.is(ConnectivityState.TRANSIENT_FAILURE);
    children.use(each(b));
    assertThat(children.aggregatedState()).isEqualTo(ConnectivityState.TRANSIENT_FAILURE);
  }

  /**
   * The state that is published now, and what becomes of a call: it is passed to these children.
   */
  private String published() {
    children.publish(Over::new);
    return channel.state() + ": " + textOf(channel.pick());
  }

  /** Its picks name the children that it is over. */
  private record Over(Map<String, Picker> children) implements Picker {
    @Override
    public Pick pick(PickArgs args) {
      return Pick.drop(WHY.withDescription("over " + String.join(" and ", children.keySet())));
    }
  }

  private static String textOf(Pick pick) {
    return pick instanceof Pick.Drop drop
        ? drop.why().description().orElseThrow()
        : FakeChannel.textOf(pick);
  }

  @Test
  void thePublishedPickerIsOverTheChildrenThatAreReady() {
    begin(a, b, c);
    assertThat(published()).isEqualTo("CONNECTING: wait");
    c.is(ConnectivityState.READY);
    assertThat(published()).isEqualTo("READY: over c");
    a.is(ConnectivityState.READY);
    b.is(ConnectivityState.IDLE);
    assertThat(published()).isEqualTo("READY: over a and c");
    a.is(ConnectivityState.CONNECTING);
    c.is(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(published()).isEqualTo("CONNECTING: wait");
  }

  @Test
  void callsReachIdleChildrenIfNoneIsReadyOrConnecting() {
    begin(a, b);
    a.is(ConnectivityState.TRANSIENT_FAILURE);
    b.is(ConnectivityState.IDLE);
    assertThat(published()).isEqualTo("IDLE: over b");
  }

  @Test
  void callsFailAsTheChildThatFailedLastAlsoWhileItConnectsAgain() {
    begin(a, b);
    b.is(ConnectivityState.TRANSIENT_FAILURE);
    a.is(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(published()).startsWith("TRANSIENT_FAILURE: ").endsWith("a");
    a.context.orElseThrow().updateState(ConnectivityState.CONNECTING, Picker.queueing());
    assertThat(published()).startsWith("TRANSIENT_FAILURE: ").endsWith("a");
    b.is(ConnectivityState.TRANSIENT_FAILURE);
    assertThat(published()).startsWith("TRANSIENT_FAILURE: ").endsWith("b");
    children.use(each(a));
    assertThat(published()).startsWith("TRANSIENT_FAILURE: ").endsWith("a");
    a.is(ConnectivityState.READY);
    assertThat(published()).isEqualTo("READY: over a");
  }

  @Test
  void callsFailWithoutChildren() {
    assertThat(published())
        .startsWith("TRANSIENT_FAILURE: UNAVAILABLE")
        .endsWith("the load-balancing policy has no child policies");
  }

  @Test
  void thePickersOfAPublishedOneDoNotChange() {
    begin(a);
    a.is(ConnectivityState.READY);
    Map<String, Picker> seen = new LinkedHashMap<>();
    children.publish(ready -> {
      assertThat(ready).isUnmodifiable();
      seen.putAll(ready);
      return Picker.queueing();
    });
    assertThat(seen).containsExactly(Map.entry("a", children.picker("a")));
  }

  @Test
  void anEventOfASubchannelIsFollowedByACallbackToo() {
    children.use(Map.of("x", LoadBalancerProvider.pickFirst()));
    children.onResolved("x", FakeChannel.endpoints("host"));
    eventIsOver();
    heard.clear();
    channel.of("host").becomesReady();
    assertThat(heard).isEmpty();
    eventIsOver();
    assertThat(heard).containsExactly("callback");
    assertThat(children.state("x")).isEqualTo(ConnectivityState.READY);
  }

  @Test
  void nothingIsToldIfNoChildHasPublished() {
    begin(a);
    children.onResolved("a", FakeChannel.endpoints("x"));
    eventIsOver();
    assertThat(heard).containsExactly("a gets 1");
  }

  @Test
  void eachChildIsToldOfEventsForAll() {
    begin(a, b);
    children.exitIdle();
    children.onResolutionFailed(WHY);
    assertThat(children.onNoEndpoints(WHY)).isTrue();
    children.exitIdle("b");
    assertThat(heard)
        .containsExactly(
            "a exits idle",
            "b exits idle",
            "a fails to resolve",
            "b fails to resolve",
            "a has none",
            "b has none",
            "b exits idle");
  }

  @Test
  void aChildThatKeepsItsEndpointsDecidesForAll() {
    assertThat(children.onNoEndpoints(WHY)).isTrue();
    begin(new Child("stubborn"), a);
    assertThat(children.onNoEndpoints(WHY)).isFalse();
    assertThat(heard).containsExactly("stubborn has none", "a has none");
  }

  @Test
  void aChildWithoutEndpointsIsToldSo() {
    begin(a);
    children.onResolved("a", FakeChannel.endpoints());
    assertThat(heard).containsExactly("a has none");
  }

  @Test
  void aRemovedChildEndsAfterTheCallback() {
    begin(a, b);
    children.use(each(b));
    assertThat(children.keys()).containsExactly("b");
    assertThat(heard).isEmpty();
    eventIsOver();
    assertThat(heard).containsExactly("callback", "a ends");
    a.is(ConnectivityState.READY);
    eventIsOver();
    assertThat(heard).hasSize(2);
    children.shutdown();
    assertThat(heard).endsWith("b ends").hasSize(3);
  }

  @Test
  void aChildThatIsWantedAgainBeforeContinues() {
    begin(a, b);
    children.use(each(b));
    children.use(each(b, a));
    eventIsOver();
    assertThat(heard).containsExactly("callback");
    assertThat(children.keys()).containsExactly("b", "a");
  }

  @Test
  void theCallbackMayWantOthers() {
    begin(a);
    atCallback =
        () -> {
          atCallback = () -> {};
          children.use(each(b));
        };
    a.is(ConnectivityState.READY);
    eventIsOver();
    assertThat(heard).containsExactly("callback", "b begins", "callback", "a ends");
  }

  @Test
  void aChildThatTheCallbackHasPublishedContinuesUntilTheNextOne() {
    begin(a, b);
    children.use(each(b));
    atCallback =
        () -> {
          atCallback = () -> {};
          children.use(each(a, b)); // and publishes a picker that uses both
          children.use(each(b));
        };
    eventIsOver();
    assertThat(heard).containsExactly("callback", "callback", "a ends");
  }

  @Test
  void theSameChildrenAgainAreNoReasonForACallback() {
    begin(a, b);
    children.use(each(a, b));
    eventIsOver();
    assertThat(heard).isEmpty();
    children.use(each(b, a));
    eventIsOver();
    assertThat(heard).containsExactly("callback");
  }

  @Test
  void anotherPolicyOfAChildIsAReasonForACallback() {
    begin(a);
    children.use(Map.of("a", new Child("stubborn"))); // publishes nothing
    eventIsOver();
    assertThat(heard).containsOnlyOnce("callback");
  }

  @Test
  void aCallbackMayWantTheSameChildrenEachTime() {
    begin(a);
    atCallback =
        () -> {
          assertThat(heard).hasSizeLessThan(5); // or it would be called back for ever
          children.use(each(a));
        };
    a.is(ConnectivityState.READY);
    eventIsOver();
    assertThat(heard).containsExactly("callback");
  }

  @Test
  void anotherPolicyReplacesAChildOnceItIsReady() {
    begin(a);
    a.is(ConnectivityState.READY);
    children.use(Map.of("a", b));
    eventIsOver();
    assertThat(FakeChannel.textOf(children.picker("a").pick(FakeChannel.ANY_CALL))).endsWith("a");
    heard.clear();
    b.is(ConnectivityState.READY);
    eventIsOver();
    assertThat(heard).containsExactlyInAnyOrder("callback", "a ends");
    assertThat(FakeChannel.textOf(children.picker("a").pick(FakeChannel.ANY_CALL))).endsWith("b");
  }

  @Test
  void aRemovedChildMayBeKeptForATime() {
    keepsRemoved();
    begin(a, b);
    children.use(each(b));
    eventIsOver();
    assertThat(heard).containsExactly("callback");
    a.is(ConnectivityState.READY);
    children.exitIdle();
    channel.advance(MINUTE.minusNanos(1));
    assertThat(heard).containsExactly("callback", "b exits idle");
    channel.advance(Duration.ofNanos(1));
    assertThat(heard).endsWith("a ends").hasSize(3);
  }

  @Test
  void aKeptChildThatIsWantedAgainContinuesWithWhatItHasPublished() {
    keepsRemoved();
    begin(a);
    children.use(Map.of());
    eventIsOver();
    a.is(ConnectivityState.READY);
    children.use(each(a));
    assertThat(children.state("a")).isEqualTo(ConnectivityState.READY);
    eventIsOver();
    channel.advance(MINUTE);
    assertThat(heard).containsExactly("callback", "callback");
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  @Test
  void keptChildrenEndIfThereAreNoEndpoints() {
    keepsRemoved();
    begin(a, b, c);
    children.use(each(b, c));
    eventIsOver();
    children.use(each(c)); // b still leaves
    heard.clear();
    assertThat(children.onNoEndpoints(WHY)).isTrue();
    assertThat(heard).containsExactly("a ends", "b has none", "c has none");
  }

  @Test
  void shutdownEndsAllWhateverOneOfThemThrows() {
    keepsRemoved();
    begin(a, b, c);
    children.use(each(b, c));
    eventIsOver();
    children.use(each(c));
    heard.clear();
    for (Child child : List.of(a, b)) {
      child.atEach =
          () -> {
            throw new IllegalStateException(child.name);
          };
    }
    assertThatThrownBy(children::shutdown)
        .hasMessage("a")
        .satisfies(it ->
            assertThat(it.getSuppressed()).extracting(Throwable::getMessage).containsExactly("b"));
    assertThat(heard).containsExactly("a ends", "b ends", "c ends");
    assertThat(children.keys()).isEmpty();
    channel.advance(MINUTE);
    assertThat(heard).hasSize(3);
    assertThat(channel.loop.pendingTasks()).isZero();
  }

  /** Throws without a declaration, as a child that is written in Kotlin may. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void raise(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void aCheckedExceptionOfAChildIsThrownAsItIsWhenTheOthersHaveEnded() {
    begin(a, b);
    IOException why = new IOException("cannot end");
    a.atEach = () -> KeyedChildrenTest.<RuntimeException>raise(why);
    assertThatThrownBy(children::shutdown).isSameAs(why);
    assertThat(heard).containsExactly("a ends", "b ends");
  }

  /** Equals all others. */
  @SuppressWarnings("ThrowableEqualsHashCode") // as a user's may
  private static final class Equal extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public boolean equals(Object other) {
      return other instanceof Equal;
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void noExceptionIsLostBecauseItEqualsAnother() {
    begin(a, b, c);
    Equal first = new Equal();
    Equal next = new Equal();
    a.atEach = () -> KeyedChildrenTest.<RuntimeException>raise(first);
    b.atEach = () -> KeyedChildrenTest.<RuntimeException>raise(next);
    c.atEach = a.atEach; // an exception cannot suppress itself
    assertThatThrownBy(children::shutdown).isSameAs(first);
    assertThat(List.of(first.getSuppressed())).singleElement().isSameAs(next);
  }

  @Test
  void aRemovedChildThatThrowsDoesNotKeepTheOthersFromTheirEnd() {
    begin(a, b, c);
    children.use(each(c));
    a.atEach =
        () -> {
          throw new IllegalStateException("cannot end");
        };
    assertThatThrownBy(this::eventIsOver).hasMessage("cannot end");
    assertThat(heard).containsExactly("callback", "a ends", "b ends");
  }

  @Test
  void aChildThatFailsToBeginLeavesNoneOpen() {
    b.atEach =
        () -> {
          throw new IllegalStateException("cannot begin");
        };
    assertThatThrownBy(() -> children.use(each(a, b, c))).hasMessage("cannot begin");
    children.shutdown();
    eventIsOver();
    assertThat(heard).containsExactly("a begins", "b begins", "a ends");
  }

  @Test
  void anUnknownKeyIsRefused() {
    begin(a);
    assertThatThrownBy(() -> children.state("b"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no child b");
    assertThatThrownBy(() -> new KeyedChildren<String>(channel, Duration.ofNanos(-1), () -> {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A child for each address; calls go to any of those that are ready. */
  private static final class OnePerAddress implements LoadBalancer {
    private final Context context;
    private final KeyedChildren<Endpoint> children;

    OnePerAddress(Context context) {
      this.context = context;
      this.children = new KeyedChildren<>(context, this::publish);
    }

    private void publish() {
      for (Endpoint each : children.keys()) {
        if (children.state(each) == ConnectivityState.READY) {
          context.updateState(ConnectivityState.READY, children.picker(each));
          return;
        }
      }
      context.updateState(ConnectivityState.CONNECTING, Picker.queueing());
    }

    @Override
    public void onResolved(Resolution.Resolved resolved) {
      LoadBalancerProvider one = LoadBalancerProvider.pickFirst();
      children.use(resolved.endpoints().stream().collect(Collectors.toMap(it -> it, it -> one)));
      resolved
          .endpoints()
          .forEach(it -> children.onResolved(it, resolved.withEndpoints(List.of(it))));
    }

    @Override
    public void onResolutionFailed(Status why) {
      children.onResolutionFailed(why);
    }

    @Override
    public void exitIdle() {
      children.exitIdle();
    }

    @Override
    public void shutdown() {
      children.shutdown();
    }
  }

  private record OnePerAddressProvider() implements LoadBalancerProvider {
    @Override
    public String policyName() {
      return "one_per_address";
    }

    @Override
    public LoadBalancer create(LoadBalancer.Context context) {
      return new OnePerAddress(context);
    }
  }

  @Test
  void aChannelServesCallsByTheChildThatIsReady() {
    TestChannel test = new TestChannel();
    test.policy = new OnePerAddressProvider();
    test.resolver.answer = Optional.of(TestResolver.endpoints(2));
    TestCall call = test.call();
    assertThat(test.connector.dials).hasSize(2);
    test.connector.dials.getFirst().isRefused();
    test.channel().resetConnectBackoff(); // reaches the subchannels of all children
    assertThat(call.isOver()).isFalse();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.CONNECTING);
    var old = test.connector.dials.get(1).becomesReady();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    old.stream().answers("response");
    old.stream().endsWith(Status.OK);
    assertThat(call.status()).isEqualTo(Status.OK);

    var address = test.connector.dials.get(1).address;
    var others =
        Resolution.of(
            ((Resolution.Resolved) TestResolver.endpoints(2))
                .endpoints().stream().filter(it -> !it.addresses().contains(address)).toList());
    test.resolver.last().listener.onResult(others);
    assertThat(old.shutdowns).isOne();
    TestCall next = test.call();
    test.dial().becomesReady();
    assertThat(next.isOver()).isFalse();
    assertThat(test.channel().state()).isEqualTo(ConnectivityState.READY);
    test.channel().shutdownNow();
    assertThat(test.dial().transport.shutdowns).isOne();
  }
}
