package dev.gannet.suites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gannet.api.CallOptions;
import dev.gannet.api.ClientCallTracer;
import dev.gannet.api.ClientStreamTracer;
import dev.gannet.api.Metadata;
import dev.gannet.api.Status;
import dev.gannet.api.stub.AsyncCalls;
import dev.gannet.api.stub.BlockingHandlers;
import dev.gannet.client.ManagedChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A channel's tracers see every call once, with its final status, and each of its attempts. */
@ParameterizedClass
@EnumSource
final class ClientTracersTest {
  private static final Metadata.Key<String> TRACE = Metadata.Key.ascii("traceparent");

  private final Medium medium;
  private final Simulation simulation;
  private final HeldCalls held = new HeldCalls();
  private final TracedCalls traced = new TracedCalls();

  ClientTracersTest(Medium medium) {
    this.medium = medium;
    this.simulation = new Simulation(medium);
  }

  private ManagedChannel channel() {
    return simulation.channelBuilder().addTracer(traced).build();
  }

  private ManagedChannel serving() {
    simulation.with(Texts.UNARY, BlockingHandlers.unary(it -> it + it)).with(Texts.BIDI, held);
    simulation.serve();
    return channel();
  }

  private List<String> seen() {
    return traced.only().onlyAttempt().seen;
  }

  @Test
  void aUnaryCallIsSeenFromItsStartToItsEnd() {
    ManagedChannel channel = serving();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(traced.only().start.method()).isEqualTo(Texts.UNARY);
    assertThat(traced.only().start.authority()).isEqualTo(channel.authority());
    assertThat(traced.only().end()).isEqualTo(Status.OK);
    assertThat(traced.only().onlyAttempt().start.isTransparentRetry()).isFalse();
    assertThat(seen())
        .containsExactly(
            "opened",
            "headers sent",
            "sent 0: " + medium.sizes(5),
            "headers received",
            "received 0: " + medium.sizes(10),
            "end: OK");
  }

  @Test
  void aCallThatNeverGetsAConnectionIsSeen() {
    MadeCall call = MadeCall.whole(channel(), Texts.UNARY, "hello");
    simulation.run();
    assertThat(traced.only().end()).isEqualTo(call.status());
    assertThat(call.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(seen()).containsExactly("end: " + call.status());
  }

  @Test
  void aDeadlineThatPassesWaitingForAConnectionIsSeen() {
    CallOptions options = simulation.within(Duration.ofSeconds(1)).withWaitForReady(true);
    MadeCall call = MadeCall.whole(channel(), Texts.UNARY, options, "hello");
    simulation.advance(Duration.ofSeconds(2));
    assertThat(call.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(traced.only().end()).isEqualTo(call.status());
    assertThat(seen()).containsExactly("end: " + call.status());
  }

  @Test
  void aCallThatCannotBeginIsSeen() {
    ManagedChannel channel = serving();
    MadeCall late = MadeCall.whole(channel, Texts.UNARY, simulation.within(Duration.ZERO), "hello");
    channel.shutdown();
    MadeCall refused = MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(late.code()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
    assertThat(refused.code()).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(traced.all().getFirst().end()).isEqualTo(late.status());
    assertThat(traced.all().getLast().end()).isEqualTo(refused.status());
    assertThat(traced.all().getLast().onlyAttempt().seen).hasSize(1);
  }

  @Test
  void aCallThatIsCancelledIsSeenWithThat() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    call.call().cancel("enough");
    simulation.run();
    assertThat(traced.only().end()).hasToString("CANCELLED: enough");
    assertThat(seen()).endsWith("sent 0: " + medium.sizes(5), "end: CANCELLED: enough");
  }

  @Test
  void anAttemptEndedByTheServerIsNotEndedAgainByACancellation() {
    MadeCall call = MadeCall.start(serving(), Texts.BIDI).says("hello");
    simulation.run();
    held.only().answers("unread");
    held.only().ends();
    simulation.run();
    assertThat(seen()).endsWith("received 0: " + medium.sizes(6), "end: OK");
    assertThat(traced.only().ends).isEmpty();
    call.call().cancel("enough");
    simulation.run();
    assertThat(seen()).endsWith("received 0: " + medium.sizes(6), "end: OK");
    assertThat(traced.only().end()).hasToString("CANCELLED: enough");
  }

  @Test
  void aTracerCanAddHeadersToEachAttempt() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .addTracer(call -> {
              call.headers().set(TRACE, "call");
              return new Propagating();
            })
            .build();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(held.only().headers().getAll(TRACE)).containsExactly("call", "attempt 0");
  }

  @Test
  void aTracerCanAddHeadersToACallThatIsStartedWithoutAny() {
    simulation.with(Texts.UNARY, held).serve();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .addTracer(call -> {
              call.headers().set(TRACE, "call");
              return ClientCallTracer.none();
            })
            .build();
    CompletableFuture<String> response =
        AsyncCalls.unary(channel, Texts.UNARY, CallOptions.DEFAULT, "hello");
    simulation.run();
    assertThat(held.only().headers().getAll(TRACE)).containsExactly("call");
    assertThat(response).isNotDone();
  }

  private record Propagating() implements ClientCallTracer {
    @Override
    public ClientStreamTracer newAttempt(ClientStreamTracer.Start attempt) {
      attempt.headers().add(TRACE, "attempt " + attempt.previousAttempts());
      return ClientStreamTracer.none();
    }
  }

  @Test
  void severalTracersSeeAllCalls() {
    serving();
    TracedCalls other = new TracedCalls();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .addTracer(call -> ClientCallTracer.none())
            .addTracer(traced)
            .addTracer(other)
            .build();
    MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(seen()).hasSize(6).isEqualTo(other.only().onlyAttempt().seen);
    assertThat(other.only().end()).isEqualTo(Status.OK);
  }

  @Test
  void aTracerThatThrowsAffectsNeitherTheCallNorOtherTracers() {
    serving();
    ManagedChannel channel =
        simulation
            .channelBuilder()
            .addTracer(call -> {
              throw new IllegalStateException("no tracer");
            })
            .addTracer(call -> new ThrowingTracer())
            .addTracer(traced)
            .build();
    MadeCall call = MadeCall.whole(channel, Texts.UNARY, "hello");
    simulation.run();
    assertThat(call.messages()).containsExactly("hellohello");
    assertThat(call.status()).isEqualTo(Status.OK);
    assertThat(seen()).hasSize(6);
    assertThat(traced.only().end()).isEqualTo(Status.OK);
  }
}
