package dev.gannet.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gannet.api.CallCredentials;
import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.client.balancer.CallTracker;
import dev.gannet.client.balancer.ConnectivityState;
import dev.gannet.client.balancer.ForwardingContext;
import dev.gannet.client.balancer.LoadBalancer;
import dev.gannet.client.balancer.Pick;
import dev.gannet.client.balancer.PickArgs;
import dev.gannet.client.balancer.Picker;
import dev.gannet.client.balancer.Subchannel;
import dev.gannet.client.balancer.SubchannelOptions;
import dev.gannet.client.balancer.TrackedCall;
import dev.gannet.client.call.RetryingCallTest;
import dev.gannet.client.config.HedgingPolicy;
import dev.gannet.client.config.MethodConfig;
import dev.gannet.client.config.ServiceConfig;
import dev.gannet.client.resolver.Endpoint;
import dev.gannet.transport.NotProcessed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A pick adds headers, an authority and a tracker to its own attempt, and to no other. */
final class PickAdditionsTest {
  private static final Metadata.Key<String> ROUTE = Metadata.Key.ascii("route");
  private static final Metadata.Key<String> OTHER = Metadata.Key.ascii("other");

  private final TestChannel test = new TestChannel();
  private final List<String> heard = new ArrayList<>();

  /** What is added to picks. */
  private UnaryOperator<Pick.Use> additions = pick -> pick;

  private int picks;
  private CallTracker ofSubchannel = CallTracker.NONE;

  PickAdditionsTest() {
    test.policy = OwnPolicy.pickFirst(Changed::new);
  }

  private final class Changed implements ForwardingContext {
    private final LoadBalancer.Context context;

    Changed(LoadBalancer.Context context) {
      this.context = context;
    }

    @Override
    public LoadBalancer.Context context() {
      return context;
    }

    @Override
    public Subchannel createSubchannel(
        Endpoint endpoint, Subchannel.Listener listener, SubchannelOptions options) {
      return context.createSubchannel(endpoint, listener, options.withCallTracker(ofSubchannel));
    }

    @Override
    public void updateState(ConnectivityState state, Picker picker) {
      context.updateState(state, args -> changed(picker.pick(args)));
    }

    private Pick changed(Pick pick) {
      if (pick instanceof Pick.Use use) {
        picks++;
        return additions.apply(use);
      }
      return pick;
    }
  }

  /** Tells what it hears of each call. */
  private final class Telling implements CallTracker {
    private final String name;

    Telling(String name) {
      this.name = name;
    }

    @Override
    public TrackedCall onStarted(PickArgs call) {
      heard.add(name + " begins");
      return (status, trailers) -> heard.add(name + " ends: " + status.code());
    }
  }

  private static Metadata headers(FakeStream<?> stream) {
    return stream.start.headers();
  }

  private void numbersEachPick() {
    additions = pick -> pick.withHeader(ROUTE, "pick " + picks);
  }

  /** A call that sends these two fields itself. */
  private TestCall callWithHeaders() {
    Metadata own = new Metadata();
    own.add(ROUTE, "own");
    own.add(OTHER, "kept");
    TestCall call = new TestCall(test.channel().newCall(TestChannel.UNARY, CallOptions.DEFAULT));
    call.call.start(call, own);
    return call.asks("request");
  }

  @Test
  void itsHeadersReplaceTheCallsOwnOfTheSameNames() {
    FakeTransport transport = test.connected();
    numbersEachPick();
    picks = 0;
    callWithHeaders();
    assertThat(headers(transport.stream()).getAll(ROUTE)).containsExactly("pick 1");
    assertThat(headers(transport.stream()).getAll(OTHER)).containsExactly("kept");
  }

  private void has(MethodConfig config) {
    test.serviceConfigs =
        test.serviceConfigs
            .withoutLookUp()
            .withDefault(ServiceConfig.builder().forAllMethods(config).build());
  }

  @Test
  void hedgesHaveTheHeadersOfTheirOwnPicks() {
    has(MethodConfig.builder().hedgingPolicy(HedgingPolicy.of(2)).build());
    FakeTransport transport = test.connected();
    int before = transport.streams.size();
    numbersEachPick();
    picks = 0;
    test.call();
    test.advance(Duration.ofSeconds(1));
    assertThat(transport.streams.stream().skip(before).map(it -> headers(it).getAll(ROUTE)))
        .containsExactly(List.of("pick 1"), List.of("pick 2"));
  }

  @Test
  void eachAttemptHasTheHeadersOfItsOwnPick() {
    has(MethodConfig.builder().retryPolicy(RetryingCallTest.policy(3)).build());
    FakeTransport transport = test.connected();
    additions = pick -> picks == 2 ? pick.withHeader(OTHER, "x") : pick.withHeader(ROUTE, "y");
    picks = 1;
    test.call();
    assertThat(headers(transport.stream()).names()).containsExactly("other");
    transport.stream().endsWith(Status.UNAVAILABLE);
    test.advance(Duration.ofSeconds(2));
    assertThat(headers(transport.stream()).names())
        .containsExactlyInAnyOrder("route", "grpc-previous-rpc-attempts");
  }

  @Test
  void aTransparentRetryHasItsOwnPick() {
    FakeTransport transport = test.connected();
    numbersEachPick();
    picks = 0;
    test.call();
    assertThat(transport.stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    assertThat(transport.streams.stream().skip(1).map(it -> headers(it).getAll(ROUTE)))
        .containsExactly(List.of("pick 1"), List.of("pick 2"));
  }

  @Test
  void aPickWithoutHeadersLeavesThoseOfTheCallAsTheyAre() {
    FakeTransport transport = test.connected();
    additions = pick -> pick.withHeaders(new Metadata()).withCallTracker(CallTracker.NONE);
    callWithHeaders();
    assertThat(headers(transport.stream()).getAll(ROUTE)).containsExactly("own");
    test.call();
    Metadata none = headers(transport.stream());
    test.call();
    assertThat(headers(transport.stream())).isSameAs(none);
  }

  @Test
  void itsAuthorityIsSentByCallsWithoutTheirOwn() {
    FakeTransport transport = test.connected();
    additions = pick -> pick.withAuthority("picked.example");
    test.call();
    assertThat(transport.stream().start.authority()).contains("picked.example");
    test.call(CallOptions.DEFAULT.withAuthority("own.example"));
    assertThat(transport.stream().start.authority()).contains("own.example");
  }

  @Test
  void callCredentialsAreAskedForTheAuthorityThatIsSent() {
    List<String> authorities = new ArrayList<>();
    CallCredentials credentials =
        request -> {
          authorities.add(request.authority());
          Metadata token = new Metadata();
          token.add(OTHER, "token");
          return CompletableFuture.completedFuture(token);
        };
    FakeTransport transport = test.connected();
    additions = pick -> pick.withAuthority("picked.example").withHeader(ROUTE, "a");
    test.call(CallOptions.DEFAULT.withCallCredentials(credentials));
    assertThat(authorities).containsExactly("picked.example");
    assertThat(headers(transport.stream()).names()).containsExactlyInAnyOrder("route", "other");
  }

  @Test
  void itsTrackerFollowsTheAttemptBesideThatOfTheSubchannel() {
    ofSubchannel = new Telling("subchannel");
    FakeTransport transport = test.connected();
    heard.clear();
    additions = pick -> pick.withCallTracker(new Telling("pick"));
    test.call();
    assertThat(heard).containsExactlyInAnyOrder("subchannel begins", "pick begins");
    heard.clear();
    transport.stream().endsWith(Status.NOT_FOUND);
    assertThat(heard)
        .containsExactlyInAnyOrder("subchannel ends: NOT_FOUND", "pick ends: NOT_FOUND");
  }

  @Test
  void bothTrackersHearOfAnAttemptThatWasNotProcessedAndOfTheNext() {
    ofSubchannel = new Telling("subchannel");
    FakeTransport transport = test.connected();
    heard.clear();
    additions = pick -> pick.withCallTracker(new Telling("pick"));
    test.call();
    assertThat(transport.stream().isNotProcessed(NotProcessed.REFUSED)).isTrue();
    transport.stream().endsWith(Status.OK);
    assertThat(heard).filteredOn(it -> it.startsWith("pick begins")).hasSize(2);
    assertThat(heard).filteredOn(it -> it.startsWith("pick ends")).hasSize(2);
    assertThat(heard).filteredOn(it -> it.startsWith("subchannel")).hasSize(4);
  }

  @Test
  void aCallThatWaitsForAConnectionIsTrackedWhenItBegins() {
    additions = pick -> pick.withCallTracker(new Telling("pick"));
    TestCall call = test.call();
    assertThat(heard).isEmpty();
    FakeTransport transport = test.dial().becomesReady();
    assertThat(heard).containsExactly("pick begins");
    transport.stream().endsWith(Status.OK);
    assertThat(heard).containsExactly("pick begins", "pick ends: OK");
    assertThat(call.isOver()).isTrue();
  }

  @Test
  void aTrackedCallThatEndsBeforeItsCredentialsAnswerHasAnEnd() {
    test.connected();
    additions = pick -> pick.withCallTracker(new Telling("pick"));
    TestCall call =
        test.call(CallOptions.DEFAULT.withCallCredentials(request -> new CompletableFuture<>()));
    call.call.cancel("enough");
    assertThat(heard).containsExactly("pick begins", "pick ends: CANCELLED");
  }

  @Test
  void aCallThatWaitsForAStreamHasTheAdditionsOfItsPick() {
    test.maxConnectionsPerSubchannel = 2;
    ofSubchannel = new Telling("subchannel");
    additions = pick -> pick.withHeader(ROUTE, "a").withCallTracker(new Telling("pick"));
    test.channel().state(true);
    FakeConnector.Dial to = test.connector.dials.getFirst();
    to.opens();
    to.then.onMaxConcurrentStreams(1);
    to.then.onReady();
    test.call();
    TestCall waiting = test.call();
    assertThat(to.transport.streams).hasSize(1);
    to.transport.stream().endsWith(Status.OK);
    assertThat(headers(to.transport.stream()).get(ROUTE)).contains("a");
    to.transport.stream().endsWith(Status.OK);
    assertThat(waiting.isOver()).isTrue();
    assertThat(heard).filteredOn("pick begins"::equals).hasSize(2);
    assertThat(heard).filteredOn("pick ends: OK"::equals).hasSize(2);
    assertThat(heard).hasSize(8);
  }

  /** Notes the headers that are sent. */
  private static final class Seeing implements ClientCallTracer, ClientStreamTracer {
    private final List<String> sent;

    Seeing(List<String> sent) {
      this.sent = sent;
    }

    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      return this;
    }

    @Override
    public void onHeadersSent(Metadata headers) {
      sent.addAll(headers.names());
    }

    @Override
    public void onEnd(Status status, Metadata trailers) {}
  }

  @Test
  void tracersSeeItsHeaders() {
    List<String> sent = new ArrayList<>();
    test.tracers = List.of(call -> new Seeing(sent));
    FakeTransport transport = test.connected();
    additions = pick -> pick.withHeader(ROUTE, "a");
    test.call();
    transport.stream().headersAreSent();
    assertThat(sent).containsExactly("route");
  }

  @Test
  void aPickDoesNotChange() {
    test.connected();
    List<Pick.Use> seen = new ArrayList<>();
    additions =
        pick -> {
          seen.add(pick);
          return pick;
        };
    test.call();
    Pick.Use plain = seen.getFirst();
    Metadata more = new Metadata();
    more.add(ROUTE, "a");
    Pick.Use changed = plain.withHeaders(more).withHeader(OTHER, "b").withAuthority("c");
    more.add(ROUTE, "late");
    changed.headers().discardAll(ROUTE);
    assertThat(changed.headers().getAll(ROUTE)).containsExactly("a");
    assertThat(changed.withHeader(ROUTE, "again").headers().getAll(ROUTE)).containsExactly("again");
    assertThat(changed.subchannel()).isSameAs(plain.subchannel());
    assertThat(changed.authority()).isEqualTo(Optional.of("c"));
    assertThat(changed.toString()).contains(" as c", "route");
    assertThat(changed.hasHeaders()).isTrue();
    plain.headers().add(ROUTE, "only in the copy");
    assertThat(plain.headers().isEmpty()).isTrue();
    assertThat(plain.hasHeaders()).isFalse();
    assertThat(plain.authority()).isEmpty();
    assertThat(plain.callTracker()).isSameAs(CallTracker.NONE);
    assertThatThrownBy(() -> plain.withAuthority("a/b"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
