package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.gannet.api.CallContext;
import dev.gannet.api.Dispatch;
import dev.gannet.api.ForwardingServerCall;
import dev.gannet.api.Metadata;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.Registration;
import dev.gannet.api.ServerCall;
import dev.gannet.api.ServerCallHandler;
import dev.gannet.api.ServerInterceptor;
import dev.gannet.api.Status;
import dev.gannet.client.ManagedChannel;
import dev.gannet.client.balancer.LoadReports;
import dev.gannet.server.CallMetricRecorder;
import dev.gannet.server.Server;
import dev.gannet.server.ServerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** An interceptor of a server ends calls whose handlers are still at work. */
@ParameterizedClass
@EnumSource
final class CallsEndedByServersTest {
  private static final Metadata.Key<String> WHY = Metadata.Key.ascii("why");
  private static final Status EXPIRED = Status.UNAUTHENTICATED.withDescription("the token expired");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Logger LOG = Logger.getLogger("dev.gannet.server");

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedRequests traced = new TracedRequests();
  private final Ending ending = new Ending();
  private final List<String> seen = new ArrayList<>();

  CallsEndedByServersTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  /** Keeps its calls, which a test ends. */
  private static final class Ending implements ServerInterceptor {
    private final List<ServerCall<?, ?>> calls = new ArrayList<>();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      calls.add(call);
      return next.startCall(call, headers);
    }

    ServerCall<?, ?> only() {
      assertThat(calls).hasSize(1);
      return calls.getFirst();
    }

    void ends(String why) {
      only().end(EXPIRED, because(why));
    }
  }

  private static Metadata because(String why) {
    Metadata trailers = new Metadata();
    trailers.set(WHY, why);
    return trailers;
  }

  private ManagedChannel serving(UnaryOperator<ServerBuilder> options) {
    simulation.with(Texts.UNARY, held).with(Texts.BIDI, held);
    Simulation.start(options.apply(simulation.serverBuilder().addTracer(traced)).intercept(ending));
    return simulation.channel();
  }

  private ManagedChannel serving() {
    return serving(it -> it);
  }

  private MadeCall begun(MethodDescriptor<String, String> method, ManagedChannel channel) {
    MadeCall call = MadeCall.whole(channel, method, "question");
    simulation.run();
    return call;
  }

  private void assertEnded(MadeCall call, String why) {
    assertThat(call.status()).hasToString(EXPIRED.toString());
    assertThat(call.heard().trailers().get(WHY)).hasValue(why);
    assertThat(call.heard().closes()).isOne();
    assertThat(held.only().cancels()).isOne();
    assertThat(held.only().completes()).isZero();
  }

  @Test
  void theClientGetsTheStatusAndTheHandlerACancelledCall() {
    MadeCall call = begun(Texts.UNARY, serving());
    CallContext context = held.only().call().context();
    context.onCancelled(() -> seen.add("cancelled: " + context.cancellation().orElseThrow()));
    ending.ends("token");
    assertThat(ending.only().isCancelled()).isTrue();
    assertThat(context.cancellation()).hasValue(EXPIRED);
    simulation.run();
    assertEnded(call, "token");
    assertThat(call.messages()).isEmpty();
    assertThat(seen).containsExactly("cancelled: " + EXPIRED);
    assertThat(ending.only().isReady()).isFalse();
  }

  @Test
  void theClientGetsWhatWasSentBefore() {
    MadeCall call = begun(Texts.BIDI, serving());
    held.only().call().sendHeaders(because("headers"));
    held.only().answers("first", "second");
    ending.ends("token");
    held.only().answers("too late");
    simulation.run();
    assertEnded(call, "token");
    assertThat(call.heard().headers().orElseThrow().get(WHY)).hasValue("headers");
    assertThat(call.messages()).containsExactly("first", "second");
  }

  @Test
  void aCallWhoseHeadersAloneWereSentIsEnded() {
    MadeCall call = begun(Texts.BIDI, serving());
    held.only().call().sendHeaders(because("headers"));
    simulation.run();
    ending.ends("token");
    simulation.run();
    assertEnded(call, "token");
    assertThat(call.heard().headers().orElseThrow().get(WHY)).hasValue("headers");
  }

  @Test
  void aCloseAfterItDoesNothing() {
    MadeCall call = begun(Texts.UNARY, serving());
    ending.ends("token");
    held.only().answers("too late");
    held.only().ends();
    simulation.run();
    held.only().ends(Status.NOT_FOUND);
    simulation.run();
    assertEnded(call, "token");
    assertThat(call.messages()).isEmpty();
  }

  @Test
  void itDoesNothingAfterAClose() {
    MadeCall call = begun(Texts.UNARY, serving());
    held.only().answers("answer");
    held.only().ends();
    ending.ends("token");
    assertThat(ending.only().isCancelled()).isFalse();
    simulation.run();
    ending.ends("token");
    simulation.run();
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(call.messages()).containsExactly("answer");
    assertThat(held.only().cancels()).isZero();
    assertThat(held.only().completes()).isOne();
    assertThat(held.only().call().context().cancellation()).isEmpty();
  }

  @Test
  void theFirstEndCounts() {
    MadeCall call = begun(Texts.BIDI, serving());
    ending.ends("token");
    ending.only().end(Status.ABORTED, because("boredom"));
    simulation.run();
    ending.only().end(Status.ABORTED, because("boredom"));
    simulation.run();
    assertEnded(call, "token");
    assertThat(held.only().call().context().cancellation()).hasValue(EXPIRED);
  }

  @Test
  void itDoesNothingAfterAFailureOrACancellation() {
    ManagedChannel channel = serving();
    MadeCall failed = begun(Texts.BIDI, channel);
    MadeCall cancelled = begun(Texts.BIDI, channel);
    held.all().getFirst().call().fail(Status.NOT_FOUND.asException());
    ending.calls.getFirst().end(EXPIRED, new Metadata());
    cancelled.call().cancel("bored");
    simulation.run();
    ending.calls.getLast().end(EXPIRED, new Metadata());
    simulation.run();
    assertThat(failed.code()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(cancelled.code()).isEqualTo(Status.Code.CANCELLED);
    assertThat(held.all().getFirst().call().context().cancellation()).isEmpty();
    assertThat(held.all().getLast().call().context().cancellation().map(Status::code))
        .hasValue(Status.Code.CANCELLED);
  }

  @Test
  void aDeadlineThatPassesAfterItChangesNothing() {
    ManagedChannel channel = serving();
    MadeCall call = MadeCall.whole(channel, Texts.BIDI, simulation.within(SECOND), "question");
    simulation.run();
    ending.ends("token");
    simulation.run();
    simulation.advance(SECOND.plus(SECOND));
    assertEnded(call, "token");
  }

  @Test
  void aCallThatItsInterceptorEndsAtItsStartReachesNoListener() {
    ManagedChannel channel =
        serving(it ->
            it.intercept(
                new ServerInterceptor() {
                  @Override
                  public <Q, R> ServerCall.Listener<Q> interceptCall(
                      ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                    call.end(EXPIRED, because("token"));
                    return new ServerCall.Listener<>() {};
                  }
                }));
    MadeCall unary = begun(Texts.UNARY, channel);
    MadeCall stream = begun(Texts.BIDI, channel);
    assertThat(List.of(unary, stream))
        .allSatisfy(call -> {
          assertThat(call.status()).hasToString(EXPIRED.toString());
          assertThat(call.heard().trailers().get(WHY)).hasValue("token");
        });
    assertThat(held.all()).isEmpty();
  }

  @Test
  void aHandlerMayEndItsCallInsideAnEvent() {
    simulation.with(
        Texts.BIDI,
        (call, headers) -> {
          call.request(2);
          return new ServerCall.Listener<>() {
            @Override
            public void onMessage(String message) {
              call.end(EXPIRED, because(message));
              seen.add(message);
            }

            @Override
            public void onHalfClose() {
              seen.add("half-closed");
            }

            @Override
            public void onCancel() {
              seen.add("cancelled");
            }
          };
        });
    for (Dispatch dispatch : List.of(Dispatch.on(simulation.loop()), Dispatch.inline())) {
      Server server = Simulation.start(simulation.serverBuilder().dispatch(dispatch));
      MadeCall call = MadeCall.whole(simulation.channel(), Texts.BIDI, "first", "second");
      simulation.run();
      assertThat(call.status()).hasToString(EXPIRED.toString());
      assertThat(call.heard().trailers().get(WHY)).hasValue("first");
      assertThat(seen).containsExactly("first", "cancelled");
      seen.clear();
      server.shutdownNow();
      simulation.run();
    }
  }

  @Test
  void callsThatTheHandlerHasMadeAreCancelled() {
    ManagedChannel channel = serving();
    begun(Texts.UNARY, channel);
    List<MadeCall> children = new ArrayList<>();
    CallContext context = held.only().call().context();
    context.run(() -> children.add(MadeCall.whole(channel, Texts.UNARY, "child")));
    simulation.run();
    assertThat(children.getFirst().isClosed()).isFalse();
    ending.calls.getFirst().end(EXPIRED, because("token"));
    simulation.run();
    context.run(() -> children.add(MadeCall.whole(channel, Texts.UNARY, "late child")));
    simulation.run();
    assertThat(children).allMatch(child -> child.code() == Status.Code.CANCELLED);
    assertThat(held.all()).hasSize(2).allMatch(call -> call.cancels() == 1);
  }

  @Test
  void theTrailersAreThoseOfTheMomentOfTheEnd() {
    MadeCall call = begun(Texts.BIDI, serving());
    Metadata trailers = because("token");
    ending.only().end(EXPIRED, trailers);
    trailers.set(WHY, "something else");
    simulation.run();
    assertEnded(call, "token");
  }

  @Test
  void thePlaceOfTheCallIsFreeOnce() {
    ManagedChannel channel =
        serving(it ->
            it.limitCalls(call -> {
              seen.add("enter");
              return (Registration) () -> seen.add("leave");
            }));
    MadeCall call = begun(Texts.BIDI, channel);
    ending.ends("token");
    assertThat(seen).containsExactly("enter"); // the listener has not been told yet
    simulation.run();
    held.only().ends();
    simulation.run();
    assertEnded(call, "token");
    assertThat(seen).containsExactly("enter", "leave");
  }

  @Test
  void tracersSeeTheStatusAndTheTrailersOnce() {
    MadeCall call = begun(Texts.BIDI, serving());
    held.only().answers("answer");
    ending.ends("token");
    held.only().ends();
    simulation.run();
    assertEnded(call, "token");
    assertThat(traced.only().end()).hasToString(EXPIRED.toString());
    assertThat(traced.only().trailers.get(WHY)).hasValue("token");
    assertThat(traced.only().seen)
        .containsSubsequence("headers sent", "sent 0: " + medium.sizes(6), "end: " + EXPIRED);
  }

  @Test
  void aServerCountsTheCallByItsStatus() {
    simulation.with(Texts.BIDI, held);
    Server server = Simulation.start(simulation.serverBuilder().countCalls().intercept(ending));
    begun(Texts.BIDI, simulation.channel());
    ending.ends("token");
    simulation.run();
    assertThat(server.snapshot().calls().ended())
        .containsEntry(Status.Code.UNAUTHENTICATED, 1L)
        .hasSize(1);
  }

  /** Notes what passes the calls of an interceptor, and adds a trailer. */
  private final class Noting implements ServerInterceptor {
    private final String name;

    Noting(String name) {
      this.name = name;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      return next.startCall(new NotedCall<>(call), headers);
    }

    private final class NotedCall<Q, R> extends ForwardingServerCall<Q, R> {
      NotedCall(ServerCall<Q, R> call) {
        super(call);
      }

      @Override
      public void close(Status status, Metadata trailers) {
        seen.add(name + " closes");
        super.close(status, trailers);
      }

      @Override
      public void end(Status status, Metadata trailers) {
        seen.add(name + " ends with " + status.code());
        Metadata more = trailers.copy();
        more.set(Metadata.Key.ascii(name), "seen");
        super.end(status, more);
      }
    }
  }

  @Test
  void interceptorsFurtherOutsideSeeItAndMayChangeIt() {
    ManagedChannel channel =
        serving(it -> it.intercept(new Noting("first")).intercept(new Noting("second")));
    MadeCall call = begun(Texts.BIDI, channel);
    ending.ends("token");
    simulation.run();
    assertEnded(call, "token");
    assertThat(seen)
        .containsExactly("second ends with UNAUTHENTICATED", "first ends with UNAUTHENTICATED");
    assertThat(call.heard().trailers().get(Metadata.Key.ascii("first"))).hasValue("seen");
    assertThat(call.heard().trailers().get(Metadata.Key.ascii("second"))).hasValue("seen");
  }

  @Test
  void theLoadThatWasRecordedIsReportedWithIt() {
    MadeCall call =
        begun(Texts.BIDI, serving(it -> it.intercept(CallMetricRecorder.interceptor())));
    held.only()
        .call()
        .context()
        .run(() -> CallMetricRecorder.current().orElseThrow().recordCpuUtilization(0.5));
    ending.ends("token");
    simulation.run();
    assertEnded(call, "token");
    assertThat(LoadReports.ofTrailers().in(call.heard().trailers()).orElseThrow().cpuUtilization())
        .isEqualTo(0.5);
  }

  /** Keeps what is logged. */
  private static final class Logged extends Handler {
    private static final SimpleFormatter FORMAT = new SimpleFormatter();
    private final List<String> lines = new ArrayList<>();

    @Override
    public void publish(LogRecord entry) {
      lines.add(entry.getLevel() + " " + FORMAT.formatMessage(entry));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void whatTheHandlerThrowsAfterwardsIsNoFault() {
    MadeCall call = begun(Texts.BIDI, serving());
    Logged logged = new Logged();
    LOG.setLevel(Level.ALL);
    LOG.addHandler(logged);
    try {
      ending.ends("token");
      held.only().call().fail(new IllegalStateException("interrupted"));
      simulation.run();
      held.only().call().fail(new IllegalStateException("once more"));
      held.only().call().fail(Status.NOT_FOUND.asException());
    } finally {
      LOG.removeHandler(logged);
      LOG.setLevel(null);
    }
    simulation.run();
    assertEnded(call, "token");
    assertThat(logged.lines)
        .hasSize(2)
        .allMatch(it -> it.startsWith("FINE ") && it.contains("UNAUTHENTICATED"));
  }

  @Test
  @SuppressWarnings("NullAway") // null is what is refused
  void itIsRefusedWithOkAndWithoutAStatusOrTrailers() {
    MadeCall call = begun(Texts.BIDI, serving());
    ServerCall<?, ?> ended = ending.only();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ended.end(Status.OK, new Metadata()))
        .withMessageContaining("OK");
    assertThatNullPointerException().isThrownBy(() -> ended.end(EXPIRED, null));
    assertThatNullPointerException().isThrownBy(() -> ended.end(null, new Metadata()));
    simulation.run();
    assertThat(call.isClosed()).isFalse();
  }
}
